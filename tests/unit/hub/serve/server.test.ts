/** The hub's server connects each worker to its own session, yields to newer versions, and passes on broadcasts and errors. */
import { duplexPair } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Caller, WorkerLink } from "../../../../src/wire/connection-ends.js";
import { HubServer, type StopReason } from "../../../../src/hub/serve/server.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { serve } from "../../../../src/wire/incoming.js";
import {
  HUB_CALLS,
  OLDEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  WORKER_CALLS,
} from "../../../../src/wire/messages.js";
import { Peer } from "../../../../src/wire/peer.js";
import type { CallerProcess } from "../../../../src/hub/serve/caller-check.js";
import { emptyCore, openParams } from "../../../support/empty-core.js";
import { callerDouble, prove, SECRET } from "../../../support/proven.js";
import { sessionSnapshot } from "../../../support/session-snapshot.js";
import { consoleHandlers } from "../../../../src/console/console-service.js";
import { waitFor } from "../../../support/wait-for.js";

function makeServer(core = emptyCore(), service = false) {
  const clock = new ManualClock();
  const stops: StopReason[] = [];
  const server = new HubServer({
    core,
    clock,
    self: { version: "0.0.0", service },
    log: () => undefined,
    secret: SECRET,
    onStopWanted: (reason) => stops.push(reason),
  });
  const heard: unknown[] = [];
  const left: string[] = [];
  const connect = async (name = "worker", isSupervised = false, over: Partial<CallerProcess> = {}) => {
    const [near, far] = duplexPair();
    server.accept(far, callerDouble({ isSupervised: () => isSupervised, ...over }));
    const service = serve(WORKER_CALLS, {
      ...consoleHandlers(null),
      "reply.deliver": () => ({ accepted: true }),
      "nonce.update": () => ({}),
      "session.screen": () => ({ text: "$ ", problem: null }),
      "answers.halt": () => ({}),
      "session.reach": () => ({}),
      "session.mark": () => ({}),
      "prompt.reveal": () => ({ text: null }),
      "prompt.again": () => ({ stands: "gone" as const }),
      "session.interrupt": () => ({ problem: null }),
      "task.submit": () => ({ receipt: null, rejection: { code: "no_composer", text: "" } }),
      "session.snapshot": () => sessionSnapshot({ tool: name }),
      "session.capture": () => ({ scenarioFile: "a.json", recordingFile: "a.jsonl", toldAtMs: null }),
      "hub.leaving": ({ reason }) => {
        left.push(reason);
        return {};
      },
    });
    const listeners = { "watch.event": ({ payload }: { payload: unknown }) => heard.push(payload) };
    const hub = new Peer(near, { remote: HUB_CALLS, service, listeners, clock });
    await prove(hub, over.pid);
    return hub;
  };
  return { core, server, connect, stops, heard, left, clock };
}

const state = (sessionId: string) => ({ sessionId, state: "idle" as const });

describe("the hub's server", () => {
  it("tells the core of a worker after its session.open, and when it is gone", async () => {
    const { core, connect } = makeServer();
    const worker = await connect();
    await worker.call("session.open", openParams("s1"));
    await worker.call("session.state", state("s1"));
    worker.close();
    await waitFor(() => expect(core.log).toContain("disconnected s1"));
    expect(core.log).toEqual(["open s1", "connected s1", "state s1 idle", "disconnected s1"]);
  });

  it("gives the core a link that reaches that worker", async () => {
    let link: WorkerLink | undefined;
    const core = { ...emptyCore(), connected: (_id: unknown, made: WorkerLink) => void (link = made) };
    const { connect } = makeServer(core);
    await (await connect("mine")).call("session.open", openParams("s1"));
    await waitFor(() => expect(link).toBeDefined());
    await expect(link!.call("session.snapshot", {})).resolves.toMatchObject({ tool: "mine" });
  });

  it("lets a reconnect take the session's place without calling the session lost", async () => {
    const { core, connect } = makeServer();
    const first = await connect();
    const second = await connect();
    await first.call("session.open", openParams("s1"));
    await second.call("session.open", openParams("s1"));
    await first.closed;
    await second.call("session.state", state("s1"));
    expect(core.log).toEqual([
      "open s1",
      "connected s1",
      "open s1",
      'session_link_replaced {"pid":1}',
      "connected s1",
      "state s1 idle",
    ]);
  });

  it("takes session calls only from that session's connection", async () => {
    const { connect, core } = makeServer();
    const worker = await connect();
    await expect(worker.call("session.state", state("s1"))).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
    });
    await worker.call("session.open", openParams("s1"));
    await expect(worker.call("session.state", state("s2"))).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
    });
    await expect(worker.call("session.open", openParams("s2"))).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
    });
    expect(core.log).toEqual([
      'call_refused {"call":"session.state","reason":"no_session","pid":null}',
      "open s1",
      "connected s1",
      'call_refused {"call":"session.state","reason":"other_session","pid":null}',
    ]);
  });

  it("tells the core which session's connection wants to answer", async () => {
    const callers: (string | null)[] = [];
    const refusal = { claimed: false, promptId: null, rejection: null };
    const answer = (_: unknown, { sessionId }: Caller) => (callers.push(sessionId), refusal);
    const { connect } = makeServer(emptyCore({ "prompt.answer": answer }));
    const worker = await connect();
    await worker.call("session.open", openParams("s1"));
    for (const peer of [worker, await connect()])
      await peer.call("prompt.answer", { shortId: "k7", value: "y" });
    expect(callers).toEqual(["s1", null]);
  });

  it("tells the core when a supervised tool wants to answer, and lets it pair nobody", async () => {
    const callers: (boolean | undefined)[] = [];
    const refusal = { claimed: false, promptId: null, rejection: null };
    const answer = (_: unknown, { isSupervised }: Caller) => (callers.push(isSupervised), refusal);
    const { connect } = makeServer(
      emptyCore({ "prompt.answer": answer, "pairing.begin": () => ({ code: "1" }) }),
    );
    const [human, tool] = [await connect("human"), await connect("tool", true)];
    for (const peer of [human, tool]) await peer.call("prompt.answer", { shortId: "k7", value: "y" });
    expect(callers).toEqual([false, true]);
    await expect(human.call("pairing.begin", { channel: "c" })).resolves.toEqual({ code: "1" });
    await expect(tool.call("pairing.begin", { channel: "c" })).rejects.toMatchObject({
      code: "ATB_HUB_REFUSED",
    });
  });

  it("tells the core when a caller's connection ends", async () => {
    const ended: (Promise<unknown> | undefined)[] = [];
    const begin = (_: unknown, caller: Caller) => (ended.push(caller.ended), { code: "1" });
    const { connect } = makeServer(emptyCore({ "pairing.begin": begin }));
    const human = await connect();
    await human.call("pairing.begin", { channel: "c" });
    human.close();
    await expect(ended[0]).resolves.toEqual(expect.any(String));
  });

  it("lets anybody pause, and nobody supervised resume", async () => {
    const core = emptyCore();
    const { connect } = makeServer(core);
    const [human, tool, worker] = [
      await connect("human"),
      await connect("tool", true),
      await connect("worker"),
    ];
    await worker.call("session.open", openParams("s1"));
    await tool.call("hub.pause", { paused: true });
    for (const peer of [tool, worker])
      await expect(peer.call("hub.pause", { paused: false })).rejects.toMatchObject({
        code: "ATB_HUB_REFUSED",
      });
    await human.call("hub.pause", { paused: false });
    expect(core.log.filter((line) => /^(?:pause|resume)/.test(line))).toEqual(["pause", "resume"]);
  });

  it("yields to a worker of a newer version, whatever fields its greeting has", async () => {
    const { connect, stops } = makeServer();
    const newer = { ...openParams("s1", PROTOCOL_VERSION + 1), novelty: true };
    await expect((await connect()).call("session.open", newer as never)).rejects.toMatchObject({
      code: "ATB_WIRE_VERSION",
    });
    expect(stops).toEqual(["outdated"]);
  });

  it("refuses a worker that is too old, stays, and has its people told", async () => {
    const { core, connect, stops } = makeServer();
    await expect((await connect()).call("session.open", openParams("s1", 0))).rejects.toMatchObject({
      code: "ATB_WIRE_TOO_OLD",
    });
    expect(core.log).toEqual(["outgrown s1 0.0.0"]);
    expect(stops).toEqual([]);
  });

  it("does not take a connected session as too old because another client says so", async () => {
    const { core, connect } = makeServer();
    await (await connect()).call("session.open", openParams("s1"));
    await expect((await connect()).call("session.open", openParams("s1", 0))).rejects.toThrow();
    expect(core.log).toEqual(["open s1", "connected s1"]);
  });

  it("takes a worker of a newer program that speaks its protocol, tells it that it makes way, and does", async () => {
    const { connect, stops } = makeServer();
    const newer = { ...openParams("s1"), version: "0.0.1" };
    await expect((await connect()).call("session.open", newer)).resolves.toMatchObject({ draining: true });
    expect(stops).toEqual(["outdated"]);
  });

  it("names its protocol to every client that greets, in any version", async () => {
    const { connect } = makeServer();
    const hello = { protocol: 99, version: "9.9.9", mood: "curious" };
    await expect((await connect()).call("hub.hello", hello)).resolves.toEqual({
      protocol: PROTOCOL_VERSION,
      oldest: OLDEST_PROTOCOL_VERSION,
      version: "0.0.0",
      pid: process.pid,
    });
  });

  it.each([
    { claimant: { version: "0.0.1", service: false }, service: true, yields: true },
    { claimant: { version: "0.0.0", service: false }, service: false, yields: false },
    { claimant: { version: "0.0.0", service: true }, service: false, yields: true },
    { claimant: { version: "0.0.0", service: true }, service: true, yields: false },
    { claimant: { version: "0.0.0-beta", service: true }, service: false, yields: false },
  ])(
    "a hub 0.0.0 (service: $service) yields to $claimant: $yields",
    async ({ claimant, service, yields }) => {
      const { connect, stops } = makeServer(emptyCore(), service);
      await expect((await connect()).call("hub.yield", claimant)).resolves.toEqual({ yields });
      expect(stops).toEqual(yields ? ["outdated"] : []);
    },
  );

  it("passes on what the core broadcasts to those who asked for it, once each", async () => {
    const { core, connect, heard } = makeServer();
    const watcher = await connect();
    await connect();
    await watcher.call("watch.subscribe", {});
    await watcher.call("watch.subscribe", {});
    core.broadcast({ n: 1 });
    await waitFor(() => expect(heard).toEqual([{ n: 1 }]));
    watcher.close();
    await watcher.closed;
    core.broadcast({ n: 2 });
    expect(heard).toEqual([{ n: 1 }]);
  });

  it("answers hub.stop before it stops", async () => {
    const { connect, stops } = makeServer();
    await expect((await connect()).call("hub.stop", {})).resolves.toEqual({});
    expect(stops).toEqual(["asked"]);
  });

  it.each([
    ["asked", ["stopped"]],
    ["outdated", ["replaced"]],
    ["signal", []],
    ["idle", []],
    ["displaced", []],
  ] as const)("that stops because %s tells its workers so: %j", async (reason, told) => {
    const { server, connect, left } = makeServer();
    const worker = await connect();
    await worker.call("session.open", openParams("s1"));
    await connect("client");
    await server.close(reason);
    await worker.closed;
    expect(left).toEqual(told);
  });

  it("keeps a bug of the core from the caller and serves on", async () => {
    const { connect } = makeServer();
    const client = await connect();
    await expect(client.call("prompt.wait", { promptId: "p" })).rejects.toMatchObject({
      message: "prompt.wait: internal error in prompt.wait",
    });
    await expect(client.call("prompts.list", { all: false })).resolves.toEqual([]);
  });
});
