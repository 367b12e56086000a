/** The hub bounds time, line length, memory, requests, connections and sessions of everything that connects to it. */
import { duplexPair, type Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  CLIENT_LINE_BYTES_MAX,
  CLIENTS_BYTES_MAX,
  CLIENTS_MAX,
  FIRST_LINE_BYTES_MAX,
  FIRST_WORD_MS_MAX,
  LINE_MS_MAX,
  SESSIONS_BYTES_MAX,
  SESSIONS_MAX,
} from "../../../../src/hub/serve/limits.js";
import { BufferBudget } from "../../../../src/hub/serve/buffer-budget.js";
import { HubServer } from "../../../../src/hub/serve/server.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { HUB_CALLS, PROTOCOL_VERSION } from "../../../../src/wire/messages.js";
import { Peer } from "../../../../src/wire/peer.js";
import { emptyCore, openParams } from "../../../support/empty-core.js";
import { callerDouble, prove, SECRET } from "../../../support/proven.js";
import { waitFor } from "../../../support/wait-for.js";

function makeServer() {
  const clock = new ManualClock();
  const server = new HubServer({
    core: emptyCore(),
    clock,
    self: { version: "0.0.0", service: false },
    log: () => undefined,
    secret: SECRET,
    onStopWanted: () => undefined,
  });
  /** The other end, as a hostile program has it. */
  const connectRaw = (): Duplex => {
    const [near, far] = duplexPair();
    near.on("error", () => undefined);
    near.resume();
    server.accept(far, callerDouble());
    return near;
  };
  const connect = (): Peer<typeof HUB_CALLS> => new Peer(connectRaw(), { remote: HUB_CALLS, clock });
  return { clock, server, connect, connectRaw };
}

const hello = async (peer: Peer<typeof HUB_CALLS>) => {
  await prove(peer);
  return peer.call("hub.hello", { protocol: 1, version: "0" });
};
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const openSessions = async (connect: () => Peer<typeof HUB_CALLS>, count: number) => {
  const peers = [];
  for (let at = 0; at < count; at += 1) {
    const peer = connect();
    await prove(peer);
    await peer.call("session.open", openParams(`s${at}`));
    peers.push(peer);
  }
  return peers;
};

describe("the limit of a connection to the hub", () => {
  it("is ten seconds for the first line", async () => {
    const { clock, server, connect, connectRaw } = makeServer();
    connectRaw();
    const spoken = connect();
    await hello(spoken);
    clock.advance(FIRST_WORD_MS_MAX);
    await turns();
    expect(server.connectionCount).toBe(1);
    expect(spoken.isOpen).toBe(true);
  });

  it("also ends a connection that greets and proves nothing", async () => {
    const { clock, server, connect } = makeServer();
    await connect().call("hub.hello", { protocol: 1, version: "0" });
    clock.advance(FIRST_WORD_MS_MAX);
    await turns();
    expect(server.connectionCount).toBe(0);
  });

  it("is a short line at first, and a long one only for a session", async () => {
    const { server, connectRaw, connect } = makeServer();
    connectRaw().write(Buffer.alloc(FIRST_LINE_BYTES_MAX + 1, "x"));
    await turns();
    expect(server.connectionCount).toBe(0);
    const raw = connectRaw();
    const client = new Peer(raw, { remote: HUB_CALLS, clock: new ManualClock() });
    await hello(client);
    raw.write(Buffer.alloc(FIRST_LINE_BYTES_MAX + 1, "x"));
    await turns();
    expect(server.connectionCount).toBe(1);
    raw.write(Buffer.alloc(CLIENT_LINE_BYTES_MAX, "x"));
    await turns();
    expect(server.connectionCount).toBe(0);
    const [worker] = await openSessions(connect, 1);
    const said = "x".repeat(CLIENT_LINE_BYTES_MAX);
    await expect(
      worker?.call("session.decided", { toolCall: said } as never),
      "it is read, and refused for what it is",
    ).rejects.toThrow(/session\.decided/);
    expect(worker?.isOpen).toBe(true);
  });

  it("is five seconds for a line from its first byte to its last", async () => {
    const { clock, server, connectRaw } = makeServer();
    const raw = connectRaw();
    for (let at = 0; at < 10; at += 1) {
      raw.write("x");
      await turns();
      clock.advance(LINE_MS_MAX / 10);
    }
    await turns();
    expect(server.connectionCount).toBe(0);
  });

  it("is one total for all: 250 unfinished lines take no more than that, and a worker goes on", async () => {
    const { server, connect, connectRaw } = makeServer();
    const [worker] = await openSessions(connect, 1);
    for (let at = 0; at < 250; at += 1) {
      connectRaw().write(Buffer.alloc(FIRST_LINE_BYTES_MAX - 1, "x"));
      await turns();
    }
    expect(server.heldBytes).toBeLessThanOrEqual(CLIENTS_BYTES_MAX + SESSIONS_BYTES_MAX);
    expect(server.connectionCount).toBeLessThan(CLIENTS_BYTES_MAX / FIRST_LINE_BYTES_MAX + 3);
    expect(await worker?.call("session.state", { sessionId: "s0", state: "idle" })).toEqual({});
  });

  it("is a number of connections: of a thousand the newest stay, and every worker", async () => {
    const { server, connect, connectRaw } = makeServer();
    const workers = await openSessions(connect, 5);
    for (let at = 0; at < 1_000; at += 1) connectRaw();
    expect(server.connectionCount).toBeLessThanOrEqual(CLIENTS_MAX + workers.length + 1);
    expect(await hello(connect())).toMatchObject({ protocol: PROTOCOL_VERSION });
    for (const [at, worker] of workers.entries())
      expect(await worker.call("session.state", { sessionId: `s${at}`, state: "idle" })).toEqual({});
  });

  it("is a number of sessions, and those that are known come back all the same", async () => {
    const { connect } = makeServer();
    await openSessions(connect, SESSIONS_MAX);
    const [newcomer, known] = [connect(), connect()];
    for (const peer of [newcomer, known]) await prove(peer);
    await expect(newcomer.call("session.open", openParams("one more"))).rejects.toThrow(
      /limit of connected sessions/,
    );
    await known.call("session.open", openParams("s7"));
  });

  it("is a bounded number of waiting requests", async () => {
    const { connect } = makeServer();
    const [worker] = await openSessions(connect, 1);
    const text = "x".repeat(5_000_000);
    const calls = [1, 2, 3, 4].map(() => worker!.call("session.decided", { toolCall: text } as never));
    const ends = await Promise.allSettled(calls);
    const reasons = ends.map((end) => (end.status === "rejected" ? String(end.reason) : "taken"));
    expect(reasons.filter((reason) => reason.includes("bytes of unanswered requests")).length).toBeLessThan(
      3,
    );
    await waitFor(() => expect(worker?.isOpen).toBe(true));
  });
});

describe("the total of buffered data", () => {
  it("ends those connections first that have buffered much for longest", () => {
    const holdings = new BufferBudget<string>(1_000_000);
    expect(holdings.note("small and old", 100)).toBeNull();
    expect(holdings.note("large and old", 500_000)).toBeNull();
    expect(holdings.note("large and new", 400_000)).toBeNull();
    expect(holdings.note("newest", 200_000)).toBe("large and old");
    expect(holdings.note("large and old", 0)).toBeNull();
    expect(holdings.total).toBe(600_100);
  });
});
