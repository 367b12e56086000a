/**
 * A prompt counts as reaching people only where a channel is connected and has taken cards for a chat with an approver. The
 * session and `status` are told each change.
 */
import { describe, expect, it } from "vitest";
import { PLACE_LATE_MS } from "../../../../src/hub/delivery/limits.js";
import { asId } from "../../../../src/model/ids.js";
import { DeliveryError, type ChannelHealth } from "../../../../src/sdk/channel.js";
import { type DeliveryRef } from "../../../../src/sdk/delivery-ref.js";
import { FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { ARA, makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const REFUSED: ChannelHealth = { state: "failed", reason: "the token is refused (401)", action: "Make one." };
const LOST: ChannelHealth = { state: "degraded", reason: "no network", action: "Wait." };
const CONNECTED: ChannelHealth = { state: "connected" };

const check = (rig: Rig) =>
  rig.core.handlers["relay.check"]({ tool: "claude", label: null, cwd: "/" }, { sessionId: null });

async function rigWith(health: ChannelHealth | null, over: Parameters<typeof makeRig>[0] = {}): Promise<Rig> {
  const rig = await makeRig(over);
  if (health) rig.core.reach.noteHealth("chat", health);
  await turns();
  return rig;
}

describe("a question reaches somebody", () => {
  it("where a channel is connected and has a chat and an approver", async () => {
    const rig = await rigWith(CONNECTED);
    expect(await check(rig)).toEqual({ channels: ["chat"], problem: null, isPending: false });
    expect(rig.core.reach.findReach(null).problem).toBeNull();
    expect(rig.link.reaches.at(-1)).toMatchObject({ channels: ["chat"], problem: null });
  });

  it.each<[string, ChannelHealth | null, Parameters<typeof makeRig>[0], string, boolean]>([
    ["whose token is refused", REFUSED, {}, "chat: the token is refused (401)", false],
    ["that has lost its service", LOST, {}, "chat: no network", true],
    ["that has not answered yet", null, {}, "chat has not answered yet", true],
    [
      "where nobody may answer",
      CONNECTED,
      { settings: { ...SETTINGS, people: [] } },
      "nobody may answer over chat: run `atlasbridge setup chat`",
      false,
    ],
    [
      "where there are viewers only",
      CONNECTED,
      { settings: { ...SETTINGS, people: [{ ...ARA, role: "viewer" }] } },
      "nobody may answer over chat: run `atlasbridge setup chat`",
      false,
    ],
    [
      "without a chat",
      CONNECTED,
      { configuredChannels: (chat) => [configureChannel(chat, { places: [] })] },
      "chat is not paired: run `atlasbridge setup chat`",
      false,
    ],
    [
      "whose chats are the private ones of people who may not answer",
      CONNECTED,
      { configuredChannels: (chat) => [configureChannel(chat, { personAt: () => asId("chat:2") })] },
      "chat: nobody who may answer reads its chats",
      false,
    ],
    [
      "whose approvers a rule makes viewers of this session",
      CONNECTED,
      { settings: { ...SETTINGS, routes: [{ tools: ["claude"], approvers: ["Somebody else"] }] } },
      "chat: the routes leave no approver for this session",
      false,
    ],
  ])("but not on a channel %s", async (_, health, over, problem, isPending) => {
    const rig = await rigWith(health, over);
    expect(await check(rig)).toEqual({ channels: [], problem, isPending });
    expect(rig.link.reaches.at(-1)).toEqual({ channels: [], problem, isPending });
  });

  it("on one channel although another fails, and of two that fail both are named", async () => {
    const other = new FakeChannel();
    const people = [{ ...ARA, identities: ["chat:1", "other:1"] }];
    const rig = await rigWith(REFUSED, {
      settings: { ...SETTINGS, people },
      configuredChannels: (chat) => [configureChannel(chat), configureChannel(other, { id: "other" })],
    });
    rig.core.reach.noteHealth("other", CONNECTED);
    expect(await check(rig)).toMatchObject({ channels: ["other"], problem: null });
    rig.core.reach.noteHealth("other", LOST);
    expect((await check(rig)).problem).toBe("chat: the token is refused (401); other: no network");
  });

  it("in one of two chats although the other refuses, and in none once both do", async () => {
    const rig = await rigWith(CONNECTED, {
      configuredChannels: (chat) => [configureChannel(chat, { places: ["1", "2"] })],
    });
    rig.core.reach.places.noteRefusal("chat", "1", "403 blocked");
    expect(await check(rig)).toEqual({ channels: ["chat"], problem: null, isPending: false });
    rig.core.reach.places.noteRefusal("chat", "2", "400 chat not found");
    const problem = "chat, chat 1: 403 blocked; chat, chat 2: 400 chat not found";
    expect(await check(rig)).toEqual({ channels: [], problem, isPending: false });
    expect(rig.core.reach.listRefusedPlaces({ id: "chat", places: ["2"] })).toEqual([
      { place: "2", reason: "400 chat not found" },
    ]);
    rig.core.reach.places.noteRefusal("chat", "2", null);
    expect((await check(rig)).problem).toBeNull();
    rig.core.reach.places.noteRefusal("chat", "2", "403 blocked");
    rig.core.reach.places.forgetRefusals();
    expect((await check(rig)).problem).toBeNull();
  });

  it("not while its card is refused for good, and again once something is posted there", async () => {
    const rig = await rigWith(CONNECTED);
    rig.chat.fault = () => {
      throw new DeliveryError("403 blocked", { certainty: "not_sent", permanent: true });
    };
    await rig.raise();
    await turns();
    expect((await check(rig)).problem).toBe("chat, chat p1: 403 blocked");
    rig.chat.fault = () => undefined;
    await rig.raise({}, 2);
    await turns();
    expect((await check(rig)).problem).toBeNull();
  });

  it("not while its place refuses even an edit, whatever it is about", async () => {
    const rig = await rigWith(CONNECTED);
    const event = await rig.raise();
    rig.chat.fault = (call) => {
      if (call === "deliver") return undefined;
      throw new DeliveryError("is_archived", { certainty: "not_sent", permanent: true, isPlaceClosed: true });
    };
    const withdrawn = { promptId: event.promptId, reason: "left_screen" } as const;
    await rig.core.handlers["prompt.withdraw"](withdrawn, { sessionId: SESSION });
    await turns();
    expect((await check(rig)).problem).toBe("chat, chat p1: is_archived");
  });

  it("not while a card that is due has waited for five seconds, and again once it is posted", async () => {
    const rig = await rigWith(CONNECTED);
    let answers: (ref: DeliveryRef) => void = () => undefined;
    rig.chat.deliver = () => new Promise((resolve) => (answers = resolve));
    await rig.raise();
    await turns();
    rig.clock.advance(PLACE_LATE_MS - 1);
    expect(rig.link.reaches.at(-1)).toMatchObject({ problem: null });
    rig.clock.advance(1);
    const problem = "chat, chat p1: a card has not arrived there within 5 s";
    expect(rig.link.reaches.at(-1)).toEqual({ channels: [], problem, isPending: false });
    expect(rig.core.reach.listRefusedPlaces({ id: "chat", places: ["p1"] })).toHaveLength(1);
    expect((await check(rig)).problem).toBe(problem);
    rig.core.reach.places.noteRefusal("chat", "p1", null); // a message came from there; the card still waits
    expect((await check(rig)).problem).toBe(problem);
    answers({ place: "p1", message: 1 });
    await turns();
    expect(rig.link.reaches.at(-1)).toMatchObject({ problem: null });
  });

  it("not there while a card that is due cannot be posted, until it is not wanted any more", async () => {
    const rig = await rigWith(CONNECTED);
    rig.chat.fault = () => {
      throw new DeliveryError("no network", { certainty: "not_sent" });
    };
    const event = await rig.raise();
    for (let second = 0; second < 6; second += 1) {
      rig.clock.advance(1_000);
      await turns();
    }
    const late = "a card has not arrived there within 5 s: no network";
    expect((await check(rig)).problem).toBe(`chat, chat p1: ${late}`);
    const withdrawn = { promptId: event.promptId, reason: "left_screen" } as const;
    await rig.core.handlers["prompt.withdraw"](withdrawn, { sessionId: SESSION });
    rig.clock.advance(60_000);
    await turns();
    expect((await check(rig)).problem).toBeNull();
  });

  it("again at once where the channel works again, although its card waited to be tried again", async () => {
    const rig = await rigWith(CONNECTED);
    rig.chat.fault = () => {
      throw new DeliveryError("401 unauthorized", { certainty: "not_sent" });
    };
    await rig.raise();
    for (let second = 0; second < 60; second += 1) {
      rig.clock.advance(1_000);
      await turns();
    }
    expect((await check(rig)).problem).toContain("has not arrived there within 5 s");
    rig.core.reach.noteHealth("chat", REFUSED);
    rig.chat.fault = () => undefined;
    rig.core.reach.noteHealth("chat", CONNECTED);
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
    expect((await check(rig)).problem).toBeNull();
  });

  it("only where its service answers when it is asked again", async () => {
    const rig = await rigWith(CONNECTED);
    rig.chat.probe = () => Promise.reject(new DeliveryError("getMe: no network", { certainty: "unknown" }));
    const told = rig.link.reaches.length;
    expect(await check(rig)).toEqual({ channels: [], problem: "chat: getMe: no network", isPending: true });
    expect(rig.link.reaches).toHaveLength(told);
    rig.chat.probe = () => new Promise(() => undefined);
    const asked = check(rig);
    await turns();
    rig.clock.advance(4_000);
    expect((await asked).problem).toBe("chat: the service did not answer within 4 s");
    rig.chat.probe = () => Promise.resolve();
    expect((await check(rig)).channels).toEqual(["chat"]);
  });

  it("is reported to the session at each change, and not twice", async () => {
    const rig = await rigWith(CONNECTED);
    const told = rig.link.reaches.length;
    rig.core.reach.noteHealth("chat", CONNECTED);
    expect(rig.link.reaches).toHaveLength(told);
    rig.core.reach.noteHealth("chat", REFUSED);
    expect(rig.link.reaches.at(-1)).toMatchObject({ problem: "chat: the token is refused (401)" });
    rig.core.reconfigure({ ...SETTINGS, people: [] });
    rig.core.reach.reportChanged();
    expect(rig.link.reaches.at(-1)).toMatchObject({
      problem: "nobody may answer over chat: run `atlasbridge setup chat`",
    });
    rig.core.noteDisconnected(SESSION);
    rig.core.reach.noteHealth("chat", LOST);
    expect(rig.link.reaches).toHaveLength(told + 2);
  });
});
