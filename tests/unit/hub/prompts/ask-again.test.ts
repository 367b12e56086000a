/** “Ask again” is offered only under a card whose prompt may still stand, and only an approver can use it. */
import { describe, expect, it } from "vitest";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import type { ReaskResult } from "../../../../src/sdk/adapter.js";
import type { Caller } from "../../../../src/wire/connection-ends.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { turns } from "../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const AGAIN = "ask_again";
const caller = { sessionId: SESSION };

/** The card and what it says, once its question has expired. */
async function expired(rig: Rig) {
  const event = await rig.raise();
  rig.clock.advance(SETTINGS.prompts.expires_after);
  await turns();
  return { event, card: rig.chat.cards()[0]! };
}

function again(rig: Rig, stands: ReaskResult | null): Promise<void> {
  rig.link.stands = stands;
  return tapAgain(rig);
}

async function tapAgain(rig: Rig, identity = "chat:1"): Promise<void> {
  await rig.chat.tap(rig.chat.cards()[0]!, AGAIN, identity);
  await turns();
}

describe("asking again", () => {
  it("is offered under an expired card, and nowhere before", async () => {
    const rig = await makeRig();
    const { card } = await expired(rig);
    expect(card.notice.buttons.map(({ value }) => value)).not.toContain(AGAIN);
    expect(card.outcome).toMatchObject({ state: "expired", final: true, buttons: [{ value: AGAIN }] });
  });

  it.each([
    ["answered", false],
    ["uncertain", true],
    ["failed", true],
  ] as const)("under a card that ended %s: %s", async (outcome, offered) => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.begin(event);
    await rig.end(event, { outcome });
    expect(rig.chat.cards()[0]?.outcome?.buttons !== undefined).toBe(offered);
  });

  it("under one whose answer was given back because the screen had moved, and not under one that left unanswered", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    const { replyId } = rig.link.replies[0]!;
    const why = { ...createRefusal("screen_moved") };
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection: why, stillAsked: false },
      caller,
    );
    const other = await rig.raise({}, 2);
    await rig.core.handlers["prompt.withdraw"]({ promptId: other.promptId, reason: "left_screen" }, caller);
    await turns();
    const [dropped, left] = rig.chat.cards().map(({ outcome }) => outcome);
    expect([dropped?.buttons?.length, left?.buttons]).toEqual([1, undefined]);
  });

  it("is not offered once the session is over", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.begin(event);
    await rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, caller);
    await turns();
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state: "uncertain", final: true });
    expect(rig.chat.cards()[0]?.outcome?.buttons).toBeUndefined();
  });

  it.each([
    ["anew", "asked again"],
    ["already", "already asked again: see the newer card"],
    ["gone", "the prompt is gone"],
  ] as const)("asks the worker, and says what it found, once: %s", async (stands, words) => {
    const rig = await makeRig();
    const { event } = await expired(rig);
    const tapTwice = [again(rig, stands), again(rig, stands)];
    await Promise.all(tapTwice);
    const { outcome } = rig.chat.cards()[0]!;
    expect(outcome?.text).toBe(`⌛ Expired; AtlasBridge typed nothing · ${words}`);
    expect(outcome?.buttons).toBeUndefined();
    expect(rig.link.asked[0]).toEqual({ promptId: event.promptId, fingerprint: event.fingerprint });
    const steps = readDatabase(
      rig.path,
      "SELECT step, identity, details FROM audit WHERE step LIKE 'recheck%' AND identity IS NULL",
    );
    expect(steps).toEqual([{ step: "recheck_done", identity: null, details: `{"stands":"${stands}"}` }]);
    expect(rig.store.audit.verify().intact).toBe(true);
  });

  it("keeps its button where the worker does not respond", async () => {
    const rig = await makeRig();
    await expired(rig);
    await again(rig, null);
    expect(rig.chat.cards()[0]?.outcome?.buttons).toHaveLength(1);
    const told = rig.chat.messages.at(-1)?.notice;
    expect(told?.kind === "text" && told.text).toMatch(/could not be checked/);
  });

  it("keeps its button, and claims nothing, where the screen cannot be read", async () => {
    const rig = await makeRig();
    await expired(rig);
    await again(rig, "unread");
    const { outcome } = rig.chat.cards()[0]!;
    expect(outcome?.text).toBe("⌛ Expired; AtlasBridge typed nothing");
    expect(outcome?.buttons).toHaveLength(1);
    const told = rig.chat.messages.at(-1)?.notice;
    expect(told?.kind === "text" && told.text).toMatch(
      /could not be checked: its screen cannot be read at this moment/,
    );
  });

  it("is what the hub counts as perhaps still waiting, until its worker says that the question is gone", async () => {
    const rig = await makeRig();
    const { event } = await expired(rig);
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    expect(rig.core.readStatus()).toMatchObject({
      openPrompts: 0,
      unanswered: [{ shortId, state: "expired" }],
    });
    const gone = { promptId: event.promptId, reason: "screen_lost" } as const;
    await rig.core.handlers["prompt.withdraw"](gone, caller);
    expect(rig.core.readStatus().unanswered).toHaveLength(1);
    await rig.core.handlers["prompt.withdraw"]({ ...gone, reason: "left_screen" }, caller);
    await turns();
    expect(rig.core.readStatus().unanswered).toEqual([]);
    const { outcome } = rig.chat.cards()[0]!;
    expect(outcome?.text).toBe("⌛ Expired; AtlasBridge typed nothing · the prompt is gone");
    expect(outcome?.buttons).toBeUndefined();
  });

  it("is not counted any more once its session is over", async () => {
    const rig = await makeRig();
    await expired(rig);
    await rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, caller);
    expect(rig.core.readStatus().unanswered).toEqual([]);
  });

  describe("at the terminal", () => {
    const here = (rig: Rig, promptId: string, caller: Caller = { sessionId: null }) =>
      rig.core.handlers["prompt.again"]({ promptId }, caller);
    const offered = async (rig: Rig, promptId: string) =>
      (await rig.core.handlers["prompt.wait"]({ promptId }, { sessionId: null })).again;

    it("does the same as the button, whose work it does", async () => {
      const rig = await makeRig();
      const { event } = await expired(rig);
      expect(await offered(rig, event.promptId)).toBe(true);
      rig.link.stands = "anew";
      const text = "⌛ Expired; AtlasBridge typed nothing · asked again";
      expect(await here(rig, event.promptId)).toEqual({ text, again: false });
      await turns();
      expect(rig.chat.cards()[0]?.outcome).toMatchObject({ text });
      expect(rig.chat.cards()[0]?.outcome?.buttons).toBeUndefined();
      expect(await offered(rig, event.promptId)).toBe(false);
      const steps = readDatabase(
        rig.path,
        "SELECT step, identity FROM audit WHERE step = 'recheck_requested'",
      );
      expect(steps).toEqual([{ step: "recheck_requested", identity: "cli:local" }]);
    });

    it("says why not, and stays offered, where the worker does not respond", async () => {
      const rig = await makeRig();
      const { event } = await expired(rig);
      rig.link.stands = null;
      expect(await here(rig, event.promptId)).toMatchObject({
        text: expect.stringMatching(/could not be checked/) as string,
        again: true,
      });
    });

    it("is not for a supervised tool, nor for a question that was answered", async () => {
      const rig = await makeRig();
      const { event } = await expired(rig);
      const tool = await here(rig, event.promptId, { sessionId: null, isSupervised: true });
      expect(tool.text).toBe(createRefusal("supervised").text);
      const other = await rig.raise({}, 2);
      await rig.chat.tap(rig.chat.cards()[1]!, "1");
      await rig.begin(other);
      await rig.end(other);
      expect(await offered(rig, other.promptId)).toBe(false);
      expect(await here(rig, other.promptId)).toMatchObject({ again: false });
      expect(rig.link.asked).toEqual([]);
    });
  });

  it("is refused, on record, to a person who may not answer", async () => {
    const rig = await makeRig({
      settings: { ...SETTINGS, people: [ARA, { name: "Vi", identities: ["chat:2"], role: "viewer" }] },
    });
    await expired(rig);
    await tapAgain(rig, "chat:2");
    expect(rig.chat.lastAnswer).toBe("You may not answer this prompt.");
    expect(rig.link.asked).toEqual([]);
  });
});
