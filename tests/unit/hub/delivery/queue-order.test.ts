/** The queue of one slow place: fair between sessions, ordered by worth, and without what is no longer worth saying. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { CAPABILITIES, configureChannel, turns } from "../fake-channel.js";
import { makeEvent, makeRig, SESSION, sessionParams, SETTINGS, type Rig } from "../rig.js";

const OTHER = asId<SessionId>("22222222-2222-4222-8222-333333333333");
const EVERY_MS = 4_000;

interface Slow {
  readonly rig: Rig;
  /** `deliver api 3`: what was called, for which session, and the number of the prompt. */
  readonly calls: string[];
}

async function openSlow(settings = SETTINGS): Promise<Slow> {
  const calls: string[] = [];
  const pace = { place: () => [{ burst: 1, everyMs: EVERY_MS }], all: [], edits: [] };
  const rig = await makeRig({
    unopened: true,
    settings,
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, pace } })],
  });
  for (const [sessionId, label] of [
    [SESSION, "api"],
    [OTHER, "web"],
  ] as const) {
    await rig.core.handlers["session.open"](sessionParams({ sessionId, label }), { sessionId: null });
    // Somebody has used it, so that the end of its first turn is worth a message.
    await rig.core.handlers["session.typed"]({ agoMs: 60_000 }, { sessionId });
  }
  rig.chat.fault = (kind, notice) => {
    const what =
      notice.kind === "prompt" ? notice.promptId.slice(-1) : (notice.text.split("\n\n")[1] ?? "text");
    calls.push(`${kind} ${notice.session.label} ${what}`);
    return undefined;
  };
  return { rig, calls };
}

async function ask({ rig }: Slow, sessionId: SessionId, n: number): Promise<void> {
  await rig.core.handlers["prompt.raise"](makeEvent(n, { sessionId }) as never, { sessionId });
  await turns();
}

async function endTurn({ rig }: Slow, sessionId: SessionId, said: string): Promise<void> {
  await rig.core.handlers["session.state"]({ state: "working" } as never, { sessionId });
  await rig.core.handlers["session.state"]({ state: "idle", said } as never, { sessionId });
  await turns();
}

async function pass({ rig }: Slow, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    rig.clock.advance(EVERY_MS);
    await turns();
  }
}

describe("the queue of a slow place", () => {
  it("takes the sessions in turn, and within each the oldest prompt first", async () => {
    const slow = await openSlow();
    for (const n of [1, 2, 3, 4]) await ask(slow, SESSION, n);
    for (const n of [5, 6]) await ask(slow, OTHER, n);
    await pass(slow, 5);
    expect(slow.calls).toEqual([
      "deliver api 1",
      "deliver web 5",
      "deliver api 2",
      "deliver web 6",
      "deliver api 3",
      "deliver api 4",
    ]);
  });

  it("sends prompts before receipts, and receipts before the end of a turn", async () => {
    const slow = await openSlow();
    await ask(slow, SESSION, 1);
    await endTurn(slow, OTHER, "Done.");
    const { promptId } = makeEvent(1);
    const caller = { sessionId: SESSION };
    await slow.rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, caller);
    await ask(slow, SESSION, 2);
    await pass(slow, 3);
    expect(slow.calls).toEqual(["deliver api 1", "deliver api 2", "settle api 1", "deliver web Done."]);
  });

  it("drops the answer of a turn that waited until the next one had ended", async () => {
    const slow = await openSlow();
    await ask(slow, OTHER, 1);
    await endTurn(slow, SESSION, "First.");
    await ask(slow, OTHER, 2);
    await pass(slow, 1);
    slow.rig.clock.advance(EVERY_MS / 2);
    await endTurn(slow, SESSION, "Second.");
    await pass(slow, 3);
    expect(slow.calls).toEqual(["deliver web 1", "deliver web 2", "deliver api Second."]);
    expect(slow.rig.store.outbox.count()).toBe(0);
  });

  it("keeps that answer while nothing newer was said", async () => {
    const slow = await openSlow();
    await ask(slow, OTHER, 1);
    await endTurn(slow, SESSION, "First.");
    await ask(slow, OTHER, 2);
    await slow.rig.core.handlers["session.state"]({ state: "working" } as never, { sessionId: SESSION });
    await pass(slow, 4);
    expect(slow.calls).toEqual(["deliver web 1", "deliver web 2", "deliver api First."]);
  });

  it("keeps that answer if the later one does not come because its reader has read it at the terminal", async () => {
    const prompts = { ...SETTINGS.prompts, deliver_after: 20_000 };
    const slow = await openSlow({ ...SETTINGS, prompts });
    const caller = { sessionId: SESSION };
    await ask(slow, OTHER, 1);
    await endTurn(slow, SESSION, "First.");
    await ask(slow, OTHER, 2);
    await slow.rig.core.handlers["session.typed"]({ agoMs: 0 }, caller);
    slow.rig.clock.advance(1_000);
    await endTurn(slow, SESSION, "Second.");
    await slow.rig.core.handlers["session.state"]({ state: "working" } as never, caller);
    await pass(slow, 6);
    expect(slow.calls).toEqual(["deliver web 1", "deliver web 2", "deliver api First."]);
  });

  it("keeps that answer while the later one is held back and may never come", async () => {
    const prompts = { ...SETTINGS.prompts, deliver_after: 20_000 };
    const slow = await openSlow({ ...SETTINGS, prompts });
    await ask(slow, OTHER, 1);
    await endTurn(slow, SESSION, "First.");
    await ask(slow, OTHER, 2);
    await slow.rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    slow.rig.clock.advance(1_000);
    await endTurn(slow, SESSION, "Second.");
    await pass(slow, 3);
    expect(slow.calls).toEqual(["deliver web 1", "deliver web 2", "deliver api First."]);
  });

  it("says on a card how late it comes, from five seconds on", async () => {
    const slow = await openSlow();
    for (const n of [1, 2, 3]) await ask(slow, SESSION, n);
    await pass(slow, 2);
    expect(slow.rig.chat.cards().map(({ notice }) => notice.lateMs)).toEqual([undefined, undefined, 8_000]);
  });

  it("says nothing about the time for which a prompt was held back on purpose", async () => {
    const prompts = { ...SETTINGS.prompts, deliver_after: 20_000 };
    const rig = await makeRig({ settings: { ...SETTINGS, prompts } });
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    await rig.raise();
    rig.clock.advance(20_000);
    await turns();
    expect(rig.chat.cards().map(({ notice }) => notice.lateMs)).toEqual([undefined]);
  });

  it.each([600_000, 3_600_000, -3_600_000])(
    "sends a held card when its hold ends, without a word of lateness, after the clock was set by %i ms",
    async (setByMs) => {
      const { rig, event } = await holdCard();
      rig.clock.advance(10_000);
      rig.clock.setBy(setByMs);
      rig.clock.advance(9_999);
      await turns();
      expect(rig.chat.cards()).toEqual([]);
      rig.clock.advance(1);
      await turns();
      expect(rig.chat.cards().map(({ notice }) => notice.lateMs)).toEqual([undefined]);
      expect(rig.readState(event)).toBe("pending");
    },
  );

  it("says how late a card comes that the service refused for a while", async () => {
    const { rig } = await holdCard();
    rig.chat.fault = () => {
      throw new DeliveryError("no network", { certainty: "not_sent" });
    };
    rig.clock.advance(20_000);
    await turns();
    for (let second = 0; second < 60; second += 1) {
      rig.clock.advance(1_000);
      await turns();
    }
    rig.chat.fault = () => undefined;
    const health = { reason: null, action: null, since: null };
    for (const state of ["degraded", "connected"] as const)
      rig.core.reach.noteHealth("chat", { state, ...health } as never);
    await turns();
    expect(rig.chat.cards().map(({ notice }) => notice.lateMs)).toEqual([60_000]);
  });

  it.each([45_000, 3_600_000, -3_600_000])(
    "tries a card again soon, and says how late it comes, after the clock was set by %i ms during the call",
    async (setByMs) => {
      const { rig } = await holdCard();
      let calls = 0;
      rig.chat.fault = () => {
        calls += 1;
        if (calls === 1) rig.clock.setBy(setByMs);
        if (calls <= 5) throw new DeliveryError("no network", { certainty: "not_sent" });
        return undefined;
      };
      rig.clock.advance(20_000);
      await turns();
      let waitedMs = 0;
      for (; rig.chat.cards().length === 0 && waitedMs < 60_000; waitedMs += 1_000) {
        rig.clock.advance(1_000);
        await turns();
        expect(calls).toBeLessThanOrEqual(2 + waitedMs / 1_000);
      }
      expect(waitedMs).toBeGreaterThan(5_000);
      expect(waitedMs).toBeLessThan(20_000);
      expect(rig.chat.cards().map(({ notice }) => notice.lateMs)).toEqual([waitedMs]);
    },
  );

  it("sends a refused card when the service is back, also right after the clock was set", async () => {
    const { rig } = await holdCard();
    rig.chat.fault = () => {
      throw new DeliveryError("no network", { certainty: "not_sent" });
    };
    rig.clock.advance(20_000);
    await turns();
    rig.chat.fault = () => undefined;
    rig.clock.setBy(3_600_000);
    const health = { reason: null, action: null, since: null };
    for (const state of ["degraded", "connected"] as const)
      rig.core.reach.noteHealth("chat", { state, ...health } as never);
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
  });
});

/** Somebody types at the terminal, so the card waits for 20 s. */
async function holdCard(): Promise<{ readonly rig: Rig; readonly event: PromptEvent }> {
  const prompts = { ...SETTINGS.prompts, deliver_after: 20_000 };
  const rig = await makeRig({ settings: { ...SETTINGS, prompts } });
  await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
  return { rig, event: await rig.raise() };
}
