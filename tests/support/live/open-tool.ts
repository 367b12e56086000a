import { join } from "node:path";
import type { Scenario } from "../fake-model/script.js";
import { FakeModel } from "../fake-model/server.js";
import { SIZES, type Situation } from "../corpus/situation.js";
import { TOOLS } from "../corpus/tools.js";
import { CLAUDE_VERSION, installClaude, prepareClaude, type ToolCommand } from "../real-cli/claude.js";
import type { Workspace } from "../real-cli/workspace.js";
import { situations as claudeSituations } from "./claude.js";
import { readLatest, SCENARIOS } from "../corpus/scenario-file.js";
import type { LiveSituation } from "./log.js";

export interface OpenTool {
  readonly version: string;
  readonly command: ToolCommand;
  readonly situations: readonly LiveSituation[];
  readonly model: FakeModel;
  close(): Promise<void>;
}

export async function openTool(name: string, workspace: Workspace): Promise<OpenTool> {
  return name === "claude" ? openClaude() : openOther(name, workspace);
}

async function openClaude(): Promise<OpenTool> {
  const installed = await installClaude();
  if (!installed.ok) throw new Error(installed.reason);
  const model = await FakeModel.start({ scenarios: makeScenarios(claudeSituations) });
  const command = prepareClaude({ modules: installed.modules, apiUrl: model.url });
  model.setWorkspace(command.cwd);
  const close = async (): Promise<void> => {
    await model.close();
    await command.dispose();
  };
  return { version: CLAUDE_VERSION, command, situations: claudeSituations, model, close };
}

async function openOther(name: string, workspace: Workspace): Promise<OpenTool> {
  const { tool, situations } = await TOOLS[name]!();
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const model = await FakeModel.start({ scenarios: makeScenarios(situations), cwd: workspace.cwd });
  const command = tool.prepare({ modules: installed.modules, modelUrl: model.url, workspace }, {});
  return {
    version: tool.version,
    command,
    situations: situations.flatMap((each) => labelled(name, each)),
    model,
    close: () => model.close(),
  };
}

/** With the labels of its recording at the largest size; none where it has never been recorded. */
function labelled(tool: string, situation: Situation): LiveSituation[] {
  const found = SIZES.map((size) => readLatest(join(SCENARIOS, tool), `${situation.name}-${size}-`));
  const scenario = found.find((each) => each !== null);
  if (!scenario) return [];
  const { expected_type: type, expected_count: count, replies } = scenario;
  return [{ ...situation, label: { type, count, ...(replies && { replies }) } }];
}

function makeScenarios(situations: readonly Situation[]): Readonly<Record<string, Scenario>> {
  return Object.fromEntries(
    situations.map(({ name, model = [] }) => [
      name,
      ({ cwd }) => (typeof model === "function" ? model(cwd) : model),
    ]),
  );
}
