/** With prompts.deliver_after a card is held back while somebody types at the terminal, and its reminders wait as well. */
import { describe, expect, it } from "vitest";
import { Presence } from "../../../../src/hub/people/presence.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, SETTINGS, type Rig, type RigOptions } from "../rig.js";

const MINUTE = 60_000;

async function makeHeld(over: Partial<typeof SETTINGS.prompts> = {}, options: RigOptions = {}): Promise<Rig> {
  const prompts = { ...SETTINGS.prompts, deliver_after: 5_000, ...over };
  return makeRig({ settings: { ...SETTINGS, prompts }, ...options });
}

/** The worker says that a key came in so long ago. */
async function typed(rig: Rig, agoMs = 0): Promise<void> {
  await rig.core.handlers["session.typed"]({ agoMs }, { sessionId: SESSION });
}

/** In steps of a second, as time goes for timers that arm each other. */
async function after(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    rig.clock.advance(Math.min(1_000, ms - passed));
    await turns(1);
  }
}

describe("the hub, by the presence of a person at the terminal,", () => {
  it("sends at once where nobody types, whatever deliver_after says", async () => {
    const rig = await makeHeld();
    await rig.raise();
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("prompts.deliver_after holds a card back for the rest of the time since the last key", async () => {
    const rig = await makeHeld();
    await typed(rig, 2_000);
    await rig.raise();
    rig.clock.advance(2_999);
    await turns();
    expect(rig.chat.messages).toEqual([]);
    rig.clock.advance(1);
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("sends nothing of a question that was answered at the terminal meanwhile", async () => {
    const rig = await makeHeld();
    await typed(rig);
    const event = await rig.raise();
    const gone = { promptId: event.promptId, reason: "answered_locally" as const };
    await rig.core.handlers["prompt.withdraw"](gone, { sessionId: SESSION });
    await after(rig, 20_000);
    expect(rig.chat.messages).toEqual([]);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("goes on holding for as long as somebody goes on typing, and sends once they stop", async () => {
    const rig = await makeHeld();
    await typed(rig);
    await rig.raise();
    for (let second = 0; second < 40; second += 1) {
      await after(rig, 1_000);
      await typed(rig);
    }
    expect(rig.chat.messages).toEqual([]);
    await after(rig, 6_000);
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("takes back no sent card, and does not change a card that the service refused for a while", async () => {
    const rig = await makeHeld();
    await rig.raise();
    await typed(rig);
    expect(rig.chat.cards()).toHaveLength(1);
    await after(rig, 6_000);
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("holds nothing back for keys from longer ago", async () => {
    const rig = await makeHeld();
    await typed(rig, 5_000);
    await rig.raise();
    expect(rig.chat.cards()).toHaveLength(1);
    expect(new Presence().computeHoldEnd(SESSION, 100, 5_000)).toBe(100);
  });

  it("holds nothing back without deliver_after", async () => {
    const rig = await makeHeld({ deliver_after: 0 });
    await typed(rig);
    await rig.raise();
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("holds for no longer than that when the clock is set back", () => {
    const presence = new Presence();
    presence.noteTyping(SESSION, 1_000_000);
    expect(presence.computeHoldEnd(SESSION, 500, 5_000)).toBe(5_500);
  });

  it("keeps reminders for when the typing stops: none comes before its card or with it, the next one does", async () => {
    const rig = await makeHeld({ remind_after: [10_000, 60_000], deliver_after: 8_000 });
    await typed(rig);
    await rig.raise();
    for (let second = 0; second < 20; second += 1) {
      await after(rig, 1_000);
      await typed(rig);
    }
    expect(rig.chat.messages).toEqual([]);
    await after(rig, 9_000);
    expect(rig.chat.messages.map(({ notice }) => notice.kind)).toEqual(["prompt"]);
    await after(rig, 40_000);
    expect(rig.chat.messages.map(({ notice }) => notice.kind)).toEqual(["prompt", "text"]);
  });

  it("with quiet hours: the card comes silently once the typing stops, its reminder at their end", async () => {
    const night = { from: "22:00", to: "07:00" };
    const clock = new ManualClock(new Date(2026, 5, 1, 22, 30).getTime());
    const prompts = {
      ...SETTINGS.prompts,
      expires_after: 0,
      remind_after: [5 * MINUTE],
      deliver_after: 10_000,
    };
    const rig = await makeRig({ clock, settings: { ...SETTINGS, prompts, quiet_hours: night } });
    await typed(rig);
    await rig.raise();
    expect(rig.chat.messages).toEqual([]);
    await after(rig, 11_000);
    expect(rig.chat.cards()[0]!.notice).toMatchObject({ quiet: true, addressees: [] });
    for (let minute = 0; minute < 8 * 60; minute += 1) clock.advance(MINUTE);
    await turns();
    // At seven somebody types again: the reminder waits for that person as well.
    expect(rig.chat.texts()).toEqual([]);
    clock.advance(28 * MINUTE);
    await typed(rig);
    for (let minute = 0; minute < 3; minute += 1) clock.advance(MINUTE);
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
    expect(rig.chat.messages.at(-1)!.notice).toMatchObject({ quiet: false, addressees: ["chat:1"] });
  });
});
