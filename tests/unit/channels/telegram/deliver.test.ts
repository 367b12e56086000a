/**
 * A card in Telegram is posted with its content and its buttons, in plain text where the service refuses the markup, and is
 * settled by editing. Each failure says whether the message was posted and whether a retry helps.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelegram, type TelegramBench } from "../../../contract/channel/telegram-bench.js";
import { buttonsFor, CHOICES, promptNotice, textNotice } from "../../../../src/compat/testing/notices.js";
import type { Outcome } from "../../../../src/sdk/channel.js";

const ANSWERED: Outcome = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true };
const LONG = "0123456789\n".repeat(1000);

/** As much of a PNG as the service needs to know its size. */
function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  head.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

describe("delivering to Telegram", () => {
  let bench: TelegramBench;

  beforeEach(async () => {
    bench = await openTelegram();
  });
  afterEach(() => bench.stop());

  const deliver = (over: Parameters<typeof promptNotice>[1] = {}) =>
    bench.channel.deliver(promptNotice(bench.place, over));
  const posts = () => bench.telegram.posts(Number(bench.place));
  const refusal = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => "accepted",
      (error: unknown) => error,
    );

  it("posts one message with the question, the content and a button a row", async () => {
    const ref = await deliver();
    expect(posts()).toHaveLength(1);
    expect(bench.post(ref).text).toContain("Do you want to run this command?\nnpm test -- --watch=false");
    expect(bench.post(ref).buttons.map((row) => row.length)).toEqual([1, 1, 1]);
  });

  it("rings, but not in quiet hours", async () => {
    expect(bench.post(await deliver()).silent).toBe(false);
    expect(bench.post(await deliver({ quiet: true })).silent).toBe(true);
  });

  it("loads no preview of an address in a card", async () => {
    await deliver({ question: "Fetch https://example.org?" });
    expect(bench.telegram.listRequests("sendMessage").at(-1)?.payload["link_preview_options"]).toEqual({
      is_disabled: true,
    });
  });

  it("posts long content whole, as a silent file that the card answers, before the card", async () => {
    const ref = await deliver({ content: { text: LONG, cut: null } });
    const [file, card] = posts();
    expect(file).toMatchObject({ silent: true, document: { name: "mytool-k7.txt" } });
    expect(file!.document!.data.toString("utf8")).toBe(LONG);
    expect(card).toMatchObject({ id: ref["messageId"], replyTo: file!.id });
    expect(card!.text).toContain("characters not shown: open the file, then accept.");
  });

  it("reports for each visible call where it went: card, file, change, second try", async () => {
    const written = bench.host.written;
    const notice = promptNotice(bench.place, { content: { text: LONG, cut: null } });
    const ref = await bench.channel.deliver(notice);
    expect(written.splice(0)).toEqual([bench.place, bench.place]);
    bench.telegram.failNext("editMessageText", {
      status: 400,
      description: "Bad Request: can't parse entities: x",
    });
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(written).toEqual([bench.place, bench.place]);
    expect(bench.telegram.listRequests("editMessageText")).toHaveLength(2);
  });

  it("does not take a card as changed because of an ok without a message", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.telegram.failNext("editMessageText", "hollow");
    expect(await refusal(bench.channel.settle(ref, notice, ANSWERED))).toMatchObject({ permanent: false });
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(bench.post(ref).text).toContain(ANSWERED.text);
  });

  it("does not post the file again when only the card failed", async () => {
    const notice = promptNotice(bench.place, { content: { text: LONG, cut: null } });
    bench.telegram.failNext("sendMessage", { status: 429, retryAfter: 3 });
    expect(await refusal(bench.channel.deliver(notice))).toMatchObject({
      certainty: "not_sent",
      retryAfterMs: 3000,
    });
    await bench.channel.deliver(notice);
    expect(posts().map((post) => post.document?.name)).toEqual(["mytool-k7.txt", undefined]);
  });

  it("shows no card whose file could not be attached", async () => {
    bench.telegram.failNext("sendDocument", { status: 500 });
    expect(await refusal(deliver({ content: { text: LONG, cut: null } }))).toMatchObject({
      certainty: "unknown",
    });
    expect(posts()).toEqual([]);
  });

  it("posts the card although somebody deleted its file", async () => {
    const notice = promptNotice(bench.place, { content: { text: LONG, cut: null } });
    bench.telegram.failNext("sendMessage", "drop");
    await refusal(bench.channel.deliver(notice));
    bench.telegram.world.chats.remove(Number(bench.place), posts()[0]!.id);
    await bench.channel.deliver(notice);
    expect(posts()).toHaveLength(1);
  });

  it("falls back to plain text when the service cannot read the markup", async () => {
    bench.telegram.failNext("sendMessage", {
      status: 400,
      description: "Bad Request: can't parse entities: Unclosed start tag at byte offset 0",
    });
    const ref = await deliver({ content: { text: "1 < 2 && x", cut: null } });
    expect(bench.telegram.listRequests("sendMessage").at(-1)?.payload).not.toHaveProperty("parse_mode");
    expect(bench.post(ref).entities).toEqual([]);
    expect(bench.post(ref).text).toContain("1 < 2 && x");
    expect(bench.post(ref).buttons).toHaveLength(3);
  });

  it("settles in plain text, too, when the service cannot read the markup", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.telegram.failNext("editMessageText", {
      status: 400,
      description: "Bad Request: can't parse entities: x",
    });
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(bench.post(ref).text).toMatch(
      /^✅ Yes, by Ara, confirmed\napi · mytool: npm test -- --watch=false · k7$/,
    );
  });

  it("settles by editing: outcome on top, content kept, hints and buttons gone", async () => {
    const notice = promptNotice(bench.place, { acceptsText: true });
    const ref = await bench.channel.deliver(notice);
    await bench.channel.settle(ref, notice, ANSWERED);
    expect(posts()).toHaveLength(1);
    expect(bench.post(ref)).toMatchObject({ buttons: [], edits: 1 });
    expect(bench.post(ref).text).not.toContain("↩️");
    expect(bench.post(ref).text).not.toContain("⏳");
  });

  it("keeps the buttons, with new tokens, while the question stands", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    const outcome = {
      state: "refused",
      text: "⚠️ Not applied",
      final: false,
      buttons: buttonsFor(CHOICES, "b"),
    } as const;
    await bench.channel.settle(ref, notice, outcome);
    expect(
      bench
        .post(ref)
        .buttons.flat()
        .map(({ data }) => data),
    ).toEqual(["tok-b-1", "tok-b-2", "tok-b-3"]);
  });

  it("has nothing to settle where somebody deleted the card", async () => {
    const notice = promptNotice(bench.place);
    const ref = await bench.channel.deliver(notice);
    bench.telegram.world.chats.remove(Number(bench.place), Number(ref["messageId"]));
    await expect(bench.channel.settle(ref, notice, ANSWERED)).resolves.toBeUndefined();
  });

  it("settles a text by writing the outcome above it", async () => {
    const notice = textNotice(bench.place, "Paused.");
    const ref = await bench.channel.deliver(notice);
    await bench.channel.settle(ref, notice, { state: "withdrawn", text: "Resumed.", final: true });
    expect(bench.post(ref).text).toBe("Resumed.\n\nPaused.");
  });

  it("posts a text as it is, and one that is too long also as a file", async () => {
    await bench.channel.deliver(textNotice(bench.place, "<b>1 & 2"));
    await bench.channel.deliver(textNotice(bench.place, LONG));
    const [short, file, long] = posts();
    expect(short!.text).toBe("<b>1 & 2");
    expect(file!.document!.data.toString("utf8")).toBe(LONG);
    expect(long!.text).toHaveLength(4096);
  });

  it("posts a screen in a fixed font, its lower end where it is too long, and then all of it as a file", async () => {
    const ref = await bench.channel.deliver({ ...textNotice(bench.place, "🖥 api"), block: "<$ make>\ndone" });
    expect(bench.post(ref)).toMatchObject({ text: "🖥 api\n<$ make>\ndone", entities: [{ type: "pre" }] });
    const long = await bench.channel.deliver({
      ...textNotice(bench.place, "🖥 api"),
      block: `${LONG}the end`,
    });
    expect(bench.post(long).text).toMatch(/^🖥 api\n…[\s\S]*the end$/);
    const file = posts().find(({ document }) => document?.name === "screen.txt");
    expect(file!.document!.data.toString("utf8")).toBe(`${LONG}the end`);
  });

  it.each([
    ["a photo", "photo", 720, 480],
    ["a file where it is too long and narrow for a photo", "document", 8_200, 400],
  ] as const)(
    "posts the picture of a screen as %s, with its text in the same message",
    async (_, kind, width, height) => {
      const picture = pngHead(width, height);
      const ref = await bench.channel.deliver({
        ...textNotice(bench.place, "🖥 <api>"),
        block: "$ make",
        picture,
      });
      expect(posts()).toHaveLength(1);
      expect(bench.post(ref)).toMatchObject({ text: "🖥 <api>", entities: [] });
      expect(bench.post(ref)[kind]!.data.equals(picture)).toBe(true);
    },
  );

  it.each([
    ["blocked", { status: 403, description: "Forbidden: bot was blocked by the user" }],
    ["refused", { status: 400, description: "Bad Request: chat not found" }],
  ] as const)("says that a retry does not help: %s", async (_, fault) => {
    bench.telegram.failNext("sendMessage", fault);
    expect(await refusal(deliver())).toMatchObject({
      permanent: true,
      certainty: "not_sent",
      message: expect.stringContaining(fault.description) as string,
    });
  });

  it("refuses a place that is no chat id without asking anybody", async () => {
    expect(await refusal(bench.channel.deliver(promptNotice("@channel")))).toMatchObject({ permanent: true });
    expect(await refusal(bench.channel.deliver(promptNotice("")))).toMatchObject({ permanent: true });
    expect(bench.telegram.requests).toEqual([]);
  });

  it("gives up a post that hangs, and does not know whether it was posted", async () => {
    const hasty = bench.open(bench.host, { callMs: 100 });
    bench.telegram.failNext("sendMessage", "hang-after-effect");
    expect(await refusal(hasty.deliver(promptNotice(bench.place)))).toMatchObject({ certainty: "unknown" });
    expect(posts()).toHaveLength(1);
  });

  it("does not take a card as posted without its id", async () => {
    bench.telegram.failNext("sendMessage", "hollow");
    expect(await refusal(deliver())).toMatchObject({ name: "DeliveryError", certainty: "unknown" });
    bench.telegram.failNext("sendDocument", "hollow");
    expect(await refusal(deliver({ content: { text: LONG, cut: null } }))).toMatchObject({
      certainty: "unknown",
    });
  });

  it("works behind a path and keeps it", async () => {
    const proxied = await openTelegram({}, { basePath: "/proxy/telegram" });
    await proxied.channel.deliver(promptNotice(proxied.place));
    expect(proxied.telegram.posts(Number(proxied.place))).toHaveLength(1);
    await proxied.stop();
  });
});
