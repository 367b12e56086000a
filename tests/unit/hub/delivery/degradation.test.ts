/** A channel without buttons, texts, edits or files still lets people answer, offers only what works there, and reports the true result. */
import { START_MS } from "../../../../src/hub/people/first-turns.js";
import { describe, expect, it } from "vitest";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import type { ChannelCapabilities } from "../../../../src/sdk/channel.js";
import { CAPABILITIES, configureChannel, turns } from "../fake-channel.js";
import { makeRig, SESSION, type Rig } from "../rig.js";

/** Bare messages, as a pager or a text message service has them. */
const BARE: Partial<ChannelCapabilities> = { edit: false, buttonsMax: 0, tokenBytesMax: 0, files: false };

function rigWith(over: Partial<ChannelCapabilities>): Promise<Rig> {
  return makeRig({
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, ...over } })],
    paintScreen: () => Promise.resolve(Buffer.from("PNG")),
  });
}

describe("a channel without buttons", () => {
  it("the number of a choice, as a reply to the card, is the answer", async () => {
    const rig = await rigWith(BARE);
    const event = await rig.raise();
    const [card] = rig.chat.cards();
    expect(card?.notice).toMatchObject({ buttons: [], acceptsText: true });
    expect(card?.notice.choices.map(({ label }) => label)).toEqual(["Yes", "Yes, and don't ask again", "No"]);
    await rig.chat.text("3", { ref: card!.ref });
    expect(rig.link.replies[0]).toMatchObject({ promptId: event.promptId, value: "3" });
    expect(rig.chat.lastAnswer).toBe("No: accepted for claude");
  });

  it.each(["not ok", "yes", "4", "13", "3 please"])("nothing else is an answer: %j", async (words) => {
    const rig = await rigWith(BARE);
    const event = await rig.raise();
    await rig.chat.text(words, { ref: rig.chat.cards()[0]!.ref });
    expect(rig.link.replies).toEqual([]);
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.lastAnswer).not.toBe("");
  });

  it("yes and no are offered as words to write", async () => {
    const rig = await rigWith(BARE);
    await rig.raise({ promptType: "yes_no", choices: [], defaultChoice: null });
    await rig.chat.text("no", { ref: rig.chat.cards()[0]!.ref });
    expect(rig.link.replies[0]).toMatchObject({ value: "n" });
  });

  it("what can be asked again is not offered, as nobody could press it", async () => {
    const rig = await rigWith({ ...BARE, edit: true });
    const event = await rig.raise();
    await rig.chat.text("3", { ref: rig.chat.cards()[0]!.ref });
    await rig.begin(event);
    await rig.end(event, { outcome: "uncertain" });
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state: "uncertain" });
    expect(rig.chat.cards()[0]?.outcome?.buttons).toBeUndefined();
  });
});

describe("a channel to which people cannot send text", () => {
  const SILENT: Partial<ChannelCapabilities> = { freeText: false };

  it("a card asks for no words, and its buttons answer", async () => {
    const rig = await rigWith(SILENT);
    await rig.raise();
    const [card] = rig.chat.cards();
    expect(card?.notice).toMatchObject({ acceptsText: false });
    expect(card?.notice.buttons.length).toBeGreaterThan(0);
  });

  it("a message about an idle tool does not invite a reply", async () => {
    const texts = async (over: Partial<ChannelCapabilities>): Promise<string> => {
      const rig = await rigWith(over);
      rig.clock.advance(START_MS);
      await rig.core.handlers["session.typed"]({ agoMs: 60_000 }, { sessionId: SESSION });
      for (const state of ["working", "idle"] as const)
        await rig.core.handlers["session.state"]({ sessionId: SESSION, state }, { sessionId: SESSION });
      rig.clock.advance(10_000);
      await turns(4);
      return rig.chat.texts().join("\n");
    };
    expect(await texts({})).toContain("Reply to this message");
    const silent = await texts(SILENT);
    expect(silent).toContain("waits for its next task.");
    expect(silent).not.toContain("Reply");
  });
});

describe("a channel whose messages cannot be edited", () => {
  it("every outcome is a new message that names its question, also that of an answer that was not applied", async () => {
    const rig = await rigWith(BARE);
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const [card] = rig.chat.cards();
    await rig.chat.text("3", { ref: card!.ref });
    const { replyId } = rig.link.replies[0]!;
    const why = { ...createRefusal("typing") };
    await rig.core.handlers["reply.refuse"](
      { promptId: event.promptId, replyId, rejection: why, stillAsked: true },
      { sessionId: SESSION },
    );
    await rig.chat.text("1", { ref: card!.ref });
    await rig.begin(event);
    await rig.end(event);
    rig.clock.advance(5_000);
    const [refused, applied] = rig.chat.texts();
    expect(refused).toContain(`${shortId}: ⚠️`);
    expect(applied).toBe(`${shortId}: ✅ Yes, by Ara, confirmed`);
    expect(card?.outcome).toBeNull();
  });
});

describe("a channel without files", () => {
  it("the screen comes as text", async () => {
    const rig = await rigWith(BARE);
    await rig.raise();
    await rig.chat.text("screen");
    const told = rig.chat.messages.at(-1)?.notice;
    expect(told).toMatchObject({ kind: "text", text: "🖥 claude", block: "$ make\ndone" });
    expect(told).not.toHaveProperty("picture");
  });
});
