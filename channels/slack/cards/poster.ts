/** Posts into a session's thread, opens it if needed, and edits posted messages. */
import * as v from "valibot";
import type { ChannelHost, Notice } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { SlackReply, SlackApi } from "../web-api/api.js";
import { renderPlace, type SlackCard } from "./card.js";
import { createInvalidReplyError } from "../web-api/failure.js";
import { NAME_MAX, REMEMBERED_FILES_MAX } from "../limits.js";
import { escapeMarkup, toPlainSpan, buildRichText, buildSection } from "./rich.js";
import { Threads } from "./threads.js";
import { uploadFile } from "../web-api/upload.js";

const posted = v.object({
  ts: v.pipe(v.string(), v.minLength(1)),
  message: v.optional(v.object({ thread_ts: v.optional(v.string()) })),
});

/** The service must not look up, rewrite or mention anything in a card on its own. */
const AS_IT_IS = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

export interface SlackPosterParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
}

export class SlackPoster {
  readonly #api: SlackApi;
  readonly #threads: Threads;
  /** Deliveries whose file was sent although their card failed: a retry must not send it again. */
  readonly #attached = new Set<string>();
  /** Threads being opened: two cards of one session must not open two. */
  readonly #opening = new Map<string, Promise<string>>();

  constructor({ api, host }: SlackPosterParts) {
    this.#api = api;
    this.#threads = new Threads(host);
  }

  /**
   * Everything to read before answering is posted before the card. Returns the card's timestamp, which identifies it. A picture is one
   * message with its text, whose timestamp the service does not tell: its file identifies it.
   */
  async post(notice: Notice, card: SlackCard): Promise<string> {
    const thread = await this.#findThread(notice);
    if (card.file && typeof card.file.text !== "string") {
      const comment = { comment: card.text };
      return `file:${await uploadFile(this.#api, card.file, { channel: notice.place, thread, ...comment })}`;
    }
    if (card.file && !this.#attached.has(notice.deliveryId)) {
      await uploadFile(this.#api, card.file, { channel: notice.place, thread });
      this.#markAttached(notice.deliveryId);
    }
    const given = { channel: notice.place, text: card.text, blocks: card.blocks, thread_ts: thread };
    // A prompt must be visible in the channel, not only in the thread.
    const seen = { reply_broadcast: notice.kind === "prompt" };
    const reply = await this.#api.call("chat.postMessage", { ...given, ...seen, ...AS_IT_IS });
    const { ts, threadTs } = parsePosted(reply);
    // The thread was deleted; this message stands alone, and the next one opens a new thread.
    if (threadTs === null) this.#threads.forget(notice.place, notice.session.sessionId);
    this.#attached.delete(notice.deliveryId);
    return ts;
  }

  /** Posts a line outside of any thread. */
  async postLine(channel: string, text: string): Promise<void> {
    const blocks = buildRichText([buildSection([toPlainSpan(text)])]);
    parsePosted(
      await this.#api.call("chat.postMessage", { channel, text: escapeMarkup(text), blocks, ...AS_IT_IS }),
    );
  }

  async replace(ref: { readonly channel: string; readonly ts: string }, card: SlackCard): Promise<void> {
    const { text, blocks } = card;
    const reply = await this.#api.call("chat.update", { ...ref, text, blocks, ...AS_IT_IS });
    // If the card was not edited after all, it would keep its buttons forever.
    if (reply["ts"] !== ref.ts) throw createInvalidReplyError("chat.update");
  }

  async #findThread({ place, session }: Notice): Promise<string> {
    const known = this.#threads.findThread(place, session.sessionId);
    if (known !== null) return known;
    const key = JSON.stringify([place, session.sessionId]);
    const opening = this.#opening.get(key) ?? this.#openThread(place, session);
    this.#opening.set(key, opening);
    return opening.finally(() => this.#opening.delete(key));
  }

  async #openThread(place: string, session: Notice["session"]): Promise<string> {
    const tool = clip(session.tool, NAME_MAX);
    const where = renderPlace(session);
    const text = where === "" ? "" : ` · ${where}`;
    const reply = await this.#api.call("chat.postMessage", {
      channel: place,
      text: escapeMarkup(`▶️ ${tool}${text}`),
      blocks: buildRichText([
        buildSection([toPlainSpan("▶️ "), { text: tool, as: "bold" }, toPlainSpan(text)]),
      ]),
      ...AS_IT_IS,
    });
    const { ts } = parsePosted(reply);
    this.#threads.remember(place, session.sessionId, ts);
    return ts;
  }

  #markAttached(deliveryId: string): void {
    const [oldest] = this.#attached;
    if (this.#attached.size >= REMEMBERED_FILES_MAX && oldest !== undefined) this.#attached.delete(oldest);
    this.#attached.add(deliveryId);
  }
}

/** Checked because a proxy may respond with anything: without its timestamp a card could never be settled. */
function parsePosted(reply: SlackReply): { readonly ts: string; readonly threadTs: string | null } {
  const parsed = v.safeParse(posted, reply);
  if (!parsed.success) throw createInvalidReplyError("chat.postMessage");
  return { ts: parsed.output.ts, threadTs: parsed.output.message?.thread_ts ?? null };
}
