/** A card that a restored, older database does not know is answered in true words, loses its buttons, and each tap is on record. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asId, type DeliveryId, type Identity } from "../../../../src/model/ids.js";
import { ARA, makeRig, SETTINGS, tempDirectory, type Rig } from "../rig.js";

const WORDS =
  "This AtlasBridge has no record of this card and cannot answer it. Nothing was typed. Check the terminal, or write: prompts";
const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;

/** A hub on a database that is older than the only card in the chat. */
async function restored(): Promise<Rig> {
  const settings = { ...SETTINGS, people: [ARA, VI] };
  const first = await makeRig({ settings });
  await first.core.stop();
  const older = join(tempDirectory(), "older.db");
  copyFileSync(first.path, older);
  const second = await makeRig({ path: first.path, clock: first.clock, settings });
  await second.raise();
  await second.core.stop();
  return makeRig({ path: older, clock: first.clock, chat: second.chat, settings });
}

function recorded(rig: Rig): unknown[] {
  return [...rig.store.audit.readAfter(0)]
    .filter(({ step }) => step === "answer_rejected")
    .map(({ details, identity }) => ({ ...(JSON.parse(details) as object), identity }));
}

const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0 };
const lost = asId<DeliveryId>("44444444-4444-4444-8444-444444444444");

describe("a card that a restored database does not know", () => {
  it("is answered in true words, loses its buttons, and the tap is on record", async () => {
    const rig = await restored();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.answers.at(-1)?.answer).toEqual({ text: WORDS, alert: true, closesCard: true });
    expect(recorded(rig)).toEqual([
      { code: "unknown_card", channel: "chat", place: "p1", identity: "chat:1" },
    ]);
    expect(rig.link.replies).toEqual([]);
  });

  it("keeps its buttons where a viewer taps, and tells a stranger nothing", async () => {
    const rig = await restored();
    await rig.chat.tap(rig.chat.cards()[0]!, "1", "chat:2");
    expect(rig.chat.answers.at(-1)?.answer).toEqual({ text: WORDS, alert: true });
    await rig.chat.tap(rig.chat.cards()[0]!, "1", "chat:6");
    expect(rig.chat.answers.at(-1)?.answer).toEqual({
      text: "You may not answer this prompt.",
      alert: true,
    });
    expect(recorded(rig)).toMatchObject([{ code: "unknown_card" }, { code: "not_allowed" }]);
  });

  it("is told as such also where its screen is asked for, or a form of it is sent", async () => {
    const rig = await restored();
    await rig.chat.receive({ kind: "look", deliveryId: lost, ...from });
    expect(rig.chat.answers.at(-1)?.answer).toEqual({ text: WORDS, alert: true, closesCard: true });
    const { ref } = rig.chat.cards()[0]!;
    await rig.chat.receive({ kind: "text_reply", ref, deliveryId: lost, text: "yes", ...from });
    expect(rig.chat.answers.at(-1)?.answer).toMatchObject({ text: WORDS });
    expect(recorded(rig)).toHaveLength(2);
  });

  it("is no card that the hub knows, whose old button is answered as before", async () => {
    const rig = await makeRig();
    await rig.raise();
    const card = rig.chat.cards()[0]!;
    await rig.chat.receive({ kind: "tap", token: "dropped", ref: card.ref, ...from });
    expect(rig.chat.answers.at(-1)?.answer).toEqual({ text: "There is no such open prompt.", alert: true });
  });
});
