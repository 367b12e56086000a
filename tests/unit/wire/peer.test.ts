/**
 * A wire peer makes calls with time limits, handles requests of a connection in order and within bounds, and serves on after
 * malformed lines.
 */
import { duplexPair } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import * as v from "valibot";
import { AtlasBridgeError } from "../../../src/model/errors.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { serve, UNANSWERED_MAX, type Handlers } from "../../../src/wire/incoming.js";
import { LINE_BYTES_MAX } from "../../../src/wire/messages.js";
import { CALL_TIMEOUT_MS } from "../../../src/wire/outgoing.js";
import { Peer, UNSENT_BYTES_MAX, type Fault } from "../../../src/wire/peer.js";
import { waitFor } from "../../support/wait-for.js";

const TABLE = {
  echo: { params: v.strictObject({ text: v.string() }), result: v.strictObject({ text: v.string() }) },
  wait: { params: v.strictObject({}), result: v.strictObject({}), waits: true },
} as const;
type Table = typeof TABLE;

function pair(handlers: Partial<Handlers<Table>> = {}) {
  const [near, far] = duplexPair();
  const clock = new ManualClock();
  const faults: Fault[] = [];
  const answered: string[] = [];
  const service = serve(
    TABLE,
    { echo: (params) => params, wait: () => new Promise<never>(() => undefined), ...handlers },
    { answered: (method) => answered.push(method) },
  );
  const server = new Peer(far, { remote: {}, service, clock, onFault: (fault) => faults.push(fault) });
  const client = new Peer(near, { remote: TABLE, clock });
  return { client, server, clock, near, far, faults, answered };
}

/** A server peer and the bare other end of its stream. */
function bare(handlers: Partial<Handlers<Table>> = {}) {
  const { server, far, faults } = pairedServer(handlers);
  const lines: unknown[] = [];
  far.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line));
  });
  const send = (text: string | Uint8Array): boolean => far.write(text);
  return { server, send, lines, faults, far };
}

function pairedServer(handlers: Partial<Handlers<Table>>) {
  const [near, far] = duplexPair();
  const faults: Fault[] = [];
  const service = serve(TABLE, { echo: (params) => params, wait: () => ({}), ...handlers });
  const clock = new ManualClock();
  const server = new Peer(near, { remote: {}, service, clock, onFault: (fault) => faults.push(fault) });
  return { server, far, faults };
}

const request = (id: number, method: string, params: unknown): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

describe("a call", () => {
  it("brings back what the handler returned", async () => {
    await expect(pair().client.call("echo", { text: "hé😀" })).resolves.toEqual({ text: "hé😀" });
  });

  it("rejects with the very error that the handler threw", async () => {
    const refuse = (): never => {
      throw new AtlasBridgeError("ATB_HUB_REFUSED", "not now", { hint: "later" });
    };
    const { client } = pair({ echo: refuse });
    await expect(client.call("echo", { text: "x" })).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
      message: "not now",
      hint: "later",
    });
  });

  it("learns nothing of a bug in the handler, which is reported on its own side", async () => {
    const bug = new TypeError("boom");
    const { client, faults } = pair({ echo: () => Promise.reject(bug) });
    await expect(client.call("echo", { text: "x" })).rejects.toMatchObject({
      message: "echo: internal error in echo",
    });
    expect(faults).toEqual([{ kind: "bug", method: "echo", error: bug }]);
  });

  it("is refused when a parameter is wrong, and the handler never sees it", async () => {
    const echo = vi.fn((params: { text: string }) => params);
    const { client } = pair({ echo });
    await expect(client.call("echo", { text: 5 as never })).rejects.toMatchObject({
      code: "ATB_WIRE_INVALID",
    });
    expect(echo).not.toHaveBeenCalled();
  });

  it("is refused when the answer does not fit the table", async () => {
    const { client } = pair({ echo: () => ({ words: 1 }) as never });
    await expect(client.call("echo", { text: "x" })).rejects.toMatchObject({ code: "ATB_WIRE_INVALID" });
  });

  it("ends after its time limit, and a late answer is ignored", async () => {
    let answer: (value: { text: string }) => void = () => undefined;
    const { client, clock } = pair({ echo: () => new Promise((resolve) => (answer = resolve)) });
    const call = client.call("echo", { text: "x" });
    clock.advance(CALL_TIMEOUT_MS);
    await expect(call).rejects.toMatchObject({ code: "ATB_WIRE_LOST" });
    answer({ text: "late" });
    expect(clock.pending).toBe(0);
    expect(client.isOpen).toBe(true);
  });

  it("that waits for a human has no time limit", async () => {
    const { client, clock } = pair();
    const settled = vi.fn();
    client.call("wait", {}).then(settled, settled);
    clock.advance(24 * 3_600_000);
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
  });

  it("ends when the connection does, with an error that says it may have happened", async () => {
    const { client, server } = pair({ echo: () => new Promise(() => undefined) });
    const call = client.call("echo", { text: "x" });
    server.close();
    await expect(call).rejects.toMatchObject({ code: "ATB_WIRE_LOST" });
    await expect(client.call("echo", { text: "y" })).rejects.toMatchObject({ code: "ATB_WIRE_LOST" });
  });

  it("longer than a line may be is not sent at all", async () => {
    const { client } = pair();
    const call = client.call("echo", { text: "x".repeat(LINE_BYTES_MAX) });
    await expect(call).rejects.toMatchObject({ code: "ATB_WIRE_INVALID" });
    await expect(client.call("echo", { text: "still here" })).resolves.toEqual({ text: "still here" });
  });

  it("whose answer is longer than a line may be gets an error instead", async () => {
    const { client } = pair({ echo: () => ({ text: "x".repeat(LINE_BYTES_MAX) }) });
    await expect(client.call("echo", { text: "x" })).rejects.toMatchObject({ code: "ATB_HUB_REFUSED" });
  });
});

describe("requests of one connection", () => {
  it("are handled one after the other, in their order, even when handlers wait", async () => {
    const log: string[] = [];
    const echo = async (params: { text: string }): Promise<{ text: string }> => {
      log.push(`begin ${params.text}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${params.text}`);
      return params;
    };
    const { client } = pair({ echo });
    await Promise.all(["1", "2", "3"].map((text) => client.call("echo", { text })));
    expect(log).toEqual(["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]);
  });

  it("do not queue behind one that waits for a human", async () => {
    const { client } = pair();
    void client.call("wait", {}).catch(() => undefined);
    await expect(client.call("echo", { text: "now" })).resolves.toEqual({ text: "now" });
  });

  it("that have not begun when the connection ends are never handled", async () => {
    let release: () => void = () => undefined;
    const echo = vi.fn(async (params: { text: string }) => {
      await new Promise<void>((resolve) => (release = resolve));
      return params;
    });
    const { client, server } = pair({ echo });
    const calls = ["1", "2"].map((text) => client.call("echo", { text }).catch(() => undefined));
    await waitFor(() => expect(echo).toHaveBeenCalledOnce());
    server.close();
    release();
    await Promise.all(calls);
    expect(echo).toHaveBeenCalledOnce();
  });

  it("tell the server that they were answered, before the next one is handled", async () => {
    const { client, answered } = pair();
    await client.call("echo", { text: "x" });
    expect(answered).toEqual(["echo"]);
  });

  it("beyond the bound of unanswered ones are refused, not kept", async () => {
    const { client } = pair();
    const waiting = Array.from({ length: UNANSWERED_MAX }, () => client.call("wait", {}));
    waiting.forEach((call) => void call.catch(() => undefined));
    await expect(client.call("echo", { text: "x" })).rejects.toMatchObject({
      message: expect.stringContaining("unanswered") as string,
    });
  });
});

describe("a malformed peer", () => {
  it("gets an error for every bad line and is served after it", async () => {
    const { send, lines, faults } = bare();
    send("not json\n");
    send(Buffer.from([0xc3, 0x28, 0x0a]));
    send(request(1, "nope", {}));
    send(request(2, "constructor", {}));
    send(request(3, "echo", { text: "x", more: 1 }));
    send(request(4, "echo", { text: "fine" }));
    await waitFor(() => expect(lines).toHaveLength(6));
    expect(lines).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "the line is not JSON" } },
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: "the line is not UTF-8" } },
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: 'unknown method "nope"' } },
      { jsonrpc: "2.0", id: 2, error: { code: -32601, message: 'unknown method "constructor"' } },
      { jsonrpc: "2.0", id: 3, error: { code: -32602, message: "params.more: unknown field" } },
      { jsonrpc: "2.0", id: 4, result: { text: "fine" } },
    ]);
    expect(faults).toHaveLength(2);
  });

  it("that sends an endless line is told so and cut off", async () => {
    const { server, send, lines } = bare();
    send("x".repeat(LINE_BYTES_MAX + 1));
    await expect(server.closed).resolves.toContain("longer than");
    await waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("that complains is not answered, or two ends would complain for ever", async () => {
    const { send, lines, faults } = bare();
    send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}\n');
    send(request(1, "echo", { text: "x" }));
    await waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ id: 1 });
    expect(faults).toEqual([{ kind: "malformed", problem: "what?" }]);
  });

  it("that does not read is cut off before it fills our memory", async () => {
    const [near] = duplexPair();
    const peer = new Peer(near, { remote: TABLE, clock: new ManualClock() });
    const text = "x".repeat(LINE_BYTES_MAX / 2);
    const calls = Array.from({ length: 10 }, () => peer.call("echo", { text }).catch(() => undefined));
    await expect(peer.closed).resolves.toContain("does not read");
    await Promise.all(calls);
    expect(near.writableLength).toBeLessThan(UNSENT_BYTES_MAX + LINE_BYTES_MAX);
  });
});

describe("notifications", () => {
  it("reach the listener, and strangers are reported and ignored", async () => {
    const [near, far] = duplexPair();
    const clock = new ManualClock();
    const heard: unknown[] = [];
    const faults: Fault[] = [];
    const server = new Peer(near, { remote: {}, clock });
    new Peer(far, {
      remote: {},
      clock,
      listeners: { "watch.event": ({ payload }) => heard.push(payload) },
      onFault: (fault) => faults.push(fault),
    });
    server.notify("watch.event", { payload: { kind: "raised" } });
    near.write('{"jsonrpc":"2.0","method":"toString"}\n');
    await waitFor(() => expect(faults).toHaveLength(1));
    expect(heard).toEqual([{ kind: "raised" }]);
  });
});
