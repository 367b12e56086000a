/** A group with topics has one topic for each session, named after it and closed at its end. Private chats and plain groups have none. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promptNotice, SESSION, textNotice } from "../../../../../src/compat/testing/notices.js";
import { openTelegram, type TelegramBench } from "../../../../contract/channel/telegram-bench.js";
import type { Chat } from "../../../../support/telegram/chats.js";

const FORUM = -1007;
const place = String(FORUM);
const OTHER = { ...SESSION, sessionId: "33333333-3333-4333-8333-333333333333" as never, tool: "codex" };
const LONG = "0123456789\n".repeat(1000);

describe("a group with topics", () => {
  let bench: TelegramBench;
  let forum: Chat;

  beforeEach(async () => {
    bench = await openTelegram();
    forum = bench.telegram.group(FORUM, "Team", { forum: true });
  });
  afterEach(() => bench.stop());

  const shown = () =>
    bench.telegram.posts(FORUM).filter(({ text, document }) => text !== "" || document !== null);
  const threads = () => shown().map(({ threadId }) => threadId);

  it("gives every session a topic of its own, named after it", async () => {
    await bench.channel.deliver(promptNotice(place));
    await bench.channel.deliver(promptNotice(place));
    await bench.channel.deliver(promptNotice(place, { session: OTHER }));
    expect([...forum.topics.values()].map(({ name }) => name)).toEqual([
      "mytool · api · ~/src/api",
      "codex · api · ~/src/api",
    ]);
    const [first, second] = [...forum.topics.keys()];
    expect(threads()).toEqual([first, first, second]);
  });

  it("opens one topic for two cards at once, and puts a file beside its card", async () => {
    const content = { text: LONG, cut: null };
    await Promise.all([
      bench.channel.deliver(promptNotice(place, { content })),
      bench.channel.deliver(promptNotice(place)),
    ]);
    expect(forum.topics.size).toBe(1);
    const [topic] = [...forum.topics.keys()];
    expect(threads()).toEqual([topic, topic, topic]);
  });

  it("goes on in the same topic after a restart", async () => {
    await bench.channel.deliver(promptNotice(place));
    await bench.again().deliver(promptNotice(place));
    expect(forum.topics.size).toBe(1);
    expect(new Set(threads()).size).toBe(1);
  });

  it("closes the topic with the last message of its session, and only then", async () => {
    await bench.channel.deliver(promptNotice(place));
    await bench.channel.deliver(textNotice(place, "⏰ k7 still waits"));
    const [topic] = [...forum.topics.values()];
    expect(topic!.closed).toBe(false);
    await bench.channel.deliver(textNotice(place, "⏹ mytool ended.", { ...SESSION, ended: true }));
    expect(topic!.closed).toBe(true);
    expect(new Set(threads()).size).toBe(1);
  });

  it("has posted the last message although the topic could not be closed", async () => {
    await bench.channel.deliver(promptNotice(place));
    bench.telegram.failNext("closeForumTopic", { status: 400 });
    await bench.channel.deliver(textNotice(place, "⏹ mytool ended.", { ...SESSION, ended: true }));
    expect(shown().at(-1)!.text).toBe("⏹ mytool ended.");
    expect(bench.host.spoken()).toContain("telegram topic was not closed");
  });

  it("settles a card in a closed topic", async () => {
    const notice = promptNotice(place);
    const ref = await bench.channel.deliver(notice);
    for (const topic of forum.topics.values()) topic.closed = true;
    await bench.channel.settle(ref, notice, { state: "answered", text: "✅ Yes", final: true });
    expect(bench.post(ref).text).toMatch(/^✅ Yes/);
  });

  it("opens a new topic when somebody deleted the old one", async () => {
    await bench.channel.deliver(promptNotice(place));
    forum.topics.clear();
    await bench.channel.deliver(promptNotice(place, { content: { text: LONG, cut: null } }));
    const [topic] = [...forum.topics.keys()];
    expect(threads().slice(1)).toEqual([topic, topic]);
  });

  it("writes to the group itself where the bot may open no topics, and asks once only", async () => {
    forum.topicRights = false;
    await bench.channel.deliver(promptNotice(place));
    await bench.channel.deliver(promptNotice(place));
    expect(threads()).toEqual([null, null]);
    expect(bench.telegram.listRequests("createForumTopic")).toHaveLength(1);
    expect(bench.host.spoken()).toContain("not enough rights");
  });

  it("asks nobody for topics in a person's own chat, and opens none in a plain group", async () => {
    bench.telegram.group(-1008, "Plain");
    await bench.channel.deliver(promptNotice(bench.place));
    await bench.channel.deliver(promptNotice("-1008"));
    expect(bench.telegram.listRequests("createForumTopic")).toEqual([]);
    expect(bench.telegram.listRequests("getChat").map(({ payload }) => payload["chat_id"])).toEqual([-1008]);
  });

  it("knows whether anything was posted when opening the topic fails", async () => {
    bench.telegram.failNext("createForumTopic", { status: 429, retryAfter: 7 });
    await expect(bench.channel.deliver(promptNotice(place))).rejects.toMatchObject({
      certainty: "not_sent",
      retryAfterMs: 7000,
      permanent: false,
    });
  });

  it("takes a message in the session's topic for text, and a reply to a card in it for a reply", async () => {
    await bench.channel.start(bench.host);
    const ref = await bench.channel.deliver(promptNotice(place));
    const threadId = bench.post(ref).threadId!;
    bench.ara.send("prompts", { chat: FORUM, threadId });
    bench.ara.send("2", { chat: FORUM, threadId, replyTo: Number(ref["messageId"]) });
    await bench.until(() => bench.host.updates.size === 2, "both messages");
    expect(bench.host.meanings(bench.channel)).toMatchObject([
      { kind: "text", text: "prompts", place },
      { kind: "text_reply", text: "2", ref, place },
    ]);
  });
});
