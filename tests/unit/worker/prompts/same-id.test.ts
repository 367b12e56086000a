/** Two requests with one id are both refused where the first still waits, in every protocol. */
import { makePendingRequests } from "../../../support/pending-requests.js";
import { NO_CONSOLES } from "../../../support/no-consoles.js";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { systemClock } from "../../../../src/observe/clock.js";
import { systemRandom } from "../../../../src/observe/random.js";
import { AgentConnection } from "../../../../src/worker/integrations/acp/agent-connection.js";
import {
  createRequestHandlers,
  toWithdrawReason,
} from "../../../../src/worker/integrations/acp/agent-requests.js";
import { isWithdrawReason } from "../../../../src/sdk/adapter.js";
import { CodexExecClient } from "../../../../src/worker/integrations/codex/exec-client.js";
import type { ExecClientParts } from "../../../../src/worker/runtimes/exec/exec-client.js";
import { ClaudeExecClient } from "../../../../src/worker/integrations/claude/exec-client.js";
import { McpAdapter } from "../../../../src/worker/integrations/mcp/mcp-adapter.js";
import { PERMISSION_TOOL } from "../../../../src/worker/integrations/mcp/tools.js";
import type { PendingRequests } from "../../../../src/worker/prompts/pending-requests.js";
import { waitFor } from "../../../support/wait-for.js";

const sessionId = asId<SessionId>("5f0c6a4e-8a54-4f0a-9b43-0b7e5c1d2e3f");
const disposals: (() => unknown)[] = [];
afterEach(() => Promise.all(disposals.splice(0).map((dispose) => dispose())));

interface Peer {
  readonly tell: (message: object) => void;
  /** What it was answered. */
  readonly said: () => Record<string, unknown>[];
  readonly raised: PromptEvent[];
  /** Why its prompts ended. */
  readonly withdrawn: () => unknown[];
  readonly pendingRequests: PendingRequests;
}

interface Pipes extends Peer {
  readonly input: PassThrough;
  readonly output: PassThrough;
}

function pipes(): Pipes {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let sent = "";
  input.on("data", (bytes: Buffer) => (sent += bytes.toString()));
  const raised: PromptEvent[] = [];
  const onWithdrawn = vi.fn();
  const pendingRequests = makePendingRequests(
    {
      onRaised: (event) => raised.push(event),
      onWithdrawn,
      withdrawReasonFor: (reason) => (isWithdrawReason(reason) ? reason : toWithdrawReason(reason)),
    },
    sessionId,
  );
  return {
    input,
    output,
    pendingRequests,
    raised,
    tell: (message) => void output.write(`${JSON.stringify(message)}\n`),
    said: () =>
      sent
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    withdrawn: () => onWithdrawn.mock.calls.map(([, reason]) => reason as unknown),
  };
}

function parts({ input, output, pendingRequests }: Pipes): ExecClientParts {
  const [cwd, version] = ["/w", "1"];
  const known = {
    input,
    output,
    pendingRequests,
    cwd,
    version,
    clock: systemClock,
    context: null,
    resume: null,
  };
  return { ...known, silenceMs: 60_000, onActivity: () => undefined, onHung: () => undefined };
}

function appServer(): Peer {
  const made = pipes();
  new CodexExecClient({ ...parts(made), show: [] });
  return made;
}

function streamJson(): Peer {
  const made = pipes();
  new ClaudeExecClient({ ...parts(made), rules: null, show: [], sessionIn: [] });
  return made;
}

function acp(): Peer {
  const made = pipes();
  const autoDecide = () => Promise.resolve(null);
  const handlers = createRequestHandlers({
    ...{
      cwd: "/w",
      pendingRequests: made.pendingRequests,
      requests: {},
      calls: { find: () => undefined, onReport: () => () => undefined },
      autoDecide,
      services: {},
    },
  });
  const { input, output } = made;
  const connection = new AgentConnection({
    ...{ input, output, handlers, onMessage: () => undefined, onUpdate: () => undefined },
  });
  disposals.push(() => connection.close());
  return made;
}

function makePermission(id: unknown, command: string): object {
  const options = [{ optionId: "a", name: "Yes", kind: "allow_once" }];
  const toolCall = { toolCallId: command, title: command, kind: "execute" };
  const params = { sessionId: "s", toolCall, options };
  return { jsonrpc: "2.0", id, method: "session/request_permission", params };
}

const TOOLS: readonly (readonly [string, () => Peer, (id: string, command: string) => object])[] = [
  [
    "an app server",
    appServer,
    (id, command) => ({
      id,
      method: "item/commandExecution/requestApproval",
      params: { threadId: "t", itemId: command, command },
    }),
  ],
  [
    "a tool of lines of JSON",
    streamJson,
    (id, command) => ({
      type: "control_request",
      request_id: id,
      request: { subtype: "can_use_tool", tool_name: "Bash", input: { command } },
    }),
  ],
  ["an agent of ACP", acp, makePermission],
];

/** No answer that was sent lets anything happen. */
function allowsNothing(said: readonly Record<string, unknown>[]): boolean {
  return !/"accept|"allow"|"selected"/.test(JSON.stringify(said));
}

describe("two requests that have one id", () => {
  it.each(TOOLS)("are both refused, and nobody answers either: %s", async (_, connect, request) => {
    const peer = connect();
    peer.tell(request("same", "ls"));
    await waitFor(() => expect(peer.raised).toHaveLength(1));
    peer.tell(request("same", "rm -rf /"));
    await waitFor(() => expect(peer.said()).toHaveLength(2));
    expect(peer.raised).toHaveLength(1);
    // Nothing says that the tool withdrew it: both were refused by us.
    expect(peer.withdrawn()).toEqual(["same_id"]);
    expect(peer.pendingRequests.answerHere(peer.raised[0]?.promptId as never, "1")?.code).toBe("withdrawn");
    expect(allowsNothing(peer.said())).toBe(true);
  });

  it.each(TOOLS)("are so also where the second cannot be shown: %s", async (_, connect, request) => {
    const peer = connect();
    peer.tell(request("same", "ls"));
    await waitFor(() => expect(peer.raised).toHaveLength(1));
    const unreadable = JSON.parse(JSON.stringify(request("same", "x")).replace('"x"', "null")) as object;
    peer.tell({ ...unreadable, ...("method" in unreadable && { method: "none/such" }) });
    await waitFor(() => expect(peer.said()).toHaveLength(2));
    expect(peer.pendingRequests.isAsking).toBe(false);
    expect(allowsNothing(peer.said())).toBe(true);
  });

  it.each(TOOLS)("show what is hidden before they are approved here: %s", async (_, connect, request) => {
    const peer = connect();
    const secret = ["npm", "_", "abcdefGHIJKLmnop0123456789QRSTUVWXYZ"].join("");
    peer.tell(request("one", `echo ${secret}`));
    await waitFor(() => expect(peer.raised).toHaveLength(1));
    const promptId = peer.raised[0]?.promptId as never;
    const refused = peer.pendingRequests.answerHere(promptId, "1");
    expect(refused?.code).toBe("hidden");
    expect(refused?.text).toContain(`echo ${secret}`);
    expect(peer.said()).toEqual([]);
    expect(peer.pendingRequests.answerHere(promptId, "1")).toBeNull();
  });

  it.each(TOOLS)("are two prompts where the first was answered before: %s", async (_, connect, request) => {
    const peer = connect();
    for (const [at, command] of ["ls", "pwd"].entries()) {
      peer.tell(request("same", command));
      await waitFor(() => expect(peer.raised).toHaveLength(at + 1));
      expect(peer.pendingRequests.answerHere(peer.raised[at]?.promptId as never, "1")).toBeNull();
      await waitFor(() => expect(peer.said()).toHaveLength(at + 1));
    }
    expect(peer.said().every((message) => !allowsNothing([message]))).toBe(true);
  });

  it("are both refused to a client of MCP", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let sent = "";
    output.on("data", (bytes: Buffer) => (sent += bytes.toString()));
    const adapter = new McpAdapter({
      ...{ sessionId, input, output, cwd: "/w", clock: systemClock, random: systemRandom, version: "1" },
      safeText: (text) => text,
      expiresAfterMs: 0,
      reach: () =>
        Promise.resolve({
          tool: "x",
          rules: null,
          problem: null,
          notify: () => Promise.resolve(0),
          consoles: NO_CONSOLES,
        }),
    });
    await adapter.startSession();
    const ends: unknown[] = [];
    const listening = (async () => {
      for await (const event of adapter.events()) if (event.kind === "withdrawn") ends.push(event.reason);
    })();
    const call = (command: string): void => {
      const params = { name: PERMISSION_TOOL, arguments: { tool_name: "Bash", input: { command } } };
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params })}\n`);
    };
    call("ls");
    await waitFor(() => expect(adapter.snapshotContext()).resolves.toMatchObject({ waitsForInput: true }));
    call("rm -rf /");
    await waitFor(() => expect(sent.trimEnd().split("\n")).toHaveLength(2));
    expect(sent).not.toContain("allow");
    // Nobody was given any time.
    expect(sent).not.toContain("in time");
    expect(sent).toContain("withdrawn before anybody answered");
    await expect(adapter.snapshotContext()).resolves.toMatchObject({ waitsForInput: false });
    await adapter.terminateSession(sessionId);
    await listening;
    expect(ends).toEqual(["same_id"]);
  });
});

it("a permission mode does not allow a request that the agent has withdrawn", async () => {
  const stop = new AbortController();
  const allow = (option: unknown) => ({ kind: "allow", option, rule: "auto_approve" }) as never;
  const handlers = createRequestHandlers({
    ...{
      cwd: "/w",
      pendingRequests: pipes().pendingRequests,
      requests: {},
      calls: { find: () => undefined, onReport: () => () => undefined },
      services: {},
    },
    autoDecide: (request) => {
      stop.abort();
      return Promise.resolve(allow(request.options[0]));
    },
  });
  const { params } = makePermission(1, "ls") as { params: Record<string, unknown> };
  await expect(handlers["session/request_permission"]?.(params, stop.signal)).resolves.toEqual({
    outcome: { outcome: "cancelled" },
  });
});
