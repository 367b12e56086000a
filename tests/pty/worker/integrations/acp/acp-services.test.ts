/**
 * An agent gets files and commands of its workspace only as far as they were offered. Commands end with their agent or with the
 * session.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { scriptedAgent, type OpenAgent } from "../../../../support/acp-agent.js";
import type { AutoDecision } from "../../../../../src/worker/integrations/acp/permission/auto-decider.js";
import { waitFor } from "../../../../support/wait-for.js";

const open: OpenAgent[] = [];

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

interface Served extends OpenAgent {
  readonly recorded: readonly AutoDecision[];
  /** Has the agent ask that of us; what it is answered. */
  readonly call: (method: string, params: object) => Promise<Record<string, unknown>>;
}

async function served(offers: readonly ("read_files" | "write_files" | "terminals")[]): Promise<Served> {
  const recorded: AutoDecision[] = [];
  const record = (decision: AutoDecision): Promise<void> => {
    recorded.push(decision);
    return Promise.reject(new Error("no hub is there"));
  };
  const permissions = { policy: { mode: "ask" as const, allowlist: [] }, record };
  const agent = scriptedAgent("tasks", { permissions, services: { offers, offLimits: [] } });
  open.push(agent);
  await agent.adapter.ready;
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const before = agent.noted().length;
    const turn = await agent.adapter.prompt(`call ${method} ${JSON.stringify(params)}`);
    if (turn.problem !== null) throw new Error(turn.problem);
    await waitFor(() => expect(agent.noted().length).toBe(before + 1));
    return JSON.parse(agent.noted().at(-1) ?? "{}") as Record<string, unknown>;
  };
  return { ...agent, recorded, call };
}

/** What was offered in the greeting. */
function offered({ noted }: OpenAgent): unknown {
  const greeting = noted().find((line) => line.startsWith("initialize ")) ?? "";
  const { clientCapabilities } = JSON.parse(greeting.slice("initialize ".length)) as {
    clientCapabilities: { fs: unknown; terminal: unknown };
  };
  return [clientCapabilities.fs, clientCapabilities.terminal];
}

const terminal = async (agent: Served, params: object): Promise<{ terminalId: string }> =>
  (await agent.call("terminal/create", params)) as { terminalId: string };

describe("files for an agent", () => {
  it("are served and shown to watching clients, and writes are put on record", async () => {
    const agent = await served(["read_files", "write_files"]);
    expect(offered(agent)).toEqual([{ readTextFile: true, writeTextFile: true }, false]);
    const path = join(agent.folder, "a.txt");
    writeFileSync(path, "one\ntwo\n");
    expect(await agent.call("fs/read_text_file", { path, line: 2 })).toEqual({ content: "two\n" });
    expect(await agent.call("fs/write_text_file", { path, content: "new" })).toEqual({});
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(await agent.call("fs/read_text_file", { path: "/etc/hostname" })).toMatchObject({
      code: -32602,
      message: expect.stringContaining("outside of the workspace") as string,
    });
    expect(agent.shown()).toContain("↳ read a.txt\n");
    expect(agent.shown()).toContain("↳ wrote a.txt\n");
    expect(agent.recorded).toMatchObject([{ rule: "fs/write_text_file", allowed: true }]);
    const { answeredUnasked } = (await agent.adapter.snapshotContext()) as unknown as {
      answeredUnasked: readonly AutoDecision[];
    };
    expect(answeredUnasked).toEqual(agent.recorded);
  });

  it("and commands are unknown methods where they were not offered", async () => {
    const agent = await served(["read_files"]);
    expect(offered(agent)).toEqual([{ readTextFile: true, writeTextFile: false }, false]);
    const path = join(agent.folder, "a.txt");
    expect(await agent.call("fs/write_text_file", { path, content: "x" })).toMatchObject({ code: -32601 });
    expect(await agent.call("terminal/create", { command: "true" })).toMatchObject({ code: -32601 });
    expect(existsSync(path)).toBe(false);
  });
});

describe("commands for an agent", () => {
  it("run in a terminal of their own, in the workspace, with its environment, and tell how they ended", async () => {
    const agent = await served(["terminals"]);
    mkdirSync(join(agent.folder, "sub"));
    const script = 'test -t 1 && echo "$NAME in $(pwd)"; echo mark:$ATLASBRIDGE_SESSION; exit 3';
    const { terminalId } = await terminal(agent, {
      command: "sh",
      args: ["-c", script],
      env: [
        { name: "NAME", value: "é" },
        { name: "ATLASBRIDGE_SESSION", value: "" },
      ],
      cwd: join(agent.folder, "sub"),
    });
    expect(await agent.call("terminal/wait_for_exit", { terminalId })).toEqual({ exitCode: 3, signal: null });
    const { sessionId } = await agent.adapter.snapshotContext();
    expect(await agent.call("terminal/output", { terminalId })).toEqual({
      output: `é in ${realpathSync(agent.folder)}/sub\nmark:${sessionId}\n`,
      truncated: false,
      exitStatus: { exitCode: 3, signal: null },
    });
    expect(agent.shown()).toContain("→ exit 3\n");
    expect(agent.recorded).toMatchObject([{ rule: "terminal/create", allowed: true }]);
    expect(await agent.call("terminal/release", { terminalId })).toEqual({});
    expect(await agent.call("terminal/output", { terminalId })).toMatchObject({ code: -32602 });
  });

  it("may be a line for a shell, and see the end of input as nobody types into them", async () => {
    const agent = await served(["terminals"]);
    const { terminalId } = await terminal(agent, { command: "cat; printf 'read %s' all | tr a-z A-Z" });
    expect(await agent.call("terminal/wait_for_exit", { terminalId })).toEqual({ exitCode: 0, signal: null });
    expect(await agent.call("terminal/output", { terminalId })).toMatchObject({ output: "READ ALL" });
  });

  it("keep the end of a long output, whole characters within the wanted bytes", async () => {
    const agent = await served(["terminals"]);
    const { terminalId } = await terminal(agent, { command: "printf 'xxxx日本語'", outputByteLimit: 8 });
    await agent.call("terminal/wait_for_exit", { terminalId });
    expect(await agent.call("terminal/output", { terminalId })).toMatchObject({
      output: "本語",
      truncated: true,
    });
  });

  it("are ended by their agent with all that they started, and can still be asked about", async () => {
    const agent = await served(["terminals"]);
    const { terminalId } = await terminal(agent, { command: "sleep 600 & echo $! > pid; wait" });
    const file = join(agent.folder, "pid");
    await waitFor(() => expect(readFileSync(file, "utf8")).toMatch(/\d\n/));
    expect(await agent.call("terminal/output", { terminalId })).toEqual({ output: "", truncated: false });
    expect(await agent.call("terminal/kill", { terminalId })).toEqual({});
    expect(await agent.call("terminal/wait_for_exit", { terminalId })).toEqual({
      exitCode: null,
      signal: "SIGTERM",
    });
    await gone(Number(readFileSync(file, "utf8")));
  });

  it("end with the session, also where they ignore signals", async () => {
    const agent = await served(["terminals"]);
    await terminal(agent, { command: "trap '' TERM HUP; sleep 600 & echo $! > pid; wait" });
    const file = join(agent.folder, "pid");
    await waitFor(() => expect(readFileSync(file, "utf8")).toMatch(/\d\n/));
    const pid = Number(readFileSync(file, "utf8"));
    await agent.dispose();
    open.splice(0);
    await gone(pid);
  });

  it.each([
    ["a folder outside", { command: "pwd", cwd: "/" }, /outside of the workspace/],
    ["a program that is not there", { command: "no-such-program", args: ["x"] }, /was not found/],
    ["no command", { command: "" }, /have to be texts/],
    ["arguments that are none", { command: "ls", args: [7] }, /have to be texts/],
    [
      "a variable with an equals sign",
      { command: "ls", env: [{ name: "A=B", value: "" }] },
      /names and values/,
    ],
  ])("are refused in plain words: %s", async (_, params, words) => {
    const agent = await served(["terminals"]);
    expect((await agent.call("terminal/create", params))["message"]).toMatch(words);
    expect(agent.recorded).toEqual([]);
  });
});

async function gone(pid: number): Promise<void> {
  await waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
}
