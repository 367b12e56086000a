/** The real tools without their interfaces, each in its own protocol and against a fake model: what they ask, and what an answer does. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadAdapter, getPackagePlace } from "../../src/plugins/adapters/adapters.js";
import { buildProtocolCommand } from "../../src/exec/exec-command.js";
import type { ChoiceIntent, PromptEvent } from "../../src/model/prompt.js";
import type { ExecAdapter } from "../../src/worker/runtimes/exec/exec-adapter.js";
import { granted, replyTo } from "../support/acp-agent.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { exec as codexShell } from "../support/corpus/codex/moves.js";
import { headlessAdapter } from "../support/headless-agent.js";
import { installClaude, prepareClaude, type ToolCommand } from "../support/real-cli/claude.js";
import { bash } from "../support/corpus/opencode/moves.js";
import { codex } from "../support/real-cli/codex.js";
import { opencode } from "../support/real-cli/opencode.js";
import type { RealTool as RealCli, ToolOptions } from "../support/real-cli/tool.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";
import { readSession, type ReadSession } from "../support/spoken-session.js";
import { waitFor } from "../support/wait-for.js";

vi.setConfig({ testTimeout: 120_000 });

const BIG = 5_000_000;

const claudeShell = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "as asked" },
});

const turn =
  (...tools: readonly ToolCall[]): Scenario =>
  () => [{ text: "I will make a file.", tools }, { text: "All done." }];

const scenarios = (shell: (command: string) => ToolCall): Readonly<Record<string, Scenario>> => ({
  one: turn(shell("touch made.txt")),
  two: turn(shell("touch first.txt"), shell("touch second.txt")),
  again: () => [
    { text: "First.", tools: [shell("touch made.txt")] },
    { text: "Again.", tools: [shell("touch made.txt")] },
    { text: "All done." },
  ],
  held: () => [{ text: "A beginning", hold: true }],
  big: () => [{ text: "b".repeat(BIG), pace: { chars: BIG, everyMs: 0 } }],
});

interface Bench {
  readonly command: ToolCommand;
  readonly results: (scenario: string) => readonly { readonly text: string; readonly isError: boolean }[];
  readonly saw: (text: string) => boolean;
  readonly close: () => Promise<void>;
}

interface RealTool {
  readonly name: string;
  /** How the report names it. */
  readonly label: string;
  readonly bench: () => Promise<Bench>;
}

async function claudeBench(version?: string): Promise<Bench> {
  const installed = await installClaude(version);
  if (!installed.ok) throw new Error(installed.reason);
  const api = await FakeModel.start({ scenarios: scenarios(claudeShell) });
  const command = prepareClaude({ modules: installed.modules, apiUrl: api.url });
  api.setWorkspace(command.cwd);
  return {
    command,
    results: (scenario) => api.toolResults(scenario),
    saw: (text) => JSON.stringify(api.requests).includes(text),
    close: async () => {
      await api.close();
      await command.dispose();
    },
  };
}

async function openBench<Options extends ToolOptions>(
  tool: RealCli<Options>,
  options: Options,
  shell: (command: string) => ToolCall,
): Promise<Bench> {
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  const model = await FakeModel.start({ scenarios: scenarios(shell), cwd: workspace.cwd });
  return {
    command: tool.prepare({ modules: installed.modules, modelUrl: model.url, workspace }, options),
    results: (scenario) => model.toolResults(scenario),
    saw: (text) => JSON.stringify(model.requests).includes(text),
    close: async () => {
      await model.close();
      await workspace.dispose();
    },
  };
}

const TOOLS: readonly RealTool[] = [
  { name: "claude", label: "claude", bench: () => claudeBench() },
  // The oldest that the adapter file takes.
  { name: "claude", label: "claude 2.0.76", bench: () => claudeBench("2.0.76") },
  { name: "codex", label: "codex", bench: () => openBench(codex, {}, codexShell) },
  { name: "opencode", label: "opencode", bench: () => openBench(opencode, { permission: {} }, bash) },
];

interface Running extends Bench, ReadSession {
  readonly adapter: ExecAdapter;
}

const running: Running[] = [];
afterEach(async () => {
  for (const { dispose } of running.splice(0)) await dispose();
});

async function started(
  { name, bench: make }: RealTool,
  more: { context?: string; resume?: string; bench?: Bench } = {},
): Promise<Running> {
  const bench = more.bench ?? (await make());
  const { file, cwd, env } = bench.command;
  const compiled = await loadAdapter(name, getPackagePlace());
  const { headless: driver } = compiled;
  if (!driver) throw new Error(`${name} has no driver`);
  const { context = null, resume = null } = more;
  const command = buildProtocolCommand(
    { adapter: compiled, driver, executable: file },
    { session: resume, allowTools: [] },
  );
  const { adapter, sessionId } = headlessAdapter(compiled, cwd, {
    environment: env,
    context,
    resume,
    silenceMs: 110_000,
  });
  await adapter.startSession(command);
  const session = readSession({ adapter, sessionId });
  const run: Running = {
    ...bench,
    ...session,
    adapter,
    dispose: async () => {
      await session.dispose();
      if (!more.bench) await bench.close();
    },
  };
  running.push(run);
  await adapter.ready;
  return run;
}

/** The place of the one choice that does this. */
function choice({ choices }: PromptEvent, intent: ChoiceIntent): string {
  const at = choices.findIndex((each) => each.intent === intent);
  if (at < 0) throw new Error(`it offers no ${intent}`);
  return String(at + 1);
}

const made = ({ command }: Bench, file = "made.txt"): boolean => existsSync(join(command.cwd, file));
const answer = (run: Running, event: PromptEvent, intent: ChoiceIntent, text?: string) =>
  run.adapter.injectReply(
    { ...replyTo(event, choice(event, intent)), ...(text !== undefined && { text }) },
    granted,
  );

describe.each(TOOLS)("the real $label without its interface", (tool) => {
  it("asks before it runs a command, shows it whole, and runs it on Yes", async () => {
    const run = await started(tool, { context: "CONTEXT-OF-OURS" });
    const over = run.adapter.prompt("please [[one]]");
    const event = await run.raised();
    expect(event.content.text).toContain("touch made.txt");
    expect(event.sources[0]?.kind).toBe("protocol");
    expect(made(run)).toBe(false);
    expect(await answer(run, event, "allow_once")).toMatchObject({ receipt: { outcome: "answered" } });
    expect(await over).toMatchObject({ problem: null, callsDone: 1, denials: 0, words: "All done." });
    expect(made(run)).toBe(true);
    expect(run.saw("CONTEXT-OF-OURS")).toBe(true);
    expect(run.shown()).toContain("touch made.txt");
  });

  it("does not run it on No, and hears why", async () => {
    const run = await started(tool);
    const over = run.adapter.prompt("please [[one]]");
    await answer(run, await run.raised(), "reject_once", "not in THIS-FOLDER");
    expect(await over).toMatchObject({ problem: null, callsDone: 0, denials: 1 });
    expect(made(run)).toBe(false);
    expect(run.saw("not in THIS-FOLDER")).toBe(true);
  });

  it("does not ask again for what was allowed for good", async () => {
    const run = await started(tool);
    const over = run.adapter.prompt("please [[again]]");
    await answer(run, await run.raised(), "allow_always");
    expect(await over).toMatchObject({ problem: null, callsDone: 2 });
    expect((await run.adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("asks two at once as two, and each answer reaches its own", async () => {
    const run = await started(tool);
    const over = run.adapter.prompt("please [[two]]");
    for (let asked = 0; asked < 2; asked += 1) {
      const event = await run.raised();
      await answer(run, event, event.content.text.includes("first.txt") ? "allow_once" : "reject_once");
    }
    await over;
    expect([made(run, "first.txt"), made(run, "second.txt")]).toEqual([true, false]);
  });

  it("stops its turn while it asks and while it speaks, and takes another task", async () => {
    const run = await started(tool);
    const asking = run.adapter.prompt("please [[one]]");
    await run.raised();
    run.adapter.cancel();
    expect(await asking).toMatchObject({ stopReason: "cancelled", problem: null });
    expect(made(run)).toBe(false);
    const speaking = run.adapter.prompt("please [[held]]");
    await waitFor(() => expect(run.shown()).toContain("A beginning"));
    run.adapter.cancel();
    expect(await speaking).toMatchObject({ stopReason: "cancelled" });
  });

  it("withdraws its question when it is killed", async () => {
    const run = await started(tool);
    const over = run.adapter.prompt("please [[one]]");
    const event = await run.raised();
    process.kill((await run.adapter.snapshotContext()).pid ?? 0, "SIGKILL");
    expect(await run.next("withdrawn")).toMatchObject({
      promptId: event.promptId,
      reason: "session_ended",
    });
    expect(await over).toMatchObject({ problem: "the tool ended" });
    expect(made(run)).toBe(false);
  });

  it("may say five million characters at once", async () => {
    const run = await started(tool);
    const { words } = await run.adapter.prompt("please [[big]]");
    expect(words.length).toBe(BIG);
  });

  it("goes on with its session in another process", async () => {
    const bench = await tool.bench();
    const first = await started(tool, { bench });
    await first.adapter.prompt("remember the word ARARAT");
    const session = first.adapter.toolSession;
    expect(session).not.toBeNull();
    await first.adapter.finish();
    const second = await started(tool, { bench, resume: session ?? "" });
    const over = second.adapter.prompt("please [[one]]");
    await answer(second, await second.raised(), "allow_once");
    expect(await over).toMatchObject({ problem: null });
    expect(second.adapter.toolSession).toBe(session);
    expect(bench.saw("ARARAT")).toBe(true);
    await second.dispose();
    await bench.close();
  });
});
