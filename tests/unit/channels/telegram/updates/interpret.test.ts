/** An update of Telegram means a tap, a reply, a text, a look at the screen or nothing, and no malformed update breaks the channel. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interpretStored, toStoredUpdate } from "../../../../../channels/telegram/updates/interpret.js";

const BOT = 700;
/** Message 50 of ours asks for the words of a choice. */
const CONTEXT = {
  botId: BOT,
  findSession: (_chat: number, thread: number) => (thread === 60 ? "s1" : null),
  knows: (deliveryId: string) => deliveryId !== "lost",
  asked: (_chat: number, id: number) => (id === 50 ? { deliveryId: "d1", before: "3: " } : null),
};
const ara = { id: 1001, is_bot: false, first_name: "Ara", last_name: "B", username: "ara" };
const bot = { id: BOT, is_bot: true, first_name: "Atlas" };
const chat = { id: 1001, type: "private" };
const card = { message_id: 40, from: bot, chat, date: 1, text: "a card" };

function meaning(update: Record<string, unknown>): unknown {
  return interpretStored(toStoredUpdate({ update_id: 1, ...update }, 5000), CONTEXT);
}

function message(over: Record<string, unknown>): Record<string, unknown> {
  return { message: { message_id: 41, from: ara, chat, date: 2, text: "hello", ...over } };
}

describe("what an update means", () => {
  const query = { id: "9", from: ara, chat_instance: "1", data: "tok", message: card };
  const tap = { kind: "tap", token: "tok", identity: "telegram:1001", place: "1001", receivedAt: 5000 };
  const group = { id: -1005, type: "supergroup" };
  const sessionTopic = { message_thread_id: 60, is_topic_message: true };
  const text = {
    kind: "text",
    text: "hello",
    displayName: "Ara B (@ara)",
    identity: "telegram:1001",
    place: "1001",
    receivedAt: 5000,
    // Telegram says it in seconds.
    sentAt: 2000,
  };

  it("is a tap when a button was pressed, with the message that carries it", () => {
    expect(meaning({ callback_query: query })).toEqual({ ...tap, ref: { chatId: 1001, messageId: 40 } });
  });

  it("is a tap when the card is too old for the service to show", () => {
    const old = { message_id: 3, chat, date: 0 };
    expect(meaning({ callback_query: { ...query, message: old } })).toEqual({
      ...tap,
      ref: { chatId: 1001, messageId: 3 },
    });
  });

  it("is a tap by the person who pressed, wherever the card stands", () => {
    expect(
      meaning({ callback_query: { ...query, from: { ...ara, id: 7 }, message: { ...card, chat: group } } }),
    ).toMatchObject({
      identity: "telegram:7",
      place: "-1005",
    });
  });

  it("is a reply when a text answers one of our messages", () => {
    expect(meaning(message({ reply_to_message: card }))).toEqual({
      kind: "text_reply",
      ref: { chatId: 1001, messageId: 40 },
      text: "hello",
      identity: "telegram:1001",
      place: "1001",
      receivedAt: 5000,
      sentAt: 2000,
    });
  });

  it("is plain text otherwise, commands and pairing codes included", () => {
    expect(meaning(message({}))).toEqual(text);
    expect(meaning(message({ text: "/start K7-42" }))).toEqual({ ...text, text: "/start K7-42" });
  });

  it("is plain text when a message of another person is answered", () => {
    expect(meaning(message({ reply_to_message: { ...card, from: ara } }))).toEqual(text);
  });

  it("is plain text in a topic of ours, where every message answers the topic's first", () => {
    const topic = { message_thread_id: 40, is_topic_message: true };
    expect(meaning(message({ ...topic, reply_to_message: card }))).toMatchObject({ kind: "text" });
    const root = { ...card, message_id: 39, forum_topic_created: { name: "x" } };
    expect(meaning(message({ ...topic, reply_to_message: root }))).toMatchObject({ kind: "text" });
  });

  it("is a reply in a group where the thread merely starts at our card", () => {
    expect(meaning(message({ message_thread_id: 40, reply_to_message: card }))).toMatchObject({
      kind: "text_reply",
    });
  });

  it("is no answer when a photo is sent, whatever its caption", () => {
    const photo = { text: undefined, photo: [], caption: "y" };
    expect(meaning(message({ ...photo, reply_to_message: card }))).toEqual({
      kind: "unfit",
      why: "media",
      text: "y",
      ref: { chatId: 1001, messageId: 40 },
      identity: "telegram:1001",
      place: "1001",
      receivedAt: 5000,
    });
  });

  it("is a tap for a button that asks for words of a card that the hub does not know", () => {
    expect(meaning({ callback_query: { ...query, data: "say:lost:3" } })).toMatchObject({
      kind: "tap",
      token: "say:lost:3",
    });
  });

  it.each([
    ["another bot", message({ from: bot })],
    ["an edited text of a group's own", { edited_message: message({ chat: group })["message"] }],
    ["a text forwarded in a group", message({ chat: group, forward_origin: { type: "user" } })],
    ["a group's own announcement", message({ chat: group, sender_chat: { id: -5 } })],
    [
      "a button that asks for words, of a card that the hub knows",
      { callback_query: { ...query, data: "say:d1:3" } },
    ],
    ["a photo among the people of a group", message({ chat: group, text: undefined, photo: [] })],
    ["the new caption of a photo", { edited_message: message({ text: undefined, photo: [] })["message"] }],
    ["a note that somebody joined", message({ text: undefined, new_chat_members: [] })],
    ["a channel post", { channel_post: message({})["message"] }],
    ["a game's button", { callback_query: { ...query, data: undefined, game_short_name: "g" } }],
    ["a tap on an inline message of nobody's chat", { callback_query: { ...query, message: undefined } }],
  ])("is ignored: %s", (_, update) => {
    expect(meaning(update)).toBeNull();
  });

  it.each([
    ["forwarded", message({ forward_origin: { type: "user" } })],
    ["forwarded", message({ forward_date: 3 })],
    ["forwarded", message({ via_bot: bot })],
    ["edited", { edited_message: message({})["message"] }],
    ["edited", { edited_message: message({ chat: group, reply_to_message: card })["message"] }],
    ["anonymous", message({ chat: group, from: bot, sender_chat: { id: -5 }, reply_to_message: card })],
    ["edited", { edited_message: message({ chat: group, ...sessionTopic })["message"] }],
    ["forwarded", message({ chat: group, ...sessionTopic, forward_origin: { type: "user" } })],
  ])("is refused with its reason where it could be meant as an answer: %s", (why, update) => {
    expect(meaning(update)).toMatchObject({ kind: "unfit", why, receivedAt: 5000 });
  });

  it("is refused with the session that it is about, and our message that it replies to", () => {
    const forward_origin = { type: "user" };
    expect(meaning(message({ chat: group, ...sessionTopic, forward_origin }))).toMatchObject({ about: "s1" });
    const reply = { edited_message: message({ reply_to_message: card })["message"] };
    expect(meaning(reply)).toMatchObject({ ref: { chatId: 1001, messageId: card.message_id } });
  });

  it("is a reply to the card when it answers the message that asked for words, read as those words", () => {
    const asking = { ...card, message_id: 50, text: "reply to this message" };
    expect(meaning(message({ reply_to_message: asking }))).toMatchObject({
      kind: "text_reply",
      deliveryId: "d1",
      text: "3: hello",
    });
  });

  it("is a look at the screen behind a card", () => {
    expect(meaning({ callback_query: { ...query, data: "see:d1" } })).toEqual({
      kind: "look",
      deliveryId: "d1",
      identity: "telegram:1001",
      place: "1001",
      receivedAt: 5000,
    });
  });

  it("says in whose topic a text was written", () => {
    expect(meaning(message({ chat: group, ...sessionTopic }))).toMatchObject({ kind: "text", about: "s1" });
    expect(meaning(message({ chat: group, message_thread_id: 60 }))).not.toHaveProperty("about");
  });

  it("bounds a name", () => {
    expect(meaning(message({ from: { ...ara, first_name: "x".repeat(500) } }))).toMatchObject({
      displayName: `${"x".repeat(127)}…`,
    });
  });

  it("survives ten thousand malformed updates", () => {
    const whole = {
      callback_query: query,
      message: { ...(message({})["message"] as object), reply_to_message: card },
    };
    const junk = fc.constantFrom<unknown>(
      null,
      undefined,
      true,
      -1,
      1e308,
      NaN,
      "",
      "\ud83d",
      [],
      [[]],
      {},
      { id: {} },
      card,
      ara,
    );
    const change = fc.tuple(fc.nat(40), junk);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const raw: Json = { receivedAt: 1, update: structuredClone(whole) };
        for (const [place, value] of changes) {
          const places = placesIn(raw);
          const [parent, key] = places[place % places.length]!;
          parent[key] = structuredClone(value);
        }
        const found = interpretStored(raw, CONTEXT);
        expect(found === null || ["tap", "text", "text_reply", "unfit", "look"].includes(found.kind)).toBe(
          true,
        );
      }),
      { numRuns: 10_000 },
    );
  });
});

type Json = Record<string, unknown>;

/** Every place in a tree of objects where something else could stand. */
function placesIn(value: Json): [Json, string][] {
  return Object.entries(value).flatMap(([key, inner]) => [
    [value, key],
    ...(inner !== null && typeof inner === "object" ? placesIn(inner as Json) : []),
  ]);
}
