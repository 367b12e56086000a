/** The worker's link starts and finds a hub, reconnects after a loss, and repeats calls that may wait in their order. */
import { duplexPair } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { serve, type Handlers } from "../../../../src/wire/incoming.js";
import {
  HUB_CALLS,
  PROTOCOL_VERSION,
  WORKER_CALLS,
  type HubCalls,
  type WorkerCalls,
} from "../../../../src/wire/messages.js";
import { CALL_TIMEOUT_MS } from "../../../../src/wire/outgoing.js";
import { Peer } from "../../../../src/wire/peer.js";
import {
  HubLink,
  QUEUED_CALLS_MAX,
  RETRY_FIRST_MS,
  RETRY_REFUSED_MS,
  type LinkOwner,
  type LinkState,
} from "../../../../src/worker/session/hub-link.js";
import { START_PAUSE_FIRST_MS } from "../../../../src/worker/session/hub-restarter.js";
import { sessionSnapshot } from "../../../support/session-snapshot.js";
import { consoleHandlers } from "../../../../src/console/console-service.js";

const SESSION = {
  protocol: PROTOCOL_VERSION,
  version: "0.0.0",
  sessionId: "s1",
  tool: "bash",
  label: null,
  cwd: "/",
  command: ["bash"],
  pid: 1,
  pidStartTime: null,
  startedAt: 0,
  inside: null,
  capabilities: { chatTurns: false, screenView: false },
};

/** A hub made of one peer a connection, that can be down, and notes what it was asked. */
function fakeHub(clock: ManualClock, overrides: Partial<Handlers<HubCalls>> = {}) {
  const asked: string[] = [];
  const hub = { up: true, peers: [] as Peer<WorkerCalls>[], asked };
  const note = (method: string, result: unknown) => () => {
    asked.push(method);
    return result as never;
  };
  const handlers = {
    "session.open": note("session.open", { protocol: 1, version: "0", places: [], draining: false }),
    "session.state": (params: { state: string }) => note(`state ${params.state}`, {})(),
    ...overrides,
  } as unknown as Handlers<HubCalls>;
  const dial = () => {
    if (!hub.up) return Promise.reject(new Error("ECONNREFUSED"));
    const [near, far] = duplexPair();
    hub.peers.push(new Peer(far, { remote: WORKER_CALLS, service: serve(HUB_CALLS, handlers), clock }));
    return Promise.resolve(near);
  };
  return { ...hub, hub, dial };
}

function makeLink(overrides: Partial<Handlers<HubCalls>> = {}, onOpened?: () => void | Promise<void>) {
  const clock = new ManualClock();
  const { hub, dial } = fakeHub(clock, overrides);
  const states: LinkState[] = [];
  const startHub = vi.fn();
  const link = new HubLink({
    dial,
    prove: () => Promise.resolve(),
    startHub,
    session: SESSION,
    clock,
    random: { fraction: () => 1 },
  });
  const owner: LinkOwner = {
    listPrompts: () => ["p1"],
    handlers: {
      ...consoleHandlers(null),
      "reply.deliver": () => ({ accepted: true }),
      "nonce.update": () => ({}),
      "session.screen": () => ({ text: "$ ", problem: null }),
      "session.interrupt": () => ({ problem: null }),
      "answers.halt": () => ({}),
      "session.reach": () => ({}),
      "session.mark": () => ({}),
      "prompt.reveal": () => ({ text: null }),
      "prompt.again": () => ({ stands: "gone" as const }),
      "task.submit": () => ({ receipt: null, rejection: { code: "no_composer", text: "" } }),
      "session.snapshot": () => sessionSnapshot({ tool: "mine" }),
      "session.capture": () => ({ scenarioFile: "a.json", recordingFile: "a.jsonl", toldAtMs: null }),
    },
    onOpened: onOpened ?? (() => undefined),
    onState: (state) => states.push(state),
  };
  /** Lets time pass and the streams deliver, step by step, until the condition holds. */
  const until = async (condition: () => boolean, stepMs = 10): Promise<void> => {
    for (let step = 0; !condition(); step += 1) {
      if (step > 20_000) throw new Error("it never came to be");
      clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const setState = (state: "working" | "idle" | "waiting", whenConnected = true) =>
    link.call("session.state", { sessionId: "s1", state }, { whenConnected });
  return { clock, hub, link, owner, states, startHub, until, setState };
}

describe("the worker's link", () => {
  it("opens the session and then serves both ways", async () => {
    const { hub, link, owner, states, until } = makeLink();
    link.start(owner);
    await until(() => link.connected && link.state === "connected");
    expect(hub.asked).toEqual(["session.open"]);
    expect(states).toEqual(["connected"]);
    await expect(hub.peers[0]!.call("session.snapshot", {})).resolves.toMatchObject({ tool: "mine" });
  });

  it("starts a hub where nobody serves, once, and connects as soon as it is up", async () => {
    const { hub, link, owner, startHub, until } = makeLink();
    hub.up = false;
    link.start(owner);
    await until(() => startHub.mock.calls.length === 1);
    hub.up = true;
    await until(() => link.connected);
    expect(startHub).toHaveBeenCalledOnce();
  });

  it("starts hubs ever more rarely while none comes up", async () => {
    const { clock, hub, link, owner, startHub, until } = makeLink();
    hub.up = false;
    link.start(owner);
    const begun = clock.monotonic();
    await until(() => startHub.mock.calls.length === 5, 100);
    // 1 + 2 + 4 + 8 seconds lie between the first and the fifth.
    expect(clock.monotonic() - begun).toBeGreaterThanOrEqual(15 * START_PAUSE_FIRST_MS);
  });

  it("reconnects after the hub died, opens the session again and tells its owner", async () => {
    const opened = vi.fn();
    const { hub, link, owner, states, until } = makeLink({}, opened);
    link.start(owner);
    await until(() => link.connected);
    hub.peers[0]!.close();
    await until(() => hub.peers.length === 2 && link.state === "connected");
    expect(hub.asked).toEqual(["session.open", "session.open"]);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(states).toEqual(["connected", "lost", "connected"]);
  });

  it("fails a direct call at once while it is not connected", async () => {
    const { hub, link, owner, setState } = makeLink();
    hub.up = false;
    link.start(owner);
    await expect(setState("idle", false)).rejects.toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
  });

  it("keeps calls that may wait, in their order, until its owner has said what is pending", async () => {
    const order: string[] = [];
    const { hub, link, owner, setState, until } = makeLink({}, async () => {
      await link.call("session.state", { sessionId: "s1", state: "starting" });
      order.push("owner done");
    });
    hub.up = false;
    link.start(owner);
    const calls = [setState("working"), setState("idle")];
    hub.up = true;
    await until(() => link.connected);
    await Promise.all(calls);
    expect(hub.asked).toEqual(["session.open", "state starting", "state working", "state idle"]);
    expect(order).toEqual(["owner done"]);
  });

  it("makes a waiting call again when the hub died before it answered", async () => {
    let answers = 0;
    const stateOnce = (): object => {
      answers += 1;
      if (answers === 1) hub.peers[0]!.close();
      return {};
    };
    const { hub, link, owner, setState, until } = makeLink({ "session.state": stateOnce });
    link.start(owner);
    await until(() => link.connected);
    const call = setState("idle");
    await until(() => hub.peers.length === 2);
    await expect(call).resolves.toEqual({});
    expect(answers).toBe(2);
  });

  it("takes a hub that does not answer for dead and connects anew", async () => {
    const { clock, hub, link, owner, until } = makeLink({
      "session.state": () => new Promise(() => undefined),
    });
    link.start(owner);
    await until(() => link.connected);
    const call = link.call("session.state", { sessionId: "s1", state: "idle" });
    clock.advance(CALL_TIMEOUT_MS);
    await expect(call).rejects.toMatchObject({ code: "ATB_WIRE_LOST" });
    await until(() => hub.peers.length === 2 && link.connected);
  });

  it("does not start a hub again that somebody stopped on purpose, but finds it when it is back", async () => {
    const { hub, link, owner, startHub, until, clock } = makeLink();
    link.start(owner);
    await until(() => link.connected);
    await hub.peers[0]!.call("hub.leaving", { reason: "stopped" });
    hub.up = false;
    hub.peers[0]!.close();
    await until(() => link.state === "lost");
    // A session that ends now need not wait for one.
    expect(link.expectsHub).toBe(false);
    const minuteLater = clock.monotonic() + 60_000;
    await until(() => clock.monotonic() >= minuteLater, 1_000);
    expect(startHub).not.toHaveBeenCalled();
    hub.up = true;
    await until(() => link.connected);
  });

  it("names its prompts whenever it opens the session", async () => {
    const named: unknown[] = [];
    const open = ({ prompts }: { readonly prompts?: readonly string[] | undefined }) => {
      named.push(prompts);
      return { protocol: 1, version: "0", places: [], draining: false };
    };
    const { link, owner, until } = makeLink({ "session.open": open });
    link.start(owner);
    await until(() => link.connected);
    expect(named).toEqual([["p1"]]);
  });

  it("keeps trying when the hub refuses the session, for an older hub is being replaced", async () => {
    let refusals = 2;
    const open = () => {
      if (refusals-- > 0) throw new AtlasBridgeError("ATB_WIRE_VERSION", "too old");
      return { protocol: 1, version: "0", places: [], draining: false };
    };
    const { link, owner, until } = makeLink({ "session.open": open });
    link.start(owner);
    await until(() => link.connected);
    expect(refusals).toBe(-1);
  });

  it("asks a hub that is too new rarely, and does not expect it before", async () => {
    let refusals = 3;
    const open = () => {
      if (refusals-- > 0) throw new AtlasBridgeError("ATB_WIRE_TOO_OLD", "too old");
      return { protocol: 1, version: "0", places: [], draining: false };
    };
    const { clock, link, owner, startHub, states, until } = makeLink({ "session.open": open });
    link.start(owner);
    await until(() => link.state === "refused");
    const begun = clock.monotonic();
    expect(link.expectsHub).toBe(false);
    await until(() => link.connected, 500);
    expect(clock.monotonic() - begun).toBeGreaterThanOrEqual(3 * RETRY_REFUSED_MS);
    expect(link.expectsHub).toBe(true);
    expect(states).toEqual(["refused", "connected"]);
    expect(startHub).not.toHaveBeenCalled();
  });

  it("starts a hub where another program listens on the socket", async () => {
    const { hub, link, owner, startHub, until } = makeLink({ "session.open": () => "who are you?" as never });
    link.start(owner);
    await until(() => startHub.mock.calls.length === 1);
    expect(link.connected).toBe(false);
    expect(hub.peers.length).toBeGreaterThan(0);
  });

  it("is back an eighth of the outage after the hub, at the latest", async () => {
    const { clock, hub, link, owner, until } = makeLink();
    link.start(owner);
    await until(() => link.connected);
    for (const outageMs of [100, 1_000, 10_000]) {
      hub.up = false;
      hub.peers.at(-1)!.close();
      await until(() => link.state === "lost", 1);
      const lostAt = clock.monotonic();
      await until(() => clock.monotonic() - lostAt >= outageMs, 1);
      hub.up = true;
      const upAt = clock.monotonic();
      await until(() => link.connected, 1);
      expect(clock.monotonic() - upAt).toBeLessThanOrEqual(RETRY_FIRST_MS + outageMs / 8 + 10);
    }
  });

  it("survives a hub that cannot be started at all", async () => {
    const { hub, link, owner, startHub, until } = makeLink();
    startHub.mockImplementation(() => {
      throw new Error("EAGAIN");
    });
    hub.up = false;
    link.start(owner);
    await until(() => startHub.mock.calls.length === 2);
    expect(link.state).toBe("connecting");
  });

  it("ends a wait that its caller gives up, and makes no call for it later", async () => {
    const { hub, link, owner, until } = makeLink();
    hub.up = false;
    link.start(owner);
    const patience = new AbortController();
    const state = { sessionId: "s1", state: "idle" } as const;
    const waiting = link.call("session.state", state, {
      whenConnectedOnce: true,
      giveUp: patience.signal,
    });
    patience.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
    hub.up = true;
    await until(() => link.state === "connected");
    expect(hub.asked).toEqual(["session.open"]);
  });

  it("does not repeat a call that may have happened and must not happen twice", async () => {
    let calls = 0;
    const { link, owner, until } = makeLink({
      "session.state": () => {
        calls += 1;
        return new Promise<never>(() => undefined);
      },
    });
    link.start(owner);
    const state = { sessionId: "s1", state: "idle" } as const;
    let failed = false;
    link.call("session.state", state, { whenConnectedOnce: true }).catch(() => (failed = true));
    await until(() => failed, 100);
    await until(() => link.state === "connected", 100);
    expect(calls).toBe(1);
  });

  it("bounds what waits for a hub", async () => {
    const { hub, link, owner, setState } = makeLink();
    hub.up = false;
    link.start(owner);
    const waiting = Array.from({ length: QUEUED_CALLS_MAX }, () => setState("idle"));
    waiting.forEach((call) => void call.catch(() => undefined));
    await expect(setState("idle")).rejects.toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
  });

  it("ends for good: connection, waiting calls and attempts", async () => {
    const { clock, hub, link, owner, setState, until, states } = makeLink();
    link.start(owner);
    await until(() => link.connected);
    hub.up = false;
    hub.peers[0]!.close();
    await until(() => link.state === "lost");
    const waiting = setState("idle");
    link.close();
    await expect(waiting).rejects.toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
    expect(clock.pending).toBe(0);
    expect(states.at(-1)).toBe("closed");
    await expect(setState("idle")).rejects.toMatchObject({ code: "ATB_HUB_UNREACHABLE" });
  });
});
