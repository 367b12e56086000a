/** A card that the hub has no record of loses its buttons and says so, on Telegram and on Slack, whichever button was pressed. */
import { afterEach, describe, expect, it } from "vitest";
import type { InboundResponse } from "../../../src/sdk/channel.js";
import { freeTextNotice, promptNotice } from "../../../src/compat/testing/notices.js";
import { openSlack, type SlackBench } from "../../contract/channel/slack-bench.js";
import { openTelegram, type TelegramBench } from "../../contract/channel/telegram-bench.js";
import { readable } from "../../support/slack/conversations.js";
import { listButtons } from "../../support/slack/payloads.js";

const UNKNOWN: InboundResponse = { text: "No record of this card.", alert: true, closesCard: true };
const benches: { stop(): Promise<void> }[] = [];
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.stop())));

/** Its hub knows no card, and says so of each button that is an answer. */
async function telegram(): Promise<TelegramBench> {
  const bench = await openTelegram();
  benches.push(bench);
  bench.host.onUpdate = (raw) =>
    bench.channel.interpret(raw) === null ? undefined : void bench.channel.respond(raw, UNKNOWN);
  await bench.channel.start(bench.host);
  return bench;
}

async function slack(): Promise<SlackBench> {
  const bench = await openSlack();
  benches.push(bench);
  bench.host.onUpdate = (raw) =>
    bench.channel.interpret(raw) === null ? undefined : void bench.channel.respond(raw, UNKNOWN);
  await bench.channel.start(bench.host);
  await bench.until(() => bench.host.state === "connected", "a connection");
  return bench;
}

describe("a card that the hub has no record of", () => {
  it.each([
    ["an answer", promptNotice],
    ["a button that asks for words", freeTextNotice],
  ])("loses its buttons on Telegram and says why above its own words: %s", async (_, make) => {
    const bench = await telegram();
    const notice = make(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.host.unknown.add(notice.deliveryId);
    const before = bench.post(ref);
    expect(before.buttons.length).toBeGreaterThan(0);
    expect(await bench.ara.press(before.id, 0).answered()).toEqual({ text: UNKNOWN.text, alert: true });
    await bench.until(() => bench.post(ref).buttons.length === 0, "no buttons");
    const after = bench.post(ref);
    expect(after.text).toBe(`${UNKNOWN.text}\n\n${before.text}`);
    const moved = before.entities.map((mark) => ({ ...mark, offset: mark.offset + UNKNOWN.text.length + 2 }));
    expect(after.entities).toEqual(expect.arrayContaining(moved));
    expect(bench.telegram.posts(Number(bench.place))).toHaveLength(1);
  });

  it("loses at least its buttons on Telegram where the service does not tell its words", async () => {
    const bench = await telegram();
    const ref = await bench.channel.deliver(promptNotice(bench.place));
    const before = bench.post(ref);
    bench.host.onUpdate = (raw) => {
      delete (raw as { update: { callback_query: { message: { text?: string } } } }).update.callback_query
        .message.text;
      void bench.channel.respond(raw, UNKNOWN);
    };
    bench.ara.press(before.id, 0);
    await bench.until(() => bench.post(ref).buttons.length === 0, "no buttons");
    expect(bench.post(ref).text).toBe(before.text);
  });

  it.each([
    ["an answer", promptNotice],
    ["a button that opens a form", freeTextNotice],
  ])("loses its buttons on Slack and says why above its own words: %s", async (_, make) => {
    const bench = await slack();
    const notice = make(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.host.unknown.add(notice.deliveryId);
    const before = readable(bench.post(ref).blocks);
    expect(listButtons(bench.post(ref)).length).toBeGreaterThan(0);
    expect(await bench.ara.press(bench.post(ref), 0).told()).toBe(UNKNOWN.text);
    await bench.until(() => listButtons(bench.post(ref)).length === 0, "no buttons");
    const after = readable(bench.post(ref).blocks);
    expect(after.startsWith(UNKNOWN.text)).toBe(true);
    for (const line of before.split("\n").slice(0, 3)) expect(after).toContain(line);
    expect(bench.ara.form).toBeUndefined();
  });
});
