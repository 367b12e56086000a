/** “💬 Other…” asks for a reply to the card, and that reply is read as the words of the pressed choice. */
import type { PromptNotice } from "../../../../../src/sdk/channel.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  formatTextRequest,
  parseTextRequest,
  listTextRequests,
} from "../../../../../channels/telegram/updates/person-question.js";
import type { Overview } from "../../../../../src/sdk/channel.js";
import { CHOICES, freeTextNotice, promptNotice } from "../../../../../src/compat/testing/notices.js";
import { openTelegram, type TelegramBench } from "../../../../contract/channel/telegram-bench.js";
import type { Message } from "../../../../support/telegram/emulator.js";

const NOTHING: Overview = { ifNone: "No open prompts.", paused: false, prompts: [], sessions: [] };
const WORDY = [
  CHOICES[0]!,
  { label: "No, and tell Claude why", intent: "reject_once", takesText: "required" },
] as const;

describe("asking for the words of an answer", () => {
  let bench: TelegramBench;

  beforeEach(async () => {
    bench = await openTelegram();
    bench.host.view = () => NOTHING;
    await bench.channel.start(bench.host);
  });
  afterEach(() => bench.stop());

  /** Posts a card whose question is open. */
  async function show(notice: PromptNotice): Promise<Message> {
    bench.host.open.set(notice.deliveryId, notice);
    return bench.post(await bench.channel.deliver(notice));
  }
  const asked = (chat = Number(bench.place)): Promise<Message> =>
    bench.telegram.waitFor(() => bench.telegram.posts(chat).find(({ locked }) => locked), "the request");
  const replies = () =>
    bench.host.meanings(bench.channel).filter((meaning) => meaning?.kind === "text_reply");

  it("opens a reply to the card, and takes the reply for the card's", async () => {
    const notice = freeTextNotice(bench.place);
    const card = await show(notice);
    expect(card.buttons.flat().map(({ text }) => text)).toEqual(["💬 Answer…"]);
    const tap = bench.ara.press(card.id, 0);
    const request = await asked();
    expect(await tap.answered()).toEqual({ text: "", alert: false });
    expect(request).toMatchObject({ replyTo: card.id });
    expect(request.text).toContain("What should the package be called?");
    bench.ara.send("atlas", { replyTo: request.id });
    await bench.until(() => replies().length > 0, "the reply");
    expect(replies()).toMatchObject([{ deliveryId: notice.deliveryId, text: "atlas" }]);
  });

  it("reads the words as those of the choice that was pressed, also after a restart", async () => {
    const card = await show(promptNotice(bench.place, { choices: WORDY, acceptsText: true }));
    expect(card.buttons.flat().map(({ text }) => text)).toEqual(["1. Yes", "💬 2. No, and tell Claude why…"]);
    bench.ara.press(card.id, 1);
    bench.ara.send("use tabs", { replyTo: (await asked()).id });
    await bench.until(() => bench.host.updates.size === 2, "the reply");
    expect(bench.host.meanings(bench.again()).at(-1)).toMatchObject({ text: "2: use tabs" });
  });

  it("keeps the plain button of a choice whose words are optional, and offers the words below", async () => {
    const [yes, no] = WORDY;
    const choices = [yes, { ...no, takesText: "optional" as const }];
    const card = await show(promptNotice(bench.place, { choices, acceptsText: true }));
    expect(card.buttons.flat().map(({ data }) => data.slice(0, 4))).toEqual(["tok-", "tok-", "say:"]);
  });

  it("asks by name, and in the topic, in a group", async () => {
    bench.telegram.group(-1007, "Team", { forum: true });
    const card = await show(freeTextNotice("-1007"));
    bench.ara.press(card.id, 0, -1007);
    const request = await asked(-1007);
    expect(request).toMatchObject({ threadId: card.threadId, replyTo: card.id });
    const { payload } = bench.telegram.listRequests("sendMessage").at(-1)!;
    expect(request.text).toMatch(/^Ara, /);
    expect(payload["entities"]).toMatchObject([{ type: "text_mention", length: 3, user: { id: 1001 } }]);
  });

  it.each([
    ["a stranger", () => null, true, "You may not answer this prompt."],
    ["a settled question", () => NOTHING, false, "This prompt is no longer open."],
  ])("asks nothing of %s, and says why", async (_, view, open, told) => {
    const notice = freeTextNotice(bench.place);
    const card = await show(notice);
    bench.host.view = view;
    if (!open) bench.host.open.clear();
    expect(await bench.ara.press(card.id, 0).answered()).toEqual({ text: told, alert: true });
    expect(bench.telegram.posts(Number(bench.place))).toHaveLength(1);
  });

  it("asks nothing where the card was not shown", async () => {
    const card = await show(freeTextNotice(bench.place));
    const other = bench.telegram.user(1002, "Vi");
    const tap = other.pressToken(1, card.buttons[0]![0]!.data);
    expect((await tap.answered()).text).toBe("This prompt is no longer open.");
  });

  it("survives a service that does not take the request", async () => {
    const card = await show(freeTextNotice(bench.place));
    bench.telegram.failNext("sendMessage", { status: 403 });
    bench.ara.press(card.id, 0);
    await bench.until(() => bench.host.spoken().includes("did not ask for a reply"), "the log line");
  });
});

describe("the label of a request for words", () => {
  const labels = (over: Partial<PromptNotice>) =>
    listTextRequests(promptNotice("1", { acceptsText: true, ...over })).map(({ label }) => label);

  it("for a check list says which numbers to write, and for one choice asks for its text", () => {
    const request = { deliveryId: "d1", before: "", label: "", choice: 0 };
    const wording = (over: Partial<PromptNotice>, choice = 0): string =>
      formatTextRequest(promptNotice("1", over), { ...request, choice });
    expect(wording({ multi: true })).toMatch(/with the numbers of your choices, like 1,3, or with none\.\n/);
    expect(wording({ multi: false }, 3)).toMatch(/with your answer\.\n3\. No$/);
  });

  it.each([
    [{ acceptsText: false, promptType: "free_text" }, []],
    [{ promptType: "yes_no" }, []],
    [{ promptType: "unknown", choices: [] }, ["💬 Type text…"]],
    [{ multi: true }, ["☑️ Choose…"]],
    [{}, []],
  ] as const)("is known by the question: %j", (over, expected) => {
    expect(labels(over)).toEqual(expected);
  });

  it("fits a button", () => {
    const deliveryId = "11111111-1111-4111-8111-111111111111";
    expect(parseTextRequest(`say:${deliveryId}:9999`)).toEqual({ deliveryId, choice: 9999 });
    expect(Buffer.byteLength(`say:${deliveryId}:9999`)).toBeLessThanOrEqual(64);
    expect(parseTextRequest("V1StGXR8_Z5jdHi6B-myT")).toBeNull();
  });
});
