/** The real agents over the Agent Client Protocol, each against a fake model: what they ask, and what an answer does. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadAdapter, getPackagePlace } from "../../src/plugins/adapters/adapters.js";
import type { ChoiceIntent, PromptEvent } from "../../src/model/prompt.js";
import { bash as opencodeShell } from "../support/corpus/opencode/moves.js";
import { exec as codexShell } from "../support/corpus/codex/moves.js";
import { shell as geminiShell } from "../support/corpus/gemini/moves.js";
import { shell as qwenShell } from "../support/corpus/qwen/moves.js";
import { openTool, granted, replyTo, type OpenAgent } from "../support/acp-agent.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { claudeAgentAcp, codexAcp } from "../support/real-cli/protocol-agents.js";
import { passedIn, tapped, type Passed } from "../support/exchanges/tap.js";
import { copilot } from "../support/real-cli/copilot.js";
import { gemini } from "../support/real-cli/gemini.js";
import { opencode } from "../support/real-cli/opencode.js";
import { qwen } from "../support/real-cli/qwen.js";
import type { RealTool } from "../support/real-cli/tool.js";
import { makeWorkspace, type Workspace } from "../support/real-cli/workspace.js";
import { readCommand, listProcesses, RIG_MARK } from "../support/rig/processes.js";
import { waitFor } from "../support/wait-for.js";

interface RealAgent {
  readonly tool: RealTool;
  readonly args: readonly string[];
  readonly shell: (command: string) => ToolCall;
  /** It never offers to allow such a command for good, but a change to a file. */
  readonly edits?: (path: string) => ToolCall;
}

const copilotShell = (command: string): ToolCall => ({
  name: "bash",
  input: { command, description: "as asked", sessionId: "main", async: false },
});

const claudeShell = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "as asked" },
});

const AGENTS: readonly RealAgent[] = [
  {
    tool: claudeAgentAcp,
    args: [],
    shell: claudeShell,
    edits: (path) => ({ name: "Write", input: { file_path: path, content: "" } }),
  },
  { tool: codexAcp, args: [], shell: codexShell },
  { tool: gemini, args: ["--acp"], shell: geminiShell },
  { tool: opencode, args: ["acp"], shell: opencodeShell },
  { tool: qwen, args: ["--acp"], shell: qwenShell },
  { tool: copilot, args: ["--acp"], shell: copilotShell },
];

const turn =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will make a file.", tools }, { text: "All done." }];

/** Said in one piece: else each agent makes thousands of lines of it. Numbered: gemini ends a turn that says the same over and over. */
const BIG = `${Array.from({ length: 330_000 }, (_, at) => `word ${String(at).padStart(10, "0")}`).join(" ")} the end`;

interface Running extends OpenAgent {
  readonly workspace: Workspace;
  readonly model: FakeModel;
  /** What it and we said to each other; only of one that is tapped. */
  readonly passed: () => readonly Passed[];
}

const running: Running[] = [];

async function started({ tool, args, shell, edits }: RealAgent, { isTapped = false } = {}): Promise<Running> {
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  const { cwd } = workspace;
  const scenarios: Readonly<Record<string, Scenario>> = {
    one: turn(shell("touch made.txt")),
    lasting: turn(edits?.(join(cwd, "made.txt")) ?? shell("touch made.txt")),
    two: turn(shell("touch first.txt"), shell("touch second.txt")),
    plain: () => [{ text: "A plain answer of some words." }],
    big: () => [{ text: BIG, pace: { chars: BIG.length, everyMs: 0 } }],
    held: () => [{ text: "A beginning", hold: true }],
  };
  const model = await FakeModel.start({ scenarios, cwd });
  const setting = { modules: installed.modules, modelUrl: model.url, workspace };
  const { env, ...rest } = tool.prepare(setting, { args });
  const command = { ...rest, env: { ...env, [RIG_MARK]: workspace.home } };
  const log = join(workspace.home, "passed");
  const { acp } = await loadAdapter(tool.name, getPackagePlace());
  const agent = openTool(isTapped ? tapped(command, log) : command, { asking: acp?.asking ?? null });
  const run = { ...agent, workspace, model, passed: () => passedIn(log) };
  running.push(run);
  await agent.adapter.ready;
  return run;
}

afterEach(async () => {
  for (const { dispose, model, workspace } of running.splice(0)) {
    await dispose();
    await model.close();
    await workspace.dispose();
  }
});

/** The place of the one choice that does this. */
function choice({ choices }: PromptEvent, intent: ChoiceIntent): string {
  const at = choices.findIndex((each) => each.intent === intent);
  if (at < 0) throw new Error(`it offers no ${intent}`);
  return String(at + 1);
}

const made = ({ workspace }: Running, file = "made.txt"): boolean => existsSync(join(workspace.cwd, file));

describe.each(AGENTS)("the real $tool.name over its protocol", (agent) => {
  it("asks before it runs a command, shows it whole, and runs it on Allow", async () => {
    const run = await started(agent);
    const over = run.adapter.prompt("please [[one]]");
    const event = await run.raised();
    expect(JSON.stringify(event)).toContain("touch made.txt");
    expect(event.sources).toEqual([{ kind: "protocol", name: "session/request_permission" }]);
    expect(made(run)).toBe(false);
    const result = await run.adapter.injectReply(replyTo(event, choice(event, "allow_once")), granted);
    expect(result).toMatchObject({ receipt: { outcome: "answered" } });
    expect(await over).toEqual({ stopReason: "end_turn", problem: null });
    expect(made(run)).toBe(true);
    await waitFor(() => expect(run.shown()).toContain("All done."));
  });

  it("does not ask again what was allowed for good", async () => {
    const run = await started(agent);
    const over = run.adapter.prompt("please [[lasting]]");
    const event = await run.raised();
    await run.adapter.injectReply(replyTo(event, choice(event, "allow_always")), granted);
    await over;
    expect(made(run)).toBe(true);
    rmSync(join(run.workspace.cwd, "made.txt"));
    expect((await run.adapter.prompt("once more [[lasting]]")).problem).toBeNull();
    expect(made(run)).toBe(true);
    expect((await run.adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("says five megabytes in one line, and all of it is shown", async () => {
    const run = await started(agent, { isTapped: true });
    expect((await run.adapter.prompt("please [[big]]")).problem).toBeNull();
    await waitFor(() => expect(run.shown().includes(BIG)).toBe(true));
    expect(Math.max(...run.passed().map(({ line }) => line.length))).toBeGreaterThan(5_000_000);
  });

  it("does not run it on Reject, and tells nobody that it did", async () => {
    const run = await started(agent);
    const over = run.adapter.prompt("please [[one]]");
    const event = await run.raised();
    await run.adapter.injectReply(replyTo(event, choice(event, "reject_once")), granted);
    expect((await over).problem).toBeNull();
    expect(made(run)).toBe(false);
  });

  it("asks two at once as two, and each answer reaches its own", async () => {
    const run = await started(agent);
    const over = run.adapter.prompt("please [[two]]");
    for (let asked = 0; asked < 2; asked += 1) {
      const event = await run.raised();
      const isFirst =
        JSON.stringify(event.content).includes("first.txt") || event.excerpt.includes("first.txt");
      const answer = choice(event, isFirst ? "allow_once" : "reject_once");
      await run.adapter.injectReply(replyTo(event, answer), granted);
    }
    await over;
    expect([made(run, "first.txt"), made(run, "second.txt")]).toEqual([true, false]);
  });

  it("ends its turn as cancelled, while it asks and while it speaks", async () => {
    const run = await started(agent);
    const asking = run.adapter.prompt("please [[one]]");
    await run.raised();
    run.adapter.cancel();
    expect(await asking).toEqual({ stopReason: "cancelled", problem: null });
    expect(made(run)).toBe(false);
    const speaking = run.adapter.prompt("please [[held]]");
    await waitFor(() => expect(run.shown()).toContain("A beginning"));
    run.adapter.cancel();
    expect(await speaking).toEqual({ stopReason: "cancelled", problem: null });
  });

  it("withdraws its question when it is killed, and leaves nothing running", async () => {
    const run = await started(agent);
    void run.adapter.prompt("please [[one]]");
    const event = await run.raised();
    process.kill((await run.adapter.snapshotContext()).pid ?? 0, "SIGKILL");
    expect(await run.next("withdrawn")).toMatchObject({ promptId: event.promptId, reason: "session_ended" });
    expect(made(run)).toBe(false);
    await waitFor(() => expect(listProcesses(run.workspace.home).map(readCommand)).toEqual([]));
  });
});
