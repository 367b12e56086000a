/**
 * An agent may have a limited number of open prompts, and make a limited number within ten minutes. It is told why a further one
 * is refused.
 */
import { NO_CONSOLES } from "../../../../support/no-consoles.js";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { systemRandom } from "../../../../../src/observe/random.js";
import {
  CallAllowance,
  NOTICES_MAX,
  OPEN_MAX,
  PERMISSIONS_MAX,
  QUESTIONS_MAX,
  STARTS_MAX,
  WITHIN_MS,
} from "../../../../../src/worker/integrations/mcp/allowances.js";
import { McpAdapter } from "../../../../../src/worker/integrations/mcp/mcp-adapter.js";
import { asId, type SessionId } from "../../../../../src/model/ids.js";
import { waitFor } from "../../../../support/wait-for.js";

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text: string }[];
  };
}

const STARTED = { consoleId: "c1", tool: "bash", label: null, cwd: "/", status: null };

/** An agent that calls without end, on a clock of its own. Nobody answers it. */
async function agent() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const clock = new ManualClock();
  const adapter = new McpAdapter({
    sessionId: asId<SessionId>("s1"),
    ...{ input, output, clock, cwd: "/", version: "1", expiresAfterMs: 0, random: systemRandom },
    safeText: (text) => text,
    reach: () =>
      Promise.resolve({
        tool: "agent",
        rules: null,
        problem: null,
        notify: () => Promise.resolve(1),
        consoles: {
          ...NO_CONSOLES,
          mustAskToStart: () => Promise.resolve(false),
          start: () => Promise.resolve(STARTED),
        },
      }),
  });
  await adapter.startSession();
  const waiting = new Map<number, (answer: NonNullable<Answer["result"]>) => void>();
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id = -1, result } = JSON.parse(line) as Answer;
      if (result) waiting.get(id)?.(result);
      waiting.delete(id);
    }
  });
  let count = 0;
  const send = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, params: object): Promise<NonNullable<Answer["result"]>> => {
    const id = ++count;
    send({ id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const clientInfo = { name: "agent", version: "1" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const call = (name: string, args: object) => request("tools/call", { name, arguments: args });
  const cancel = (): void => {
    for (const requestId of waiting.keys())
      send({ method: "notifications/cancelled", params: { requestId } });
    waiting.clear();
  };
  /** When all calls so far were looked at. */
  const seen = (): Promise<unknown> => request("ping", {});
  return { call, cancel, seen, clock, adapter, open: () => waiting.size };
}

const asking = { question: "Which colour?" };
const permission = { tool_name: "Bash", input: { command: "ls" } };

describe("an agent that asks without a limit", () => {
  it("has a limited number of open prompts, and is told why the next one is refused", async () => {
    const { call, seen, open, adapter } = await agent();
    for (let n = 0; n < OPEN_MAX; n += 1) void call("ask_human", asking);
    const more = await call("ask_human", asking);
    expect(more).toMatchObject({ isError: true });
    expect(more.content?.[0]?.text).toMatch(/10 questions already wait for an answer/);
    const refused = await call("permission_prompt", permission);
    expect(JSON.parse(refused.content?.[0]?.text ?? "")).toMatchObject({ behavior: "deny" });
    await seen();
    expect(open()).toBe(OPEN_MAX);
    await waitFor(async () => expect((await adapter.snapshotContext())["promptCount"]).toBe(OPEN_MAX));
  });

  it.each([
    ["ask_human", asking, QUESTIONS_MAX],
    ["permission_prompt", permission, PERMISSIONS_MAX],
  ] as const)("of %s may ask so many in ten minutes", async (name, args, max) => {
    const { call, cancel, seen, clock, adapter } = await agent();
    const asked = async (): Promise<unknown> => (await adapter.snapshotContext())["promptCount"];
    for (let n = 0; n < max; n += 1) {
      void call(name, args);
      await seen();
      cancel();
      await seen();
    }
    await waitFor(async () => expect(await asked()).toBe(max));
    expect((await call(name, args)).content?.[0]?.text).toMatch(
      /the limit is \d+ (?:questions|messages) in 10 minutes/,
    );
    expect(await asked()).toBe(max);
    clock.advance(WITHIN_MS);
    void call(name, args);
    await seen();
    await waitFor(async () => expect(await asked()).toBe(max + 1));
  });
});

it("an agent whose starts nobody is asked about may start so many sessions in ten minutes", async () => {
  const { call } = await agent();
  for (let n = 0; n < STARTS_MAX; n += 1)
    expect((await call("start_session", { program: "bash" })).isError).toBeUndefined();
  const more = await call("start_session", { program: "bash" });
  expect(more.content?.[0]?.text).toBe("the limit is 20 sessions in 10 minutes; this one was not started");
});

describe("an allowance of an agent", () => {
  it("counts what was taken in the last ten minutes, and not what was refused", () => {
    const clock = new ManualClock();
    const notices = new CallAllowance(clock, NOTICES_MAX);
    for (let n = 0; n < NOTICES_MAX; n += 1) expect(notices.take()).toBe(true);
    for (let n = 0; n < 100; n += 1) expect(notices.take()).toBe(false);
    clock.advance(WITHIN_MS);
    expect(notices.take()).toBe(true);
  });
});
