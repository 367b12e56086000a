/** The sender of an update gets a toast, an alert or a reply in the topic of the update, and a failure of that reply never throws. */
import type { Token } from "../../../../../src/sdk/channel.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelegram, type TelegramBench } from "../../../../contract/channel/telegram-bench.js";
import { promptNotice, textNotice } from "../../../../../src/compat/testing/notices.js";
import type { Tap } from "../../../../support/telegram/emulator.js";

const RECEIPT = { text: "Yes: accepted for sh", alert: false, isReceipt: true } as const;

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
    await bench.channel.respond(raw, { text: "Noted: No", alert: true });
    expect(await tap.answered()).toEqual({ text: "Noted: No", alert: true });
  });

  it("cuts what is longer than a toast may be", async () => {
    const { tap, raw } = await tapped();
    await bench.channel.respond(raw, { text: "x".repeat(500), alert: false });
    expect((await tap.answered()).text).toBe(`${"x".repeat(199)}…`);
  });

  it("tries once more when the connection is lost", async () => {
    const { tap, raw } = await tapped();
    bench.telegram.failNext("answerCallbackQuery", "drop");
    await bench.channel.respond(raw, { text: "Noted", alert: false });
    expect((await tap.answered()).text).toBe("Noted");
  });

  it("does not report a tap that is too old to be answered", async () => {
    const { raw } = await tapped();
    await bench.channel.respond(raw, { text: "Noted", alert: false });
    await bench.channel.respond(raw, { text: "Noted again", alert: false });
    expect(bench.host.lines).toEqual([]);
  });

  it.each(["drop", { status: 429, retryAfter: 30 }, { status: 500 }, { status: 403 }] as const)(
    "never throws: %j",
    async (fault) => {
      const { raw } = await tapped();
      bench.telegram.failNext("answerCallbackQuery", fault, 2);
      await bench.channel.respond(raw, { text: "Noted", alert: false });
      expect(bench.host.lines).toContainEqual(
        expect.objectContaining({ message: "telegram answer was not delivered" }),
      );
    },
  );

  it.each([true, false])("rings only where the reply deserves it: %s", async (alert) => {
    bench.ara.send("yes");
    await bench.channel.respond(await firstUpdate(), { text: "Noted", alert });
    expect(replies()).toMatchObject([{ silent: !alert }]);
  });

  it("marks the sender's message instead of sending a receipt", async () => {
    const sent = bench.ara.send("yes");
    await bench.channel.respond(await firstUpdate(), RECEIPT);
    expect(replies()).toEqual([]);
    expect(bench.telegram.messages(Number(bench.place)).find(({ id }) => id === sent)!.reaction).toBe("👌");
  });

  it.each([{ status: 400, description: "Bad Request: REACTION_INVALID" }, "drop"] as const)(
    "sends the receipt silently where the message cannot be marked: %j",
    async (fault) => {
      bench.ara.send("yes");
      bench.telegram.failNext("setMessageReaction", fault);
      await bench.channel.respond(await firstUpdate(), RECEIPT);
      expect(replies()).toMatchObject([{ text: RECEIPT.text, silent: true }]);
    },
  );

  it("replies to a text when there is something to say", async () => {
    const sent = bench.ara.send("/status");
    await bench.channel.respond(await firstUpdate(), { text: "<2> sessions", alert: false });
    expect(replies()).toMatchObject([{ text: "<2> sessions", replyTo: sent }]);
  });

  it("has a row for each answer that the text may have meant", async () => {
    bench.ara.send("yes");
    const buttons = ["k7: “Yes”", "m2: “Yes”"].map((label) => ({ token: label.slice(0, 2) as Token, label }));
    await bench.channel.respond(await firstUpdate(), { text: "Which?", alert: false, buttons });
    expect(replies()[0]!.buttons.map((row) => row.map(({ text, data }) => [text, data]))).toEqual([
      [["k7: “Yes”", "k7"]],
      [["m2: “Yes”", "m2"]],
    ]);
  });

  it("names the message of a reply with buttons, which is settled like a card", async () => {
    bench.ara.send("yes");
    const buttons = [{ token: "k7" as Token, label: "k7: “Yes”" }];
    const ref = await bench.channel.respond(await firstUpdate(), { text: "Tap:", alert: false, buttons });
    const notice = textNotice(bench.place, "k7  mytool: Overwrite?");
    await bench.channel.settle(ref!, notice, { state: "withdrawn", text: "⌨️ Answered", final: true });
    expect(replies()).toMatchObject([{ text: "⌨️ Answered\n\nk7  mytool: Overwrite?", buttons: [] }]);
  });

  it("replies in the topic where it was asked", async () => {
    const { topics } = bench.telegram.group(-1005, "Team", { forum: true });
    topics.set(77, { name: "mytool", closed: false });
    bench.ara.send("/status", { chat: -1005, threadId: 77 });
    await bench.channel.respond(await firstUpdate(), { text: "fine", alert: false });
    expect(bench.telegram.posts(-1005)).toMatchObject([{ text: "fine", threadId: 77 }]);
  });

  it("does not reply to a text when there is nothing to say", async () => {
    bench.ara.send("hello");
    await bench.channel.respond(await firstUpdate(), { text: "", alert: false });
    expect(replies()).toEqual([]);
  });

  it("answers updates of before a restart", async () => {
    const { tap, raw } = await tapped();
    await bench.again().respond(raw, { text: "Noted", alert: false });
    expect((await tap.answered()).text).toBe("Noted");
  });
});
