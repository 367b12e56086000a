/** The Telegram emulator refuses, limits, polls and edits as the service does, and fails on demand. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startTelegram,
  type EmulatorOptions,
  type TelegramEmulator,
} from "../../../support/telegram/emulator.js";

interface Reply {
  readonly status: number;
  readonly ok?: boolean;
  readonly description?: string;
  readonly result?: unknown;
  readonly parameters?: Record<string, number>;
}

describe("the Telegram emulator", () => {
  let telegram: TelegramEmulator;

  const open = async (options: EmulatorOptions = {}): Promise<void> => {
    await telegram.stop();
    telegram = await startTelegram({ rate: null, ...options });
    telegram.user(1001, "Ara");
  };
  beforeEach(async () => {
    telegram = await startTelegram({ rate: null });
    telegram.user(1001, "Ara");
  });
  afterEach(() => telegram.stop());

  const call = async (method: string, payload: unknown = {}, token = telegram.token): Promise<Reply> => {
    const response = await fetch(`${telegram.apiRoot}/bot${token}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const send = (over: object = {}): Promise<Reply> =>
    call("sendMessage", { chat_id: 1001, text: "hello", ...over });
  const readId = (reply: Reply): number => (reply.result as { message_id: number }).message_id;
  const keyboard = (data: string): object => ({
    reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: data }]] },
  });
  const refused = (description: string, status = 400): object => ({ status, ok: false, description });

  it("knows its bot, and no other token or method", async () => {
    expect((await call("getMe")).result).toMatchObject({
      id: 7000001,
      is_bot: true,
      username: "atlas_test_bot",
    });
    expect(await call("getMe", {}, "7000001:wrong")).toMatchObject(refused("Unauthorized", 401));
    expect(await call("sendFax")).toMatchObject(refused("Not Found: method not found", 404));
  });

  it("takes parameters as JSON, form and query, and refuses a body that is none", async () => {
    const url = `${telegram.apiRoot}/bot${telegram.token}/sendMessage`;
    const form = new URLSearchParams({ chat_id: "1001", text: "by form" });
    expect((await fetch(url, { method: "POST", body: form })).status).toBe(200);
    expect((await fetch(`${url}?chat_id=1001&text=by%20query`)).status).toBe(200);
    const headers = { "content-type": "application/json" };
    expect((await fetch(url, { method: "POST", headers, body: "[1" })).status).toBe(400);
    expect(telegram.messages(1001).map(({ text }) => text)).toEqual(["by form", "by query"]);
  });

  describe("refuses a message", () => {
    it.each<[string, object, string]>([
      ["without a chat", { chat_id: undefined }, "Bad Request: chat_id is empty"],
      ["to a chat that never wrote to it", { chat_id: 2002 }, "Bad Request: chat not found"],
      ["without a text", { text: " \n\u202e " }, "Bad Request: message text is empty"],
      ["that is too long", { text: "x".repeat(4097) }, "Bad Request: message is too long"],
      ["with half a character", { text: "a\ud83d" }, "Bad Request: strings must be encoded in UTF-8"],
      ["in an unknown markup", { parse_mode: "BBCode" }, "Bad Request: unsupported parse_mode"],
      ["with long button data", keyboard("x".repeat(65)), "Bad Request: BUTTON_DATA_INVALID"],
      ["with long button data in bytes", keyboard("é".repeat(33)), "Bad Request: BUTTON_DATA_INVALID"],
      ["with empty button data", keyboard(""), "Bad Request: BUTTON_DATA_INVALID"],
      [
        "with a button that does nothing",
        { reply_markup: { inline_keyboard: [[{ text: "Yes" }]] } },
        "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      ],
      [
        "with a nameless button",
        { reply_markup: { inline_keyboard: [[{ text: " ", callback_data: "x" }]] } },
        'Bad Request: can\'t parse inline keyboard button: Field "text" must be of type String',
      ],
      [
        "with buttons that are no rows",
        { reply_markup: { inline_keyboard: [{ text: "Yes", callback_data: "x" }] } },
        "Bad Request: InlineKeyboardButton must be an Array of Arrays",
      ],
      [
        "with too many buttons",
        {
          reply_markup: {
            inline_keyboard: Array.from({ length: 101 }, () => [{ text: "Yes", callback_data: "x" }]),
          },
        },
        "Bad Request: reply markup is too long",
      ],
      [
        "that answers nothing",
        { reply_parameters: { message_id: 99 } },
        "Bad Request: message to be replied not found",
      ],
    ])("%s", async (_, over, description) => {
      expect(await send(over)).toMatchObject(refused(description));
      expect(telegram.messages(1001)).toEqual([]);
    });

    it.each([
      ["<x>", 'Unsupported start tag "x" at byte offset 0'],
      ["é<br>", 'Unsupported start tag "br" at byte offset 2'],
      ["1 < 2", 'Unsupported start tag "" at byte offset 2'],
      ["x <b", "Unclosed start tag at byte offset 2"],
      ["x <b class='y'", 'Unclosed start tag "b" at byte offset 2'],
      ["<b>bold", 'Can\'t find end tag corresponding to start tag "b"'],
      ["bold</b>", "Unexpected end tag at byte offset 4"],
      ["<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
      ["<b>x</b", "Unclosed end tag at byte offset 4"],
      ['<b "x">y</b>', 'Empty attribute name in the tag "b" at byte offset 0'],
    ])("whose markup it cannot parse: %s", async (text, complaint) => {
      const description = `Bad Request: can't parse entities: ${complaint}`;
      expect(await send({ text, parse_mode: "HTML" })).toMatchObject(refused(description));
    });
  });

  it("counts a text after its markup is gone, and cleans it as the service does", async () => {
    const long = `<b>${"&amp;".repeat(4096)}</b>`;
    expect((await send({ text: long, parse_mode: "HTML" })).status).toBe(200);
    await send({ text: "  a\tb\r\n\u202ec\u2067 ", parse_mode: "HTML" });
    expect(telegram.messages(1001).at(-1)?.text).toBe("a b\nc\u2067");
  });

  it("keeps entities where they are after trimming", async () => {
    await send({ text: " \n<b>bold</b> &lt;b&gt; <pre>a\nb</pre>", parse_mode: "HTML" });
    const { text, entities } = telegram.messages(1001)[0]!;
    expect(text).toBe("bold <b> a\nb");
    expect(entities).toEqual([
      { type: "bold", offset: 0, length: 4 },
      { type: "pre", offset: 9, length: 3 },
    ]);
  });

  describe("editing", () => {
    it("changes text and buttons, and removes buttons that are not sent again", async () => {
      const id = readId(await send(keyboard("one")));
      await call("editMessageText", { chat_id: 1001, message_id: id, text: "hello", ...keyboard("two") });
      expect(telegram.messages(1001)[0]?.buttons).toEqual([[{ text: "Yes", data: "two" }]]);
      await call("editMessageReplyMarkup", { chat_id: 1001, message_id: id });
      expect(telegram.messages(1001)[0]).toMatchObject({ buttons: [], edits: 2 });
    });

    it("refuses what changes nothing, what is gone, and what is not its own", async () => {
      const mine = readId(await send(keyboard("one")));
      const theirs = telegram.user(1001).send("mine");
      const edit = (message_id: number, over: object = {}): Promise<Reply> =>
        call("editMessageText", { chat_id: 1001, message_id, text: "hello", ...keyboard("one"), ...over });
      const unchanged = await edit(mine, { text: "<b></b>hello ", parse_mode: "HTML" });
      expect(unchanged).toMatchObject({
        status: 400,
        description: expect.stringMatching(/^Bad Request: message is not modified: /) as string,
      });
      expect(await edit(999)).toMatchObject(refused("Bad Request: message to edit not found"));
      expect(await edit(theirs)).toMatchObject(refused("Bad Request: message can't be edited"));
    });

    it("refuses a message that asked for a reply", async () => {
      const id = readId(await send({ reply_markup: { force_reply: true } }));
      expect(await call("editMessageText", { chat_id: 1001, message_id: id, text: "x" })).toMatchObject(
        refused("Bad Request: message can't be edited"),
      );
    });

    it("refuses to put text where a file is", async () => {
      const body = new FormData();
      body.set("chat_id", "1001");
      body.set("document", new Blob(["a,b\r\n--x\r\n"]), "a.csv");
      const response = await fetch(`${telegram.apiRoot}/bot${telegram.token}/sendDocument`, {
        method: "POST",
        body,
      });
      const id = readId((await response.json()) as Reply);
      expect(telegram.messages(1001)[0]?.document).toMatchObject({ name: "a.csv" });
      expect(telegram.messages(1001)[0]?.document?.data.toString()).toBe("a,b\r\n--x\r\n");
      expect(await call("editMessageText", { chat_id: 1001, message_id: id, text: "x" })).toMatchObject(
        refused("Bad Request: there is no text in the message to edit"),
      );
    });
  });

  it("refuses an invalid document", async () => {
    expect(await call("sendDocument", { chat_id: 1001 })).toMatchObject(
      refused("Bad Request: there is no document in the request"),
    );
  });

  describe("a tap", () => {
    it("is answered once, in at most 200 characters", async () => {
      const id = readId(await send(keyboard("tok")));
      const tap = telegram.user(1001).press(id, 0);
      const answer = (text: string): Promise<Reply> =>
        call("answerCallbackQuery", { callback_query_id: tap.id, text });
      expect(await answer("x".repeat(201))).toMatchObject(refused("Bad Request: MESSAGE_TOO_LONG"));
      expect((await answer("noted")).status).toBe(200);
      expect(await tap.answered()).toEqual({ text: "noted", alert: false });
      expect((await answer("again")).description).toContain("query is too old");
    });

    it("cannot be answered for long", async () => {
      await open({ queryTtlMs: 0 });
      const id = readId(await send(keyboard("tok")));
      const tap = telegram.user(1001).press(id, 0);
      expect(await call("answerCallbackQuery", { callback_query_id: tap.id })).toMatchObject(
        refused("Bad Request: query is too old and response timeout expired or query ID is invalid"),
      );
    });

    it("needs a button that is there", async () => {
      const id = readId(await send());
      expect(() => telegram.user(1001).press(id, 0)).toThrow("shows no button in row 0");
    });

    it("comes with the card it is on, or with its bones when the card is gone", async () => {
      const id = readId(await send(keyboard("tok")));
      telegram.user(1001).press(id, 0);
      telegram.user(1001).pressToken(99, "forged");
      const { result } = await call("getUpdates");
      expect(result).toMatchObject([
        { callback_query: { data: "tok", message: { message_id: id, text: "hello" }, from: { id: 1001 } } },
        { callback_query: { data: "forged", message: { message_id: 99, date: 0 } } },
      ]);
    });
  });

  describe("polling", () => {
    const poll = (over: object = {}): Promise<Reply> => call("getUpdates", over);
    const ids = (reply: Reply): number[] =>
      (reply.result as { update_id: number }[]).map(({ update_id }) => update_id);

    it("waits until something happens", async () => {
      const waiting = poll({ timeout: 50 });
      await telegram.waitFor(() => telegram.world.updates.polling, "the poll");
      telegram.user(1001).send("now");
      expect((await waiting).result).toMatchObject([
        { message: { text: "now", chat: { id: 1001, type: "private" } } },
      ]);
    });

    it("ends empty at its timeout", async () => {
      expect((await poll({ timeout: 0.02 })).result).toEqual([]);
    });

    it("hands out again what no offset confirmed, and never what one did", async () => {
      const ara = telegram.user(1001);
      ["a", "b", "c"].forEach((text) => ara.send(text));
      const [first] = ids(await poll({ limit: 1 }));
      expect(ids(await poll())).toEqual([first, first! + 1, first! + 2]);
      expect(ids(await poll({ offset: first! + 2 }))).toEqual([first! + 2]);
      expect(ids(await poll())).toEqual([first! + 2]);
    });

    it("takes an offset far ahead for one of another numbering", async () => {
      telegram.user(1001).send("a");
      expect(ids(await poll({ offset: 900_000_000 }))).toHaveLength(1);
    });

    it("serves one poller: a second one ends the first", async () => {
      const first = poll({ timeout: 50 });
      await telegram.waitFor(() => telegram.world.updates.polling, "the first poll");
      const second = poll({ timeout: 50 });
      expect(await first).toMatchObject(
        refused(
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
          409,
        ),
      );
      telegram.user(1001).send("for the second");
      expect(ids(await second)).toHaveLength(1);
    });

    it("refuses while there is a webhook", async () => {
      await call("setWebhook", { url: "https://example.org" });
      expect(await poll()).toMatchObject({
        status: 409,
        description: expect.stringContaining("webhook is active") as string,
      });
      await call("deleteWebhook");
      expect((await poll()).status).toBe(200);
    });

    it("remembers which updates the bot wants", async () => {
      await poll({ allowed_updates: ["message"] });
      const ara = telegram.user(1001);
      const sent = ara.send("a");
      ara.edit(sent, "b");
      ara.pressToken(sent, "x");
      expect(ids(await poll())).toHaveLength(1);
    });

    it("repeats and reorders on demand", async () => {
      const ara = telegram.user(1001);
      const tap = ara.pressToken(1, "x");
      ara.send("a");
      telegram.reverseNextBatch();
      const [second, first] = ids(await poll());
      expect(second! - first!).toBe(1);
      expect(tap.updateId).toBe(first);
      await poll({ offset: second! + 1 });
      telegram.repeatUpdate(first!);
      telegram.repeatUpdate(first!, "new");
      expect(ids(await poll({ offset: second! + 1 }))).toEqual([first, second! + 1]);
    });
  });

  it("loses patience with a chat that gets too much", async () => {
    await open({ rate: { chat: { perSecond: 1, burst: 2 } } });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect(await send()).toMatchObject({
      ...refused("Too Many Requests: retry after 1", 429),
      parameters: { retry_after: 1 },
    });
    expect(telegram.messages(1001)).toHaveLength(2);
  });

  it("takes twenty messages a minute in a group, and thirty a second of one bot", async () => {
    await open({ rate: { chat: { perSecond: 100, burst: 100 }, all: { perSecond: 1, burst: 25 } } });
    telegram.group(-1001, "Builds");
    for (let n = 0; n < 20; n += 1) expect((await send({ chat_id: -1001 })).status).toBe(200);
    const tired = await send({ chat_id: -1001 });
    expect(tired.status).toBe(429);
    expect(JSON.stringify(tired)).toMatch(/retry after (5\d|60)/);
    for (let n = 0; n < 5; n += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
  });

  it("lets nobody write to a person who blocked the bot", async () => {
    telegram.user(1001).block();
    expect(await send()).toMatchObject(refused("Forbidden: bot was blocked by the user", 403));
  });

  it("remembers its commands", async () => {
    await call("setMyCommands", { commands: [{ command: "status", description: "What is open" }] });
    expect(telegram.world.commands).toEqual([{ command: "status", description: "What is open" }]);
  });

  describe("on demand", () => {
    it("refuses once, with any status", async () => {
      telegram.failNext("sendMessage", { status: 429, retryAfter: 7 });
      expect(await send()).toMatchObject({ status: 429, parameters: { retry_after: 7 } });
      telegram.failNext("*", { status: 500 });
      expect((await send()).status).toBe(500);
      expect((await send()).status).toBe(200);
    });

    it("cuts the connection before or after the effect", async () => {
      telegram.failNext("sendMessage", "drop");
      await expect(send()).rejects.toThrow();
      expect(telegram.messages(1001)).toHaveLength(0);
      telegram.failNext("sendMessage", "drop-after-effect");
      await expect(send()).rejects.toThrow();
      expect(telegram.messages(1001)).toHaveLength(1);
    });

    it("never answers", async () => {
      telegram.failNext("sendMessage", "hang");
      const signal = AbortSignal.timeout(50);
      const url = `${telegram.apiRoot}/bot${telegram.token}/sendMessage?chat_id=1001&text=x`;
      await expect(fetch(url, { signal })).rejects.toThrow(/timeout/i);
      expect(telegram.listRequests("sendMessage")).toMatchObject([{ status: null }]);
    });

    it("answers with something that is no JSON", async () => {
      telegram.failNext("getMe", "garbage");
      await expect(call("getMe")).rejects.toThrow(SyntaxError);
    });

    it("goes down, cutting what is open, and comes back at the same address", async () => {
      const waiting = call("getUpdates", { timeout: 50 });
      const cut = expect(waiting).rejects.toThrow();
      await telegram.waitFor(() => telegram.world.updates.polling, "the poll");
      await telegram.outage();
      await cut;
      await expect(call("getMe")).rejects.toThrow();
      await telegram.restore();
      expect((await call("getMe")).status).toBe(200);
    });
  });

  it("says what a test waited for in vain", async () => {
    await expect(telegram.waitFor(() => false, "a miracle", 5)).rejects.toThrow(
      "waited 5 ms in vain for a miracle",
    );
  });
});
