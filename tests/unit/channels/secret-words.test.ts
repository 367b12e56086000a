/**
 * What people write to a prompt that waits for a secret: it is stored nowhere, and the message is deleted where the service lets a bot do
 * so. A reply to the card, its id, and text in the session's own thread are taken for the secret while its prompt is open; a command is not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../src/model/prompt.js";
import { HubBench } from "./slack/hub-bench.js";

const GROUP = -1001;
const PASSWORD = "correct-horse-battery";
const SECRET: Partial<PromptEvent> = {
  promptType: "secret",
  safetyClass: "secret",
  excerpt: "Database password:",
  choices: [],
  defaultChoice: null,
};

let bench: HubBench;
afterEach(() => bench.close());

interface AskedSecret {
  readonly event: PromptEvent;
  readonly card: number;
  readonly shortId: string;
}

async function askSecret(options: { readonly chat?: number } = {}): Promise<AskedSecret> {
  bench = await HubBench.open(options);
  const { event } = await bench.ask(SECRET);
  const find = () => bench.telegram.posts(bench.chat).find(({ text }) => text.includes("waits for a secret"));
  await bench.until(() => find() !== undefined, "the card");
  const { id, text } = find()!;
  return { event, card: id, shortId: /· ([a-z0-9]{2,6})$/m.exec(text)?.[1] ?? "" };
}

/** What the bot says next in Telegram. */
async function hear(act: () => unknown): Promise<string> {
  const before = bench.telegram.posts(bench.chat).length;
  act();
  await bench.until(() => bench.telegram.posts(bench.chat).length > before, "the reply");
  return bench.telegram.posts(bench.chat).at(-1)!.text;
}

/** In every file of the ledger, its log of changes included, while the hub runs. */
function isStored(words: string): boolean {
  return readdirSync(bench.folder).some((name) => readFileSync(join(bench.folder, name)).includes(words));
}

const isInChat = (words: string): boolean =>
  bench.telegram.messages(bench.chat).some(({ text }) => text.includes(words));

const DELETED = /has deleted your message\. If it held the password, change it/;
const PLEASE_DELETE = /Delete your message: it stays in this chat's history\.$/;

describe("a password written to a bot in Telegram", () => {
  it("as a reply to the card is deleted, and stored nowhere", async () => {
    const { card } = await askSecret();
    const said = await hear(() => bench.phone.send(PASSWORD, { replyTo: card }));
    expect(said).toMatch(DELETED);
    expect(said).not.toContain(PASSWORD);
    expect([isInChat(PASSWORD), isStored(PASSWORD)]).toEqual([false, false]);
    // The search finds what is stored.
    expect(isStored("Database password:")).toBe(true);
    expect(bench.link.replies).toEqual([]);
  });

  it("with the id of the prompt is deleted, and stored nowhere", async () => {
    const { shortId } = await askSecret();
    expect(await hear(() => bench.phone.send(`Answer ${shortId} ${PASSWORD}`))).toMatch(DELETED);
    expect([isInChat(PASSWORD), isStored(PASSWORD)]).toEqual([false, false]);
  });

  it("by editing a reply is deleted, and stored nowhere", async () => {
    const { card } = await askSecret();
    bench.telegram.failNext("deleteMessage", {
      status: 400,
      description: "Bad Request: message can't be deleted",
    });
    let id = 0;
    await hear(() => (id = bench.phone.send("wait", { replyTo: card })));
    expect(await hear(() => bench.phone.edit(id, PASSWORD))).toMatch(DELETED);
    expect([isInChat(PASSWORD), isStored(PASSWORD)]).toEqual([false, false]);
  });

  it("by editing a text with the id of the prompt is stored nowhere", async () => {
    const { shortId } = await askSecret();
    let id = 0;
    await hear(() => (id = bench.phone.send("answer me")));
    await hear(() => bench.phone.edit(id, `answer ${shortId} ${PASSWORD}`));
    expect(isStored(PASSWORD)).toBe(false);
  });

  it("under a picture is stored nowhere, and the picture stays", async () => {
    const { card, shortId } = await askSecret();
    const photo = { photo: [{ file_id: "f" }], text: undefined, caption: PASSWORD };
    const said = await hear(() => bench.phone.send("", { replyTo: card, fields: photo }));
    expect(said).toMatch(/If it shows the password: Delete your message: it stays in this chat's history\.$/);
    const named = { ...photo, caption: `answer ${shortId} ${PASSWORD}` };
    await hear(() => bench.phone.send("", { fields: named }));
    expect(bench.telegram.requests.some(({ method }) => method === "deleteMessage")).toBe(false);
    expect(isStored(PASSWORD)).toBe(false);
  });

  it.each([
    "hold the horse battery",
    "task horse battery",
    "screen horse battery",
    "$ecret-horse-battery",
    "$ horse battery",
  ])("is stored nowhere though it begins like a command: %s", async (words) => {
    const { card } = await askSecret();
    expect(await hear(() => bench.phone.send(words, { replyTo: card }))).toMatch(DELETED);
    expect([isInChat(words), isStored("horse battery"), isStored("ecret-horse")]).toEqual([
      false,
      false,
      false,
    ]);
    expect(bench.link.calls).toEqual([]);
  });

  it("with the id of the prompt is stored nowhere and answers nothing, though it replies to the card of another prompt", async () => {
    const { shortId } = await askSecret();
    const before = bench.telegram.posts(bench.chat).length;
    await bench.ask({ promptType: "free_text", excerpt: "Name?", choices: [], defaultChoice: null });
    await bench.until(() => bench.telegram.posts(bench.chat).length > before, "the other card");
    const other = bench.telegram.posts(bench.chat).at(-1)!.id;
    await hear(() => bench.phone.send(`answer ${shortId} ${PASSWORD}`, { replyTo: other }));
    expect([isInChat(PASSWORD), isStored(PASSWORD)]).toEqual([false, false]);
    expect(bench.link.replies).toEqual([]);
  });

  it("is not what a command in a reply to the card is taken for", async () => {
    const { card } = await askSecret();
    expect(await hear(() => bench.phone.send("status", { replyTo: card }))).toContain("Answers are accepted");
    expect(isInChat("status")).toBe(true);
    bench.phone.send("screen", { replyTo: card });
    await bench.until(() => bench.link.calls.includes("session.screen"), "the request");
    expect(isInChat("screen")).toBe(true);
  });

  it("is not what a reply to the card is taken for after the prompt has ended", async () => {
    const { card, event } = await askSecret();
    const withdrawn = { promptId: event.promptId, reason: "answered_locally" } as const;
    await bench.core.handlers["prompt.withdraw"](withdrawn, { sessionId: event.sessionId });
    const said = await hear(() => bench.phone.send("thanks, I typed it", { replyTo: card }));
    expect(said).not.toMatch(/delete/i);
    expect(isInChat("thanks, I typed it")).toBe(true);
  });

  it.each([
    [true, DELETED],
    [false, PLEASE_DELETE],
  ])("in a group goes if the bot may delete there: %s", async (mayDelete, words) => {
    const { card } = await askSecret({ chat: GROUP });
    bench.telegram.world.chats.get(GROUP)!.deleteRights = mayDelete;
    expect(await hear(() => bench.phone.send(PASSWORD, { chat: GROUP, replyTo: card }))).toMatch(words);
    expect([isInChat(PASSWORD), isStored(PASSWORD)]).toEqual([!mayDelete, false]);
  });

  it("is to be deleted by its writer where the service does not answer", async () => {
    const { card } = await askSecret();
    bench.telegram.failNext("deleteMessage", "drop");
    expect(await hear(() => bench.phone.send(PASSWORD, { replyTo: card }))).toMatch(PLEASE_DELETE);
  });

  it("is not what every text is taken for", async () => {
    const { shortId } = await askSecret();
    expect(await hear(() => bench.phone.send("hello"))).toBe(
      `🔒 ${shortId} waits for a secret, which can only be typed at the terminal. If that was it: Delete your message: it stays in this chat's history.`,
    );
    expect(isInChat("hello")).toBe(true);
    expect(await hear(() => bench.phone.send("status"))).toContain("type it at the terminal");
  });
});

describe("a password written to an app in Slack", () => {
  it.each(["message", "command"] as const)("as a %s is to be deleted, and stored nowhere", async (how) => {
    const { shortId } = await askSecret();
    const words = `answer ${shortId} ${PASSWORD}`;
    const { im } = bench.ara;
    const replies = () => bench.slack.posts(im!).filter(({ user }) => user !== bench.ara.id);
    if (how === "command") expect(await bench.ara.command(words).told()).toMatch(PLEASE_DELETE);
    else {
      bench.ara.say(words);
      await bench.until(() => replies().length > 0, "the reply");
      expect(replies().at(-1)?.text).toMatch(PLEASE_DELETE);
    }
    expect(isStored(PASSWORD)).toBe(false);
  });

  const refusals = (count: number): Promise<void> =>
    bench.until(() => bench.audited("answer_rejected").length === count, `${count} refusals`);

  it("in the thread of its session, by editing there too, is stored nowhere", async () => {
    bench = await HubBench.open();
    const { card } = await bench.ask(SECRET);
    const threadTs = card.threadTs ?? card.ts;
    bench.ara.mention(bench.place, PASSWORD, { threadTs });
    await refusals(1);
    bench.ara.edit(bench.ara.mention(bench.place, "wait", { threadTs }), PASSWORD);
    await refusals(3);
    expect(isStored(PASSWORD)).toBe(false);
    expect(isStored("Database password:")).toBe(true);
  });

  it("by editing a message to it, or from it, is stored nowhere", async () => {
    const { shortId } = await askSecret();
    bench.ara.edit(bench.ara.say(`answer ${shortId} x`), `answer ${shortId} ${PASSWORD}`);
    await refusals(2);
    bench.ara.edit(bench.ara.say(`answer ${shortId} ${PASSWORD}`), "oops");
    await refusals(4);
    expect(isStored(PASSWORD)).toBe(false);
  });

  it("is not what a command in the thread of its session is taken for", async () => {
    bench = await HubBench.open();
    const { card } = await bench.ask(SECRET);
    bench.ara.mention(bench.place, "screen", { threadTs: card.threadTs ?? card.ts });
    await bench.until(() => bench.link.calls.includes("session.screen"), "the request");
  });
});
