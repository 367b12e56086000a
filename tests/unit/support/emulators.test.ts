/** The emulators of Slack and Telegram take what the service takes, refuse what it refuses, and pass on what people do. */
import { WebSocket } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSlack, type SlackEmulator } from "../../support/slack/emulator.js";
import { startTelegram, type TelegramEmulator } from "../../support/telegram/emulator.js";

interface Reply {
  readonly [member: string]: unknown;
}

async function post(url: string, payload: object, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(payload),
  });
  return (await response.json()) as Reply;
}

describe("the Slack emulator", () => {
  let slack: SlackEmulator;
  beforeEach(async () => {
    slack = await startSlack({ rates: null });
    slack.channel("C0WORK", [slack.user("U0ARA", "Ara")]);
  });
  afterEach(() => slack.stop());

  const call = (method: string, payload: object, token = slack.botToken): Promise<Reply> =>
    post(`${slack.apiUrl}${method}`, payload, { authorization: `Bearer ${token}` });

  it("takes a message, and refuses a wrong token, an unknown channel and a button that is too long", async () => {
    const button = (text: string): object => ({
      channel: "C0WORK",
      text: "hello",
      blocks: [{ type: "actions", elements: [{ type: "button", text: { type: "plain_text", text } }] }],
    });
    expect(await call("chat.postMessage", button("Yes"))).toMatchObject({ ok: true });
    expect(slack.posts("C0WORK")).toMatchObject([{ text: "hello" }]);
    expect(await call("auth.test", {}, "xoxb-wrong")).toMatchObject({ error: "invalid_auth" });
    expect(await call("chat.postMessage", { channel: "C0NONE", text: "x" })).toMatchObject({
      error: "channel_not_found",
    });
    expect(await call("chat.postMessage", button("x".repeat(76)))).toMatchObject({
      error: "invalid_blocks",
      errors: ["must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]"],
    });
  });

  it("hands an event to a connection until it is acknowledged", async () => {
    const { url } = await call("apps.connections.open", {}, slack.appToken);
    const socket = new WebSocket(String(url));
    const types: unknown[] = [];
    socket.addEventListener("message", ({ data }) => {
      const { type, envelope_id: id } = JSON.parse(String(data)) as Reply;
      types.push(type);
      if (id !== undefined) socket.send(JSON.stringify({ envelope_id: id, payload: {} }));
      slack.changed();
    });
    await slack.waitFor(() => types.length === 1, "hello");
    const ack = await slack.world.gateway.send("events_api", { event_id: "Ev1" });
    expect([types, ack]).toEqual([["hello", "events_api"], { kind: "acked", payload: {} }]);
    socket.close();
  });
});

describe("the Telegram emulator", () => {
  let telegram: TelegramEmulator;
  beforeEach(async () => {
    telegram = await startTelegram({ rate: null });
    telegram.user(1001, "Ara");
  });
  afterEach(() => telegram.stop());

  const call = (method: string, payload: object = {}, token = telegram.token): Promise<Reply> =>
    post(`${telegram.apiRoot}/bot${token}/${method}`, payload);

  it("takes a message, and refuses a wrong token, an unknown chat and markup that does not end", async () => {
    const text = { chat_id: 1001, parse_mode: "HTML", text: "<b>bold</b>" };
    expect(await call("sendMessage", text)).toMatchObject({ ok: true });
    expect(telegram.messages(1001)).toMatchObject([{ text: "bold", entities: [{ type: "bold" }] }]);
    expect(await call("getMe", {}, "7000001:wrong")).toMatchObject({ description: "Unauthorized" });
    expect(await call("sendMessage", { ...text, chat_id: 2002 })).toMatchObject({
      description: "Bad Request: chat not found",
    });
    expect(await call("sendMessage", { ...text, text: "<b>bold" })).toMatchObject({
      description: "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
    });
  });

  it("hands out an update until an offset confirms it", async () => {
    telegram.user(1001).send("now");
    const { result } = await call("getUpdates");
    expect(result).toMatchObject([{ message: { text: "now" } }]);
    const [{ update_id: id } = { update_id: 0 }] = result as { update_id: number }[];
    expect((await call("getUpdates", { offset: id })).result).toHaveLength(1);
    expect((await call("getUpdates", { offset: id + 1 })).result).toEqual([]);
  });
});
