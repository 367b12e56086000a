/**
 * The relay raises prompts, asks the hub for permission to type an answer, reports each result once, and does so again after a lost
 * connection.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { asId, type Nonce, type PromptId, type ReplyId, type SessionId } from "../../../../src/model/ids.js";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import type { Reply } from "../../../../src/model/answer/reply.js";
import type { AdapterEvent, InjectionGate, InjectionResult } from "../../../../src/sdk/adapter.js";
import { Relay, type HubCaller } from "../../../../src/worker/session/relay.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { promptEvent } from "../../../support/prompts.js";

const NONCE = "0".repeat(32);
const hashNonce = (nonce: string): string => createHash("sha256").update(nonce).digest("hex");
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class FakeHub implements HubCaller {
  connected = true;
  readonly calls: [method: string, params: Record<string, unknown>][] = [];
  /** Methods that fail as if the connection broke. */
  readonly lost = new Set<string>();
  /** Methods that the hub cannot store. */
  readonly unstored = new Set<string>();

  call(method: string, params: unknown): Promise<never> {
    this.calls.push([method, params as Record<string, unknown>]);
    if (this.lost.has(method)) return Promise.reject(new AtlasBridgeError("ATB_WIRE_LOST", "lost"));
    if (this.unstored.has(method))
      return Promise.reject(new AtlasBridgeError("ATB_STORE_FAILED", "disk full"));
    return Promise.resolve({
      state: "pending",
      nonceHash: hashNonce(NONCE),
      shortId: "k7",
      promptId: "",
    } as never);
  }

  methods(): string[] {
    return this.calls.map(([method]) => method);
  }
}

function rig(inject: (reply: Reply, gate: InjectionGate, halt?: AbortSignal) => Promise<InjectionResult>) {
  const queue: AdapterEvent[] = [];
  let wake: (() => void) | null = null;
  let injections = 0;
  async function* events(): AsyncGenerator<AdapterEvent> {
    for (;;) {
      const event = queue.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const adapter = {
    events,
    injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal) {
      injections++;
      return inject(reply, gate, halt);
    },
  };
  const hub = new FakeHub();
  const troubles: unknown[] = [];
  let raising = 0;
  const clock = new ManualClock();
  const relay = new Relay({
    sessionId: asId<SessionId>("s"),
    adapter: adapter as never,
    hub,
    clock,
    onTrouble: (error) => troubles.push(error),
    onReporting: () => raising++,
  });
  relay.start();
  const emit = async (event: AdapterEvent): Promise<void> => {
    queue.push(event);
    wake?.();
    await turn();
  };
  return { hub, relay, emit, troubles, clock, injections: () => injections, raising: () => raising };
}

const event = promptEvent();
const raised: AdapterEvent = { kind: "raised", event };
const reply = (over: Partial<Reply> = {}): Reply => ({
  replyId: asId<ReplyId>("r1"),
  promptId: event.promptId,
  sessionId: event.sessionId,
  value: "1",
  nonce: asId(NONCE),
  channelIdentity: asId("cli:local"),
  timestamp: "2026-01-01T00:00:00.000Z",
  newlinePolicy: "none",
  ...over,
});
const answered: InjectionResult = {
  kind: "receipt",
  receipt: {
    outcome: "answered",
    proof: "effect",
    route: "keys",
    evidence: "the dialog closed",
    bytesWritten: 1,
    fingerprintBefore: null,
    fingerprintAfter: null,
    endsTool: false,
  },
};
const writes = async (_: Reply, gate: InjectionGate): Promise<InjectionResult> => {
  await gate({ endsTool: false, route: "keys" });
  return answered;
};

describe("the relay", () => {
  it("reports the tool's state and last message, again after a lost connection", async () => {
    const { hub, relay, emit } = rig(writes);
    await emit({ kind: "state", state: "working" });
    hub.connected = false;
    await emit({ kind: "state", state: "idle", said: "Done." });
    hub.connected = true;
    relay.onConnected();
    expect(hub.calls).toEqual([
      ["session.state", { sessionId: "s", state: "working" }],
      ["session.state", { sessionId: "s", state: "idle", said: "Done." }],
    ]);
  });

  it("raises, asks leave to inject, and tells the result", async () => {
    const { hub, relay, emit, raising } = rig(writes);
    await emit(raised);
    expect([raising(), relay.unsettledPrompts.length]).toEqual([1, 1]);
    relay.takeReply(reply());
    await turn();
    expect(hub.methods()).toEqual(["prompt.raise", "injection.begin", "injection.end"]);
    expect(relay.unsettledPrompts).toEqual([]);
  });

  it("takes the leave of answers under way back when the hub is paused, and of no later one", async () => {
    const halts: (AbortSignal | undefined)[] = [];
    let finish: () => void = () => undefined;
    const under = rig(async (_, __, halt) => {
      halts.push(halt);
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: "refused", rejection: createRefusal("paused"), stillAsked: true };
    });
    await under.emit(raised);
    under.relay.takeReply(reply());
    under.relay.halt();
    expect(halts[0]?.aborted).toBe(true);
    finish();
    await turn();
    const next = asId<Nonce>("1".repeat(32));
    under.relay.updateNonce(event.promptId, hashNonce(next));
    under.relay.takeReply(reply({ replyId: asId<ReplyId>("r2"), nonce: next }));
    expect(halts.map((halt) => halt?.aborted)).toEqual([true, false]);
    finish();
  });

  it.each(["prompt.raise", "injection.end"])(
    "says %s again when the hub could not store it",
    async (method) => {
      const { hub, relay, emit, troubles, clock, injections } = rig(writes);
      hub.unstored.add(method);
      await emit(raised);
      relay.takeReply(reply());
      await turn();
      for (let second = 0; second < 2; second += 1) {
        clock.advance(1_000);
        await turn();
      }
      expect(troubles).toHaveLength(3);
      hub.unstored.clear();
      clock.advance(1_000);
      await turn();
      const last = hub.methods().lastIndexOf(method);
      expect(
        hub
          .methods()
          .slice(0, last)
          .filter((called) => called === method),
      ).toHaveLength(3);
      expect(troubles).toHaveLength(3);
      expect(injections()).toBeLessThanOrEqual(1);
      clock.advance(10_000);
      await turn();
      expect(hub.methods().lastIndexOf(method)).toBe(last);
    },
  );

  it("refuses again when the hub could not store the refusal", async () => {
    const { hub, relay, clock } = rig(writes);
    hub.unstored.add("reply.refuse");
    relay.takeReply(reply());
    await turn();
    hub.unstored.clear();
    clock.advance(1_000);
    await turn();
    expect(hub.methods()).toEqual(["reply.refuse", "reply.refuse"]);
  });

  it("injects once however often the same reply comes", async () => {
    const { relay, emit, injections } = rig(writes);
    await emit(raised);
    for (let round = 0; round < 3; round++) relay.takeReply(reply());
    await turn();
    relay.takeReply(reply());
    await turn();
    expect(injections()).toBe(1);
  });

  it("refuses a wrong nonce without touching the tool, and the true one still works", async () => {
    const { hub, relay, emit, injections } = rig(writes);
    await emit(raised);
    relay.takeReply(reply({ replyId: asId<ReplyId>("r0"), nonce: asId("f".repeat(32)) }));
    await turn();
    expect(injections()).toBe(0);
    expect(hub.calls.at(-1)).toMatchObject([
      "reply.refuse",
      { rejection: { code: "wrong_nonce" }, stillAsked: true },
    ]);
    relay.takeReply(reply());
    await turn();
    expect(injections()).toBe(1);
  });

  it("refuses a reply to a prompt that it does not have", async () => {
    const { hub, relay, injections } = rig(writes);
    relay.takeReply(reply({ promptId: asId<PromptId>("other") }));
    await turn();
    expect(injections()).toBe(0);
    expect(hub.calls).toMatchObject([
      ["reply.refuse", { rejection: { code: "withdrawn" }, stillAsked: false }],
    ]);
  });

  it("refuses a reply to a prompt that was withdrawn while the hub was away", async () => {
    const { hub, relay, emit, injections } = rig(writes);
    await emit(raised);
    hub.lost.add("prompt.withdraw");
    await emit({ kind: "withdrawn", promptId: event.promptId, reason: "answered_locally" });
    relay.takeReply(reply());
    await turn();
    expect(injections()).toBe(0);
    hub.lost.clear();
    relay.onConnected();
    await turn();
    expect(hub.methods().slice(-2)).toEqual(["prompt.raise", "prompt.withdraw"]);
  });

  it("raises again after a reconnect, and tells an unacknowledged receipt again", async () => {
    const { hub, relay, emit, injections } = rig(writes);
    await emit(raised);
    hub.lost.add("injection.end");
    relay.takeReply(reply());
    await turn();
    hub.lost.clear();
    relay.onConnected();
    await turn();
    expect(hub.methods()).toEqual([
      "prompt.raise",
      "injection.begin",
      "injection.end",
      "prompt.raise",
      "injection.end",
    ]);
    expect(injections()).toBe(1);
  });

  it("lets the same prompt be answered with a new nonce after a refusal", async () => {
    let moved = true;
    const { hub, relay, emit, injections } = rig((answer, gate) => {
      if (!moved) return writes(answer, gate);
      moved = false;
      return Promise.resolve({ kind: "refused", rejection: createRefusal("typing"), stillAsked: true });
    });
    const second = "1".repeat(32);
    await emit(raised);
    relay.takeReply(reply());
    await turn();
    relay.updateNonce(event.promptId, hashNonce(second));
    relay.takeReply(reply({ replyId: asId<ReplyId>("r2") }));
    await turn();
    expect(hub.calls.at(-1)).toMatchObject(["reply.refuse", { rejection: { code: "wrong_nonce" } }]);
    relay.updateNonce(event.promptId, hashNonce(second));
    relay.takeReply(reply({ replyId: asId<ReplyId>("r3"), nonce: asId(second) }));
    await turn();
    expect(injections()).toBe(2);
    expect(hub.methods().at(-1)).toBe("injection.end");
  });

  it("reports a refusal of the hub and goes on", async () => {
    const { hub, emit, troubles } = rig(writes);
    hub.call = () => Promise.reject(new AtlasBridgeError("ATB_HUB_REFUSED", "no"));
    await emit(raised);
    expect(troubles).toHaveLength(1);
  });
});
