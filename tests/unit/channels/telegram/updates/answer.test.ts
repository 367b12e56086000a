/** The sender of an update gets a toast, an alert or a reply in the topic of the update, and a failure of that reply never throws. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelegram, type TelegramBench } from "../../../../contract/channel/telegram-bench.js";
import { promptNotice } from "../../../../contract/channel/notices.js";
import type { Tap } from "../../../../support/telegram/emulator.js";

describe("answering the sender of an update", () => {
  let bench: TelegramBench;

  beforeEach(async () => {
    bench = await openTelegram();
    await bench.channel.start(bench.host);
  });
  afterEach(() => bench.stop());

  const tapped = async (): Promise<{ tap: Tap; raw: unknown }> => {
    const ref = await bench.channel.deliver(promptNotice(bench.place));
    const tap = bench.ara.press(Number(ref["messageId"]), 2);
    return { tap, raw: await firstUpdate() };
  };
  const firstUpdate = async (): Promise<unknown> => {
    await bench.until(() => bench.host.updates.size > 0, "the update");
    return [...bench.host.updates.values()][0];
  };
  const replies = () => bench.telegram.posts(Number(bench.place));

  it("stops the spinner with a toast, or with an alert that has to be closed", async () => {
    const { tap, raw } = await tapped();
    await bench.channel.answer(raw, { text: "Noted: No", alert: true });
    expect(await tap.answered()).toEqual({ text: "Noted: No", alert: true });
  });

  it("cuts what is longer than a toast may be", async () => {
    const { tap, raw } = await tapped();
    await bench.channel.answer(raw, { text: "x".repeat(500), alert: false });
    expect((await tap.answered()).text).toBe(`${"x".repeat(199)}…`);
  });

  it("tries once more when the connection is lost", async () => {
    const { tap, raw } = await tapped();
    bench.telegram.failNext("answerCallbackQuery", "drop");
    await bench.channel.answer(raw, { text: "Noted", alert: false });
    expect((await tap.answered()).text).toBe("Noted");
  });

  it("does not report a tap that is too old to be answered", async () => {
    const { raw } = await tapped();
    await bench.channel.answer(raw, { text: "Noted", alert: false });
    await bench.channel.answer(raw, { text: "Noted again", alert: false });
    expect(bench.host.lines).toEqual([]);
  });

  it.each(["drop", { status: 429, retryAfter: 30 }, { status: 500 }, { status: 403 }] as const)(
    "never throws: %j",
    async (fault) => {
      const { raw } = await tapped();
      bench.telegram.failNext("answerCallbackQuery", fault, 2);
      await bench.channel.answer(raw, { text: "Noted", alert: false });
      expect(bench.host.lines).toContainEqual(
        expect.objectContaining({ message: "telegram answer was not delivered" }),
      );
    },
  );

  it("replies to a text when there is something to say", async () => {
    const sent = bench.ara.send("/status");
    await bench.channel.answer(await firstUpdate(), { text: "<2> sessions", alert: false });
    expect(replies()).toMatchObject([{ text: "<2> sessions", replyTo: sent }]);
  });

  it("replies in the topic where it was asked", async () => {
    const { topics } = bench.telegram.group(-1005, "Team", { forum: true });
    topics.set(77, { name: "claude", closed: false });
    bench.ara.send("/status", { chat: -1005, threadId: 77 });
    await bench.channel.answer(await firstUpdate(), { text: "fine", alert: false });
    expect(bench.telegram.posts(-1005)).toMatchObject([{ text: "fine", threadId: 77 }]);
  });

  it("does not reply to a text when there is nothing to say", async () => {
    bench.ara.send("hello");
    await bench.channel.answer(await firstUpdate(), { text: "", alert: false });
    expect(replies()).toEqual([]);
  });

  it("answers updates of before a restart", async () => {
    const { tap, raw } = await tapped();
    await bench.again().answer(raw, { text: "Noted", alert: false });
    expect((await tap.answered()).text).toBe("Noted");
  });
});
