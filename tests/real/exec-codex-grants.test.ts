/** What the real codex wants to be granted besides commands and edits, without its interface: asked, and done or not done. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadAdapter, getPackagePlace } from "../../src/plugins/adapters/adapters.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import type { ExecAdapter } from "../../src/worker/runtimes/exec/exec-adapter.js";
import { granted, replyTo } from "../support/acp-agent.js";
import { exec, MCP } from "../support/corpus/codex/moves.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { headlessAdapter } from "../support/headless-agent.js";
import { codex } from "../support/real-cli/codex.js";
import { makeWorkspace } from "../support/real-cli/workspace.js";
import { readSession, type ReadSession } from "../support/spoken-session.js";
import { waitFor } from "../support/wait-for.js";

vi.setConfig({ testTimeout: 120_000 });

const turn =
  (...calls: readonly ToolCall[]): Scenario =>
  () => [...calls.map((call) => ({ text: "Next.", tools: [call] })), { text: "All done." }];

const deploy = (target: string): ToolCall => ({ name: "mcp__ops__deploy", input: { target } });

/** In one program of code mode: a command, and input for it while it runs. */
const typing: ToolCall = {
  name:
    "exec_command; const both = async (given) => { const { session_id } = await tools.exec_command(given); " +
    'return tools.write_stdin({ session_id, chars: "touch typed.txt\\n", yield_time_ms: 1000 }); }; const r0 = await both',
  input: exec("sh", { tty: true, yield_time_ms: 300 }).input,
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tool: turn(deploy("one"), deploy("two")),
  wider: turn({
    name: "request_permissions",
    input: { reason: "to fetch it", permissions: { network: { enabled: true } } },
  }),
  typing: turn(typing),
};

interface Running extends ReadSession {
  readonly adapter: ExecAdapter;
  readonly model: FakeModel;
  readonly cwd: string;
}

const running: Running[] = [];
afterEach(async () => {
  for (const { dispose } of running.splice(0)) await dispose();
});

async function started(): Promise<Running> {
  const installed = await codex.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  const { cwd } = workspace;
  const model = await FakeModel.start({ scenarios: SCENARIOS, cwd });
  const tables = [...MCP, "[features]", "request_permissions_tool = true"];
  const setting = { modules: installed.modules, modelUrl: model.url, workspace };
  const { file, env } = codex.prepare(setting, { tables });
  const made = headlessAdapter(await loadAdapter("codex", getPackagePlace()), cwd, { environment: env });
  await made.adapter.startSession([file, "app-server"]);
  const session = readSession(made);
  const run: Running = {
    ...session,
    ...{ adapter: made.adapter, model, cwd },
    dispose: async () => {
      await session.dispose();
      await model.close();
      await workspace.dispose();
    },
  };
  running.push(run);
  await made.adapter.ready;
  return run;
}

const answer = (run: Running, event: PromptEvent, label: RegExp) =>
  run.adapter.injectReply(
    replyTo(event, String(event.choices.findIndex((each) => label.test(each.label)) + 1)),
    granted,
  );

const results = ({ model }: Running, scenario: string): string => JSON.stringify(model.toolResults(scenario));

describe("the real codex without its interface", () => {
  it("asks before it calls a tool of an MCP server, with its arguments; once is once", async () => {
    const run = await started();
    const over = run.adapter.prompt("please [[tool]]");
    const first = await run.raised();
    expect(first).toMatchObject({
      safetyClass: "permission",
      excerpt: expect.stringContaining("ops MCP server") as string,
    });
    expect(first.content.text).toContain("target: one");
    expect(await answer(run, first, /^Yes$/)).toMatchObject({ receipt: { outcome: "answered" } });
    const second = await run.raised();
    expect(second.content.text).toContain("target: two");
    await answer(run, second, /^No$/);
    expect(await over).toMatchObject({ problem: null, callsDone: 1, denials: 1 });
    expect(results(run, "tool")).toMatch(/deployed.{0,2000}rejected/);
  });

  it("does not ask again for a tool that was allowed for the session", async () => {
    const run = await started();
    const over = run.adapter.prompt("please [[tool]]");
    await answer(run, await run.raised(), /in this session/);
    expect(await over).toMatchObject({ problem: null, callsDone: 2 });
    expect((await run.adapter.snapshotContext()).promptCount).toBe(1);
  });

  it("asks for wider permissions, and is granted what it asked for, or nothing", async () => {
    for (const [label, outcome] of [
      [/for this turn/, '"enabled'],
      [/^No$/, '"network'],
    ] as const) {
      const run = await started();
      const over = run.adapter.prompt("please [[wider]]");
      const event = await run.raised();
      expect(event.content.text).toContain('"enabled": true');
      await answer(run, event, label);
      await over;
      const told = results(run, "wider").replaceAll("\\", "");
      expect(told).toContain(outcome);
      expect(told.includes('"enabled":true')).toBe(outcome === '"enabled');
    }
  });

  it("asks before it types into a program that runs, as what it is", async () => {
    const run = await started();
    const over = run.adapter.prompt("please [[typing]]");
    await answer(run, await run.raised(), /^Yes$/);
    const event = await run.raised();
    expect(event.excerpt).toBe("Send this input to the running program?");
    expect(event.content.text).toContain("touch typed.txt");
    expect(existsSync(join(run.cwd, "typed.txt"))).toBe(false);
    await answer(run, event, /^Yes$/);
    expect((await over).problem).toBeNull();
    await waitFor(() => expect(existsSync(join(run.cwd, "typed.txt"))).toBe(true));
  });
});
