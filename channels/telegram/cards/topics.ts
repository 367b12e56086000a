/**
 * One topic per session in groups that have topics: opened with its first message, named after it, closed at its end. If the
 * service refuses that, messages go to the group itself, and it is not tried again.
 */
import * as v from "valibot";
import type { ChannelHost, NoticeSession } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { BotApi } from "../bot-api/api.js";
import { ExpiringMap } from "../updates/expiring-map.js";
import { TelegramCallError, createInvalidReplyError } from "../bot-api/failure.js";
import { REMEMBERED_TOPICS_MAX, TOPIC_NAME_MAX, type TelegramTiming } from "../limits.js";

interface TopicParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

const chat = v.object({ is_forum: v.optional(v.boolean(), false) });
const topic = v.object({ message_thread_id: v.pipe(v.number(), v.safeInteger()) });

export class Topics {
  readonly #parts: TopicParts;
  readonly #book: ExpiringMap<number>;
  /** Whether a chat has topics, as the service last reported; checked again after a restart. */
  readonly #forums = new Map<number, boolean>();
  /** Topics being opened: two cards of one session must not open two. */
  readonly #opening = new Map<string, Promise<number | null>>();

  constructor(parts: TopicParts) {
    this.#parts = parts;
    const entry = v.pipe(v.number(), v.safeInteger());
    this.#book = new ExpiringMap(parts.host, { name: "topics", entry, max: REMEMBERED_TOPICS_MAX });
  }

  /** The session's topic, opened if needed; null if messages go to the chat itself. Errors: TelegramCallError. */
  async findTopic(chatId: number, session: NoticeSession): Promise<number | null> {
    if (!(await this.#isForum(chatId))) return null;
    const known = this.#book.get(chatId, session.sessionId);
    if (known !== null) return known;
    const key = `${chatId} ${session.sessionId}`;
    const opening = this.#opening.get(key) ?? this.#open(chatId, session);
    this.#opening.set(key, opening);
    return opening.finally(() => this.#opening.delete(key));
  }

  /** The session whose topic this is, or null. */
  findSession(chatId: number, threadId: number): string | null {
    return this.#book.findKey(chatId, (known) => known === threadId);
  }

  /** The topic was deleted or closed: the next message opens a new one. */
  forget(chatId: number, sessionId: string): void {
    this.#book.remove(chatId, sessionId);
  }

  /** Best effort: an open topic of an ended session is merely untidy. */
  async close(chatId: number, sessionId: string): Promise<void> {
    const known = this.#book.get(chatId, sessionId);
    if (known === null) return;
    const { api, host, timing } = this.#parts;
    try {
      await api.call(
        "closeForumTopic",
        { chat_id: chatId, message_thread_id: known },
        { limitMs: timing.callMs },
      );
    } catch (error) {
      host.log("warn", "telegram topic was not closed", { reason: describeReason(error) });
    }
    this.#book.remove(chatId, sessionId);
  }

  async #isForum(chatId: number): Promise<boolean> {
    // Private chats have positive ids and no topics of ours.
    if (chatId > 0) return false;
    const known = this.#forums.get(chatId);
    if (known !== undefined) return known;
    const { api, timing } = this.#parts;
    const response = v.safeParse(
      chat,
      await api.call("getChat", { chat_id: chatId }, { limitMs: timing.callMs }),
    );
    if (!response.success) throw createInvalidReplyError("getChat");
    this.#forums.set(chatId, response.output.is_forum);
    return response.output.is_forum;
  }

  async #open(chatId: number, session: NoticeSession): Promise<number | null> {
    const { api, host, timing } = this.#parts;
    try {
      const payload = { chat_id: chatId, name: nameTopic(session) };
      const response = v.safeParse(
        topic,
        await api.call("createForumTopic", payload, { limitMs: timing.callMs }),
      );
      if (!response.success) throw createInvalidReplyError("createForumTopic");
      this.#book.set(chatId, session.sessionId, response.output.message_thread_id);
      return response.output.message_thread_id;
    } catch (error) {
      if (!(error instanceof TelegramCallError) || error.failure.kind !== "refused") throw error;
      // Usually a missing right. The prompt matters more than its place; tried again after a restart.
      this.#forums.set(chatId, false);
      host.log("warn", "telegram refused to open a topic; messages go to the group itself", {
        reason: error.failure.reason,
      });
      return null;
    }
  }
}

function nameTopic({ tool, label, place }: NoticeSession): string {
  const words = [tool, label, place].filter(Boolean).join(" · ");
  return clip(words.replace(/\s{1,8}/g, " ").trim() || "session", TOPIC_NAME_MAX);
}

function describeReason(error: unknown): string {
  return error instanceof TelegramCallError ? error.failure.reason : "unexpected";
}
