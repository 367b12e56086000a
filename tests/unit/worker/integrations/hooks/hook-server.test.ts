/**
 * The server for hooks hands calls over and answers back, serves only the tool itself, and has no opinion on a call that it
 * cannot read.
 */
import { connect } from "node:net";
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { JSON_VALUES_MAX } from "../../../../../src/model/data/json-cost.js";
import { ManualClock, systemClock } from "../../../../../src/observe/clock.js";
import { CLOSES_WITHIN_MS, type HookCall } from "../../../../../src/worker/integrations/hooks/hook-call.js";
import {
  HOOK_BODY_BYTES_MAX,
  HookServer,
  REQUEST_WITHIN_MS,
} from "../../../../../src/worker/integrations/hooks/hook-server.js";
import { LoopbackPort } from "../../../../../src/worker/loopback/loopback-port.js";

const loopbacks: LoopbackPort[] = [];

afterEach(() => loopbacks.splice(0).forEach((loopback) => loopback.close()));

async function server({ isCaller = true, clock = systemClock } = {}) {
  const loopback = await LoopbackPort.open();
  loopbacks.push(loopback);
  const calls: HookCall[] = [];
  const unread = { count: 0 };
  let wake: () => void = () => undefined;
  const serve = () =>
    new HookServer(loopback, {
      secret: "s3cret",
      clock,
      isCaller: () => Promise.resolve(isCaller),
      onCall: (call) => {
        calls.push(call);
        wake();
      },
      onUnreadable: () => (unread.count += 1),
    });
  const nextCall = async (): Promise<HookCall> => {
    while (calls.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return calls.shift()!;
  };
  return { port: loopback.port, serve, calls, unread, nextCall };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function post(port: number, body: string, { secret = "s3cret", method = "POST" } = {}) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const sent = request({ host: "127.0.0.1", port, method, headers });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
  });
  sent.end(body);
  return { answer, hangUp: () => sent.destroy() };
}

const BODY = JSON.stringify({ hook_event_name: "PermissionRequest", tool_name: "Bash" });

describe("the server for hooks", () => {
  it("has no opinion on a call that is nested too deeply, and knows that it was made", async () => {
    const { port, serve, calls, unread } = await server();
    serve();
    const deep = `${'{"a":'.repeat(6000)}1${"}".repeat(6000)}`;
    const body = `{"hook_event_name":"PermissionRequest","tool_name":"X","tool_input":${deep}}`;
    expect(await post(port, body).answer).toEqual({ status: 200, body: "" });
    expect(calls).toEqual([]);
    expect(unread.count).toBe(1);
  });

  it("knows an event whose name is sent in a field of another name", async () => {
    const { port, serve, nextCall } = await server();
    serve();
    const { answer } = post(port, JSON.stringify({ hookName: "permissionRequest", toolName: "bash" }));
    const call = await nextCall();
    expect(call.event).toBe("permissionRequest");
    await call.answer(null);
    expect(await answer).toEqual({ status: 200, body: "" });
  });

  it("hands a call over and its answer back", async () => {
    const { port, serve, nextCall } = await server();
    serve();
    const { answer } = post(port, BODY);
    const call = await nextCall();
    expect(call).toMatchObject({ event: "PermissionRequest", body: { tool_name: "Bash" }, isOpen: true });
    expect(await call.answer({ yes: true })).toBe("delivered");
    expect(await answer).toEqual({ status: 200, body: '{"yes":true}' });
    expect(call.isOpen).toBe(false);
    expect(await call.answer({ again: true })).toBe("gone");
  });

  it.each([
    ["and waits on", "unread"],
    ["and goes", "unknown"],
  ])("does not call an answer delivered to a client that does not read it %s", async (then, delivery) => {
    const clock = new ManualClock();
    const { port, serve, nextCall } = await server({ clock });
    serve();
    const deaf = connect(port, "127.0.0.1").pause();
    deaf.write(`POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer s3cret\r\n`);
    deaf.write(`content-length: ${BODY.length}\r\n\r\n${BODY}`);
    const given = (await nextCall()).answer({ yes: true });
    await new Promise((read) => setTimeout(read, 50));
    if (then === "and goes") deaf.resetAndDestroy();
    else clock.advance(CLOSES_WITHIN_MS);
    expect(await given).toBe(delivery);
    deaf.destroy();
  });

  it("answers nothing where there is no opinion", async () => {
    const { port, serve, nextCall } = await server();
    serve();
    const { answer } = post(port, BODY);
    void (await nextCall()).answer(null);
    expect(await answer).toEqual({ status: 200, body: "" });
  });

  it("keeps calls that came before they could be served", async () => {
    const { port, serve, nextCall } = await server();
    const { answer } = post(port, BODY);
    // Its connection is there before the server is.
    const socket = connect(port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.destroy();
    serve();
    void (await nextCall()).answer(null);
    expect((await answer).status).toBe(200);
  });

  it("reports when the tool stops waiting, and sends it nothing then", async () => {
    const { port, serve, nextCall } = await server();
    serve();
    const { answer, hangUp } = post(port, BODY);
    answer.catch(() => undefined);
    const call = await nextCall();
    const gone = new Promise<void>((resolve) => call.onEnd(() => resolve()));
    hangUp();
    await gone;
    expect(call.isOpen).toBe(false);
    expect(await call.answer({ late: true })).toBe("gone");
  });

  it.each([
    ["a wrong secret", BODY, { secret: "guess" }],
    ["no POST", "", { method: "GET" }],
  ])("refuses %s", async (_, body, options) => {
    const { port, serve, calls } = await server();
    serve();
    expect(await post(port, body, options).answer).toEqual({ status: 403, body: "" });
    expect(calls).toEqual([]);
  });

  it.each(["", "POST / HTTP/1.1\r\nauthorization: Bearer s3cret\r\ncontent-length: 9\r\n\r\nhalf"])(
    "ends a connection that does not send its request in time: %j",
    async (sent) => {
      const clock = new ManualClock();
      const { port, serve } = await server({ clock });
      serve();
      const socket = connect(port, "127.0.0.1", () => socket.write(sent)).on("error", () => undefined);
      while (!socket.closed) {
        clock.advance(REQUEST_WITHIN_MS);
        await new Promise((look) => setTimeout(look, 5));
        socket.resume();
      }
    },
  );

  it("lets a call wait for its answer as long as that takes", async () => {
    const clock = new ManualClock();
    const { port, serve, nextCall } = await server({ clock });
    serve();
    const { answer } = post(port, BODY);
    const call = await nextCall();
    clock.advance(100 * REQUEST_WITHIN_MS);
    await call.answer({ behavior: "allow" });
    expect((await answer).status).toBe(200);
  });

  it("refuses a process that knows the secret and is not the tool", async () => {
    const { port, serve, calls } = await server({ isCaller: false });
    serve();
    expect(await post(port, BODY).answer).toEqual({ status: 403, body: "" });
    expect(calls).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["no event", "{}"],
    ["an event that is no name", '{"hook_event_name":7}'],
    ["a body of very many values", `{"hook_event_name":"x","y":[${"[],".repeat(JSON_VALUES_MAX)}[]]}`],
    ["too long a body", `{"hook_event_name":"x","y":"${"a".repeat(HOOK_BODY_BYTES_MAX)}"}`],
  ])("has no opinion on %s: the tool's own dialog decides", async (_, body) => {
    const { port, serve, calls, unread } = await server();
    serve();
    expect(await post(port, body).answer).toEqual({ status: 200, body: "" });
    expect(calls).toEqual([]);
    expect(unread.count).toBe(1);
  });

  it("survives connections that send anything", async () => {
    const { port, serve, nextCall } = await server();
    serve();
    for (const noise of [
      "\u0000\u0001\u0002",
      "GET",
      "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
      "x".repeat(100_000),
    ]) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.resume();
      socket.write(noise);
      socket.end();
      await new Promise((resolve) => socket.once("close", resolve));
    }
    const { answer } = post(port, BODY);
    void (await nextCall()).answer(null);
    expect((await answer).status).toBe(200);
  });
});
