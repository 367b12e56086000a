/**
 * What the real opencode, in a terminal, and we beside it say to each other is what the fixtures hold: they are what the tests without it
 * play back. `UPDATE_EXCHANGES=1` writes them anew.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { joinSession, type JoinedExchange } from "../support/exchanges/joined-session.js";
import {
  keptExchange,
  ONE_COMMAND,
  SITUATIONS,
  type SessionSituation,
} from "../support/exchanges/opencode.js";
import { scrubbed } from "../support/exchanges/scrub.js";
import { recordExchange, type Step } from "../support/exchanges/session-exchange.js";
import { FakeModel } from "../support/fake-model/server.js";
import { eventually } from "../support/hub-home.js";
import { giveTask, opencode, SLOW_MS } from "../support/real-cli/opencode.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { makeWorkspace, type Workspace } from "../support/real-cli/workspace.js";
import { notLinux, skipped } from "../support/skipped.js";
import { shippedAdapter } from "../unit/worker/detection/screens.js";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const LOGIN = { user: "atlasbridge", password: "0123456789abcdef0123456789abcdef" };

type Situation = SessionSituation<JoinedExchange["answers"]>;

const ALL: readonly Situation[] = [
  ...SITUATIONS,
  {
    name: "refused",
    about: "A command, refused, and the turn goes on",
    answers: [{ value: "3" }],
    model: ONE_COMMAND,
  },
  {
    name: "stopped",
    about: "A command, refused as the dialog does it: the turn ends",
    answers: [{ value: "4" }],
    model: ONE_COMMAND,
  },
];

const installed = await opencode.install();

describe.skipIf(skipped(installed.ok ? notLinux : installed.reason))(
  "the real opencode in its terminal",
  () => {
    let workspace: Workspace;
    let model: FakeModel;
    let terminal: RealTerminal;

    beforeAll(async () => {
      const { coattach } = shippedAdapter("opencode");
      if (!installed.ok || coattach?.speaks !== "session_server") throw new Error("it cannot be joined");
      workspace = makeWorkspace();
      const { cwd } = workspace;
      const scenarios = Object.fromEntries(ALL.map(({ name, model: made }) => [name, made]));
      model = await FakeModel.start({ scenarios, cwd });
      const env = {
        OPENCODE_SERVER_USERNAME: LOGIN.user,
        OPENCODE_SERVER_PASSWORD: LOGIN.password,
      };
      const setting = { modules: installed.modules, modelUrl: model.url, workspace };
      terminal = new RealTerminal(opencode.prepare(setting, { args: coattach.args, env }));
    });
    afterAll(async () => {
      await terminal.close();
      await model.close();
      await workspace.dispose();
    });

    /** Each joins anew; of the ninth its server would complain on the terminal. */
    async function exchanged({ name, about, answers }: Situation): Promise<JoinedExchange> {
      const recording = recordExchange();
      const { cwd } = workspace;
      const joined = joinSession({ answers, leader: terminal.pid, cwd, login: LOGIN });
      const { steps } = recording;
      try {
        const isListening = (step: Step): boolean => step.from === "us" && step.path === "/question";
        await eventually(() => steps.some(isListening), SLOW_MS);
        await giveTask(terminal, name);
        await eventually(() => steps.some(isIdle) && joined.ends.filter(Boolean).length === answers.length);
        await terminal.settled();
      } finally {
        joined.close();
        recording.stop();
      }
      const whole: JoinedExchange = {
        tool: "opencode",
        version: opencode.version,
        about,
        answers,
        asked: joined.asked,
        ends: joined.ends,
        exchange: steps.slice(steps.findIndex((step) => step.from === "us" && step.status === 200)),
      };
      return scrubbed(whole, { [workspace.cwd]: "/srv/proj", [workspace.home]: "/home/dev" });
    }

    it.each(ALL)("exchanges what is kept: $about", async (situation) => {
      const exchange = await exchanged(situation);
      expect(core(exchange)).toEqual(core(keptExchange("opencode-coattach", situation, exchange)));
    });
  },
);

/** Of an exchange what does not differ from run to run: what was asked, and what was posted. */
function core({ exchange, ...rest }: JoinedExchange): unknown {
  const posted = exchange.flatMap((step) =>
    step.from === "us" && step.method === "POST" ? [{ body: step.body, status: step.status }] : [],
  );
  return { ...rest, posted };
}

function isIdle(step: Step): boolean {
  if (step.from === "us") return false;
  const { event } = step;
  return typeof event === "object" && event !== null && "type" in event && event.type === "session.idle";
}
