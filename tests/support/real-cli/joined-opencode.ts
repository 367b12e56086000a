/** The real opencode under `atlasbridge run`, which joins it, and a phone beside it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readKnownVersion } from "../../../src/worker/runtimes/tool-version.js";
import type { Scenario } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { SIZES, type SizeName } from "../matrix/matrix.js";
import type { Card } from "../rig/phone.js";
import { withRig, type Rig } from "../rig/rig.js";
import type { Run } from "../rig/run.js";
import { COMPOSER, giveTask, opencode, SLOW_MS, type OpencodeOptions } from "./opencode.js";
import { makeWorkspace } from "./workspace.js";

export interface JoinedSetting {
  readonly size?: SizeName;
  readonly options?: OpencodeOptions;
  readonly flags?: readonly string[];
}

interface JoinedParts {
  readonly modules: string;
  readonly scenarios: Readonly<Record<string, Scenario>>;
}

export interface JoinedOpencode {
  readonly rig: Rig;
  readonly run: Run;
  readonly cwd: string;
  readonly has: (file: string) => boolean;
  readonly heard: (text: string) => boolean;
  /** Gives the model its next task. */
  readonly task: (scenario: string) => Promise<void>;
  readonly asks: (scenario: string) => Promise<Card>;
  readonly card: () => Promise<Card>;
}

export async function withJoinedOpencode(
  setting: JoinedSetting & JoinedParts,
  test: (joined: JoinedOpencode) => Promise<void>,
): Promise<void> {
  const { modules, scenarios, size = "80x24", options = {}, flags = [] } = setting;
  const workspace = makeWorkspace();
  const model = await FakeModel.start({ scenarios, cwd: workspace.cwd });
  const command = opencode.prepare({ modules, modelUrl: model.url, workspace }, options);
  try {
    await withRig(async (rig) => {
      const env = { ...command.env, PATH: `${dirname(command.file)}:${command.env["PATH"]}` };
      // As after its first run: on a busy machine the first one does not wait for the answer.
      await readKnownVersion(command.file, env, rig.home.paths, { limitMs: SLOW_MS });
      const run = rig.run(["opencode", ...command.args], { env, cwd: workspace.cwd, flags, ...SIZES[size] });
      const account = (): string =>
        [
          "The screen:",
          run.terminal.screen,
          ...run.cards.map(({ text, buttons }) => [text, ...buttons].join("\n")),
        ].join("\n");
      try {
        await run.terminal.waitFor(COMPOSER, SLOW_MS);
        await run.terminal.settled();
        let cards = 0;
        const card = (): Promise<Card> => run.card((cards += 1), SLOW_MS);
        const task = (scenario: string): Promise<void> => giveTask(run.terminal, scenario);
        await test({
          rig,
          run,
          cwd: workspace.cwd,
          has: (file) => existsSync(join(workspace.cwd, file)),
          heard: (text) => JSON.stringify(model.requests).includes(text),
          task,
          card,
          asks: async (scenario) => {
            await task(scenario);
            return card();
          },
        });
      } catch (problem) {
        throw new Error(`${problem instanceof Error ? problem.message : ""}\n${account()}`, {
          cause: problem,
        });
      }
    });
  } finally {
    await model.close();
    await workspace.dispose();
  }
}
