/**
 * Records the corpus of a tool: `node --import tsx tests/support/corpus/record.ts TOOL [--size 80x24] [--version V] [NAME…]`.
 * Run it as a stand-in, so that nothing of this machine is in the recordings:
 * `unshare -n -m -u sh -c 'hostname devbox; ip link set lo up; mount -t tmpfs tmpfs /home; exec node …'`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Scenario } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { RealTerminal, type TerminalSize } from "../real-cli/terminal.js";
import type { RealTool } from "../real-cli/tool.js";
import { makeWorkspace } from "../real-cli/workspace.js";
import { Player } from "./player.js";
import { makeStem, SCENARIOS, writeScenario, type Recorded } from "./scenario-file.js";
import { STAND_IN } from "./stand-in.js";
import { type Situation, type Size, SIZES } from "./situation.js";
import { TOOLS } from "./tools.js";

const { values, positionals } = parseArgs({
  options: {
    size: { type: "string" },
    version: { type: "string" },
    out: { type: "string" },
  },
  allowPositionals: true,
});

async function main([name = "", ...names]: readonly string[]): Promise<void> {
  const { tool, situations } = await TOOLS[name]!();
  const { version = tool.version, out = join(SCENARIOS, name) } = values;
  const installed = await tool.install(version);
  if (!installed.ok) throw new Error(installed.reason);
  mkdirSync(out, { recursive: true });
  for (const situation of situations) {
    if (names.length > 0 && !names.includes(situation.name)) continue;
    for (const size of situation.sizes ?? SIZES) {
      if (values.size !== undefined && values.size !== size) continue;
      await record({ tool, situation, size, version, out, modules: installed.modules });
    }
  }
}

interface Take extends Omit<Recorded, "tool"> {
  readonly tool: RealTool;
  readonly modules: string;
}

async function record(take: Take): Promise<void> {
  const { tool, situation, size, modules, out } = take;
  const workspace = makeWorkspace(STAND_IN);
  const model = await FakeModel.start({ scenarios: scenarioFor(situation), cwd: workspace.cwd });
  const recorded = { ...take, tool: tool.name };
  const stem = makeStem(recorded);
  const act = async ({ options = {}, play }: Pick<Situation, "options" | "play">, settles: boolean) => {
    const command = tool.prepare({ modules, modelUrl: model.url, workspace }, options);
    const player = new Player(new RealTerminal(command, terminalSize(size)), command.cwd, situation.name);
    try {
      await play(player);
      if (settles) await player.still();
      return { events: player.events, screen: player.screen };
    } catch (error) {
      // What stood there instead.
      console.log(player.screen.trimEnd());
      throw error;
    } finally {
      await player.close();
    }
  };
  try {
    if (situation.before) await act(situation.before, true);
    const { events, screen } = await act(situation, situation.settles !== false);
    writeFileSync(join(out, `${stem}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    writeFileSync(join(out, `${stem}.json`), writeScenario(recorded));
    console.log(`── ${stem} (${events.length} events)\n${screen.trimEnd()}`);
  } catch (error) {
    console.log(`── FAILED ${stem}: ${String(error)}`);
    process.exitCode = 1;
  } finally {
    await model.close();
    await workspace.dispose();
  }
}

function scenarioFor({ name, model = [], helper = [] }: Situation): Record<string, Scenario> {
  return {
    [name]: ({ cwd }) => (typeof model === "function" ? model(cwd) : model),
    [`${name}-helper`]: () => helper,
  };
}

function terminalSize(size: Size): TerminalSize {
  const [cols = 80, rows = 24] = size.split("x").map(Number);
  return { cols, rows };
}

await main(positionals);
process.exit();
