/** What real agents have us do for them, where files and terminals are offered: what comes of it on the disk, and what is refused. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentOffer } from "../../src/worker/adapter-format/acp-file.js";
import { openTool, granted, replyTo, type OpenAgent } from "../support/acp-agent.js";
import { passedIn, tapped, type Passed } from "../support/exchanges/tap.js";
import type { Scenario, ToolCall } from "../support/fake-model/script.js";
import { FakeModel } from "../support/fake-model/server.js";
import { gemini } from "../support/real-cli/gemini.js";
import { opencode } from "../support/real-cli/opencode.js";
import { claudeCodeAcp } from "../support/real-cli/protocol-agents.js";
import { qwen } from "../support/real-cli/qwen.js";
import type { RealTool } from "../support/real-cli/tool.js";
import { makeWorkspace, type Workspace } from "../support/real-cli/workspace.js";
import { waitFor } from "../support/wait-for.js";

vi.setConfig({ testTimeout: 120_000 });

interface ServedAgent {
  readonly label: string;
  readonly tool: RealTool;
  readonly args: readonly string[];
  readonly offers: readonly AgentOffer[];
  readonly write: (path: string, content: string) => ToolCall;
  readonly read?: (path: string) => ToolCall;
}

const call = (name: string, input: object): ToolCall => ({ name, input });
const writeFile = (path: string, content: string): ToolCall =>
  call("write_file", { file_path: path, content });

const CLAUDE: ServedAgent = {
  label: "claude-code-acp",
  tool: claudeCodeAcp,
  args: [],
  offers: ["read_files", "write_files", "terminals"],
  write: (path, content) => call("mcp__acp__Write", { file_path: path, content }),
  read: (path) => call("mcp__acp__Read", { file_path: path }),
};
const QWEN: ServedAgent = {
  label: "qwen",
  tool: qwen,
  args: ["--acp"],
  offers: ["read_files", "write_files"],
  write: writeFile,
  read: (path) => call("read_file", { file_path: path }),
};
const GEMINI: ServedAgent = {
  label: "gemini",
  tool: gemini,
  args: ["--acp"],
  offers: ["write_files"],
  write: writeFile,
};
const OPENCODE: ServedAgent = {
  label: "opencode",
  tool: opencode,
  args: ["acp"],
  offers: ["write_files"],
  write: (path, content) => call("write", { filePath: path, content }),
};

interface Served extends OpenAgent {
  readonly workspace: Workspace;
  readonly passed: () => readonly Passed[];
  /** The agent makes these calls in one turn, each allowed once; what they came to, as its model is told. */
  readonly make: (...calls: readonly ToolCall[]) => Promise<readonly string[]>;
}

const open: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.dispose();
});

/** `offers`: other ones than its own. */
async function served({ tool, args, ...agent }: ServedAgent, offers = agent.offers): Promise<Served> {
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const workspace = makeWorkspace();
  open.push(workspace);
  let calls: readonly ToolCall[] = [];
  const scenarios: Readonly<Record<string, Scenario>> = {
    calls: () => [...calls.map((each) => ({ text: "Now.", tools: [each] })), { text: "All done." }],
  };
  const { cwd } = workspace;
  const model = await FakeModel.start({ scenarios, cwd });
  open.push({ dispose: () => model.close() });
  const command = tool.prepare({ modules: installed.modules, modelUrl: model.url, workspace }, { args });
  const log = join(workspace.home, "passed");
  const talked = openTool(tapped(command, log), { services: { offers, offLimits: [] } });
  open.push(talked);
  await talked.adapter.ready;
  void allowAll(talked);
  const make: Served["make"] = async (...wanted) => {
    calls = wanted;
    expect((await talked.adapter.prompt("please [[calls]]")).problem).toBeNull();
    return model.toolResults("calls").map(({ text }) => text);
  };
  return { ...talked, workspace, passed: () => passedIn(log), make };
}

async function allowAll({ adapter, next }: OpenAgent): Promise<void> {
  for (let raised = await next("raised"); raised?.kind === "raised"; raised = await next("raised")) {
    const { event } = raised;
    const at = event.choices.findIndex(({ intent }) => intent === "allow_once");
    await adapter.injectReply(replyTo(event, String(at + 1)), granted);
  }
}

/** What it asked of us, by method. */
const asked = ({ passed }: Served): readonly string[] =>
  passed()
    .filter(({ by }) => by === "agent")
    .map(({ line }) => (JSON.parse(line) as { method?: string }).method ?? "")
    .filter((method) => /^(?:fs|terminal)\//.test(method));

const outside = ({ workspace }: Served): string => dirname(workspace.cwd);

describe.each([CLAUDE, QWEN, GEMINI, OPENCODE])("files for the real $label", (agent) => {
  it("are written by us, once it is allowed to: on the disk, shown, and kept for the record", async () => {
    const run = await served(agent);
    const file = join(run.workspace.cwd, "new.txt");
    await run.make(agent.write(file, "one\n日本\n"));
    expect(readFileSync(file, "utf8")).toBe("one\n日本\n");
    expect(asked(run)).toContain("fs/write_text_file");
    expect(run.shown()).toContain("wrote new.txt");
    const { answeredUnasked } = (await run.adapter.snapshotContext()) as unknown as Kept;
    expect(answeredUnasked).toContainEqual(
      expect.objectContaining({ rule: "fs/write_text_file", allowed: true }),
    );
  });

  it("are none of ours where they are not offered, and are written all the same", async () => {
    const run = await served(agent, []);
    const file = join(run.workspace.cwd, "new.txt");
    const write =
      agent === CLAUDE ? call("Write", { file_path: file, content: "x" }) : agent.write(file, "x");
    await run.make(write);
    expect(readFileSync(file, "utf8").trimEnd()).toBe("x");
    expect(run.shown()).not.toContain("wrote new.txt");
    // opencode asks without an offer, too; it is told that there is no such method.
    if (agent !== OPENCODE) expect(asked(run)).toEqual([]);
  });
});

interface Kept {
  readonly answeredUnasked: readonly unknown[];
}

describe.each([CLAUDE, QWEN])("places for the real $label", (agent) => {
  it("inside are read as they are", async () => {
    const run = await served(agent);
    const file = join(run.workspace.cwd, "text.txt");
    writeFileSync(file, "MARK ünï\n");
    expect((await run.make(agent.read?.(file) ?? call("none", {}))).join("\n")).toContain("MARK ünï");
    expect(asked(run)).toContain("fs/read_text_file");
    expect(run.shown()).toContain("read text.txt");
  });

  it("outside are refused, by name and behind a link, and its model is told", async () => {
    const run = await served(agent);
    const beyond = join(outside(run), "beyond");
    mkdirSync(beyond);
    symlinkSync(beyond, join(run.workspace.cwd, "link"));
    const told = await run.make(
      agent.write(join(beyond, "named.txt"), "x"),
      agent.write(join(run.workspace.cwd, "link", "linked.txt"), "x"),
    );
    expect(told).toHaveLength(2);
    for (const words of told) expect(words).toContain("outside of the workspace");
    expect(existsSync(join(beyond, "named.txt"))).toBe(false);
    expect(existsSync(join(beyond, "linked.txt"))).toBe(false);
  });
});

it("the real qwen reads no other encoding through us, as it does by itself", async () => {
  const told: string[] = [];
  for (const offers of [QWEN.offers, []]) {
    const run = await served(QWEN, offers);
    const file = join(run.workspace.cwd, "latin.txt");
    writeFileSync(
      file,
      Buffer.from("MARK f\u00fcr die Stra\u00dfe, sch\u00f6n und gr\u00fcn\n".repeat(20), "latin1"),
    );
    told.push((await run.make(QWEN.read?.(file) ?? call("none", {}))).join("\n"));
  }
  expect(told[0]).toContain("no UTF-8 text");
  expect(told[1]).toContain("MARK");
});

it("the real gemini does not write a new file where reading is offered: it does not take our word that there is none", async () => {
  const run = await served(GEMINI, ["read_files", "write_files"]);
  const file = join(run.workspace.cwd, "new.txt");
  const told = await run.make(GEMINI.write(file, "x"));
  expect(asked(run)).toEqual(["fs/read_text_file", "fs/read_text_file"]);
  expect(told.join("\n")).toContain("Resource not found");
  expect(existsSync(file)).toBe(false);
});

describe("terminals for the real claude-code-acp", () => {
  const bash = (command: string, more: object = {}): ToolCall =>
    call("mcp__acp__Bash", { command, description: "as asked", timeout: 60_000, ...more });

  it("run its commands in the workspace, with a terminal, and what they print is read and shown", async () => {
    const run = await served(CLAUDE);
    const told = await run.make(bash("test -t 1 && echo in $(pwd) > made.txt; echo wörter; exit 3"));
    expect(readFileSync(join(run.workspace.cwd, "made.txt"), "utf8")).toBe(`in ${run.workspace.cwd}\n`);
    expect(told.join("\n")).toMatch(/code 3[^]*wörter/);
    expect(run.shown()).toContain("→ exit 3");
    expect(asked(run)).toEqual([
      "terminal/create",
      "terminal/wait_for_exit",
      "terminal/output",
      "terminal/release",
    ]);
  });

  it("keep the latest of a long output, whole characters within the bytes that it wants", async () => {
    const run = await served(CLAUDE);
    await run.make(bash("for i in $(seq 4000); do printf 'a日本語'; done; printf END"));
    const { output, truncated } = answerTo(run, "terminal/output") as { output: string; truncated: boolean };
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(32_000);
    expect(Buffer.byteLength(output)).toBeGreaterThan(32_000 - 4);
    expect(output).toMatch(/^(?:日本語|本語|語)?(?:a日本語)+END$/);
  });

  it("are killed with all that they started when it says so", async () => {
    const run = await served(CLAUDE);
    await run.make(
      bash("sleep 600 & echo $! > pid; wait", { run_in_background: true }),
      bash("until [ -s pid ]; do sleep 0.1; done"),
      call("mcp__acp__KillShell", { shell_id: "terminal-1" }),
    );
    expect(asked(run)).toContain("terminal/kill");
    const pid = Number(readFileSync(join(run.workspace.cwd, "pid"), "utf8"));
    await waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
  });
});

/** What we answered to its latest request of that method. */
function answerTo({ passed }: Served, method: string): unknown {
  const lines = passed().map(({ by, line }) => ({ by, ...(JSON.parse(line) as Message) }));
  const request = lines.findLast((line) => line.by === "agent" && line.method === method);
  return lines.find((line) => line.by === "us" && line.method === undefined && line.id === request?.id)
    ?.result;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
}
