/** The card says when a session does not take an accepted answer for a while, and then shows what really happened. */
import { describe, expect, it } from "vitest";
import { ANSWER_PICKUP_LIMIT_MS } from "../../../../src/hub/delivery/limits.js";
import type { Notice } from "../../../../src/sdk/channel.js";
import { turns } from "../fake-channel.js";
import { makeRig, SETTINGS } from "../rig.js";

const SETTINGS_NO = { ...SETTINGS, prompts: { ...SETTINGS.prompts, on_expiry: "safe_default" as const } };
const ON_ITS_WAY = "📨 “Yes”, by Ara, is queued; the session has not picked it up yet";

async function claimed() {
  const rig = await makeRig({ settings: SETTINGS_NO });
  const settled: Notice[] = [];
  rig.chat.fault = (call, notice) => {
    if (call === "settle") settled.push(notice);
    return undefined;
  };
  const event = await rig.raise();
  await rig.chat.tap(rig.chat.cards()[0]!, "1");
  const later = async (ms: number) => {
    rig.clock.advance(ms);
    await turns();
  };
  return { rig, event, later, settled, card: () => rig.chat.cards()[0]! };
}

describe("an answer that is not taken", () => {
  it("is reported on the card after a while, once, without a deadline that does not apply", async () => {
    const { rig, event, later, settled, card } = await claimed();
    await later(ANSWER_PICKUP_LIMIT_MS - 1);
    expect(card().outcome).toBeNull();
    await later(1);
    expect(card().outcome).toMatchObject({ text: ON_ITS_WAY, final: false, buttons: [] });
    expect(settled.at(-1)).toMatchObject({ expiresAt: null, acceptsText: false });
    expect(settled.at(-1)).not.toHaveProperty("expiryAnswer");
    expect(rig.store.outbox.count()).toBe(0);
    await rig.begin(event);
    await rig.end(event);
    expect(card().outcome).toMatchObject({ final: true, state: "answered" });
    const steps = [...rig.store.audit.readAfter(0)].map(({ step }) => step);
    expect(steps.filter((step) => step.startsWith("card_"))).toEqual([
      "card_posted",
      "card_edited",
      "card_settled",
    ]);
  });

  it("is not called untaken for ever where it was picked up late and its outcome does not come", async () => {
    const { rig, event, later, card } = await claimed();
    await later(ANSWER_PICKUP_LIMIT_MS);
    await rig.begin(event);
    expect(card().outcome).toMatchObject({ text: ON_ITS_WAY });
    await later(ANSWER_PICKUP_LIMIT_MS);
    expect(card().outcome).toMatchObject({
      text: "📨 “Yes”, by Ara, was picked up by the session; what became of it is not known yet",
      final: false,
      buttons: [],
    });
    await rig.end(event);
    expect(card().outcome).toMatchObject({ final: true, state: "answered" });
  });

  it("is not reported where the answer was begun or settled in time, and then no timer remains", async () => {
    const { rig, event, later, card } = await claimed();
    await rig.begin(event);
    expect(rig.store.outbox.count()).toBe(0);
    await later(ANSWER_PICKUP_LIMIT_MS);
    expect(card().outcome).toBeNull();
    await rig.end(event);
    expect(card().outcome).toMatchObject({ final: true, state: "answered" });
  });

  it("is replaced on the card at once by the result", async () => {
    const { rig, event, card } = await claimed();
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "answered_locally" },
      { sessionId: event.sessionId },
    );
    await turns();
    expect(card().outcome).toMatchObject({ final: true, state: "withdrawn" });
    expect(rig.store.outbox.count()).toBe(0);
  });
});
