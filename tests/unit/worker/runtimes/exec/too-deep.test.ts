/** A call that is nested too deeply to be shown, or about which nobody can be asked, is refused, and the session goes on. */
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { CodexExecClient } from "../../../../../src/worker/integrations/codex/exec-client.js";
import type { ExecClientParts } from "../../../../../src/worker/runtimes/exec/exec-client.js";
import { ClaudeExecClient } from "../../../../../src/worker/integrations/claude/exec-client.js";
import { waitFor } from "../../../../support/wait-for.js";

const DEEP = `${'{"a":'.repeat(6000)}1${"}".repeat(6000)}`;
const NOTICE = { kind: "notice", text: "(a message was nested too deep to be read)" };

/** What a tool's end of the pipes sees, and people. */
function pipes(ask: () => Promise<never> = () => Promise.reject(new Error("nobody is asked"))) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  input.on("data", (bytes: Buffer) => lines.push(...bytes.toString().trimEnd().split("\n")));
  const onActivity = vi.fn();
  const parts: ExecClientParts = {
    input,
    output,
    pendingRequests: { isAsking: false, ask } as never,
    clock: new ManualClock(),
    cwd: "/w",
    version: "1",
    context: null,
    resume: null,
    silenceMs: 60_000,
    onActivity,
    onHung: () => undefined,
  };
  const said = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);
  return { parts, onActivity, said, tell: (line: string) => void output.write(`${line}\n`) };
}

const streamJson = (parts: ExecClientParts) =>
  new ClaudeExecClient({ ...parts, rules: null, show: [], sessionIn: [] });
const permission = (id: string, input: string) =>
  `{"type":"control_request","request_id":"${id}","request":{"subtype":"can_use_tool","tool_name":"X","input":${input}}}`;

describe("a call that is nested too deeply to be shown", () => {
  it("is refused for a tool of lines of JSON", async () => {
    const { parts, onActivity, said, tell } = pipes();
    streamJson(parts);
    tell(permission("a", DEEP));
    tell(`{"type":"control_request","request_id":"b","request":{"subtype":"other","x":${DEEP}}}`);
    tell(
      `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"X","input":${DEEP}}]}}`,
    );
    await waitFor(() => expect(onActivity).toHaveBeenCalledTimes(3));
    expect(said()).toMatchObject([
      { response: { request_id: "a", response: { behavior: "deny" } } },
      { response: { request_id: "b", subtype: "error" } },
    ]);
    expect(onActivity).toHaveBeenLastCalledWith(NOTICE);
  });

  it("is refused for a server of threads, where such an answer does not count", async () => {
    const { parts, onActivity, said, tell } = pipes();
    const server = new CodexExecClient({ ...parts, show: [] });
    const opening = server.open();
    tell(`{"id":7,"method":"item/commandExecution/requestApproval","params":{"x":${DEEP}}}`);
    tell(`{"method":"item/started","params":{"x":${DEEP}}}`);
    tell(`{"id":1,"result":{"x":${DEEP}}}`);
    await expect(opening).rejects.toThrow("nested too deep");
    expect(onActivity).toHaveBeenCalledTimes(3);
    expect(said()).toMatchObject([{ method: "initialize" }, { id: 7, error: { code: -32601 } }]);
  });
});

describe("a call about which nobody can be asked", () => {
  it("is refused, and the session goes on", async () => {
    const { parts, said, tell } = pipes();
    streamJson(parts);
    tell(permission("a", '{"command":"ls"}'));
    tell(permission("b", '{"command":"ls"}'));
    await waitFor(() => expect(said()).toHaveLength(2));
    expect(said()).toMatchObject(
      ["a", "b"].map((id) => ({ response: { request_id: id, response: { behavior: "deny" } } })),
    );
  });

  it("is refused to a server of threads", async () => {
    const { parts, said, tell } = pipes();
    new CodexExecClient({ ...parts, show: [] });
    tell('{"id":7,"method":"item/commandExecution/requestApproval","params":{"itemId":"i","command":"ls"}}');
    await waitFor(() => expect(said()).toMatchObject([{ id: 7, error: { code: -32601 } }]));
  });
});
