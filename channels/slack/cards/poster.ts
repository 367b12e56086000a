/** Posts into the thread of a session, which it opens if need be, and changes what was posted. */
import * as v from "valibot";
import type { ChannelHost, Notice } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { SlackReply, SlackApi } from "../web-api/api.js";
import { placeOf, type SlackCard } from "./card.js";
import { hollowReply } from "../web-api/failure.js";
import { NAME_MAX, REMEMBERED_FILES_MAX } from "../limits.js";
import { escapeMarkup, plainSpan, richText, section } from "./rich.js";
import { Threads } from "./threads.js";
import { uploadFile } from "../web-api/upload.js";

const posted = v.object({
  ts: v.pipe(v.string(), v.minLength(1)),
  message: v.optional(v.object({ thread_ts: v.optional(v.string()) })),
});

/** Nothing in a card is looked up, rewritten or rung by the service on its own account. */
const AS_IT_IS = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

export interface PosterParts {
  readonly api: SlackApi;
  readonly host: ChannelHost;
}

export class SlackPoster {
  readonly #api: SlackApi;
  readonly #threads: Threads;
  /** Deliveries whose file is there already although their card did not go through: a second try must not send it again. */
  readonly #attached = new Set<string>();
  /** Threads that are being opened: two cards of one session must not open two. */
  readonly #opening = new Map<string, Promise<string>>();

  constructor({ api, host }: PosterParts) {
    this.#api = api;
    this.#threads = new Threads(host);
  }

  /** Whatever must be read before a card is answered is there before the card is. Returns its timestamp, which names it. */
  async post(notice: Notice, card: SlackCard): Promise<string> {
    const thread = await this.#threadOf(notice);
    if (card.file && !this.#attached.has(notice.deliveryId)) {
      await uploadFile(this.#api, card.file, { channel: notice.place, thread });
      this.#markAttached(notice.deliveryId);
    }
    const given = { channel: notice.place, text: card.text, blocks: card.blocks, thread_ts: thread };
    // A question is to be seen by who looks at the channel, not only at the thread.
    const seen = { reply_broadcast: notice.kind === "prompt" };
    const reply = await this.#api.call("chat.postMessage", { ...given, ...seen, ...AS_IT_IS });
    const { ts, threadTs } = postedIn(reply);
    // Somebody deleted the thread; this message stands alone, and the next one opens a new thread.
    if (threadTs === null) this.#threads.forget(notice.place, notice.session.sessionId);
    this.#attached.delete(notice.deliveryId);
    return ts;
  }

  async replace(ref: { readonly channel: string; readonly ts: string }, card: SlackCard): Promise<void> {
    const { text, blocks } = card;
    const reply = await this.#api.call("chat.update", { ...ref, text, blocks, ...AS_IT_IS });
    // A card that was not changed after all would keep its buttons for ever.
    if (reply["ts"] !== ref.ts) throw hollowReply("chat.update");
  }

  async #threadOf({ place, session }: Notice): Promise<string> {
    const known = this.#threads.of(place, session.sessionId);
    if (known !== null) return known;
    const key = JSON.stringify([place, session.sessionId]);
    const opening = this.#opening.get(key) ?? this.#openThread(place, session);
    this.#opening.set(key, opening);
    return opening.finally(() => this.#opening.delete(key));
  }

  async #openThread(place: string, session: Notice["session"]): Promise<string> {
    const tool = clip(session.tool, NAME_MAX);
    const where = placeOf(session);
    const text = where === "" ? "" : ` · ${where}`;
    const reply = await this.#api.call("chat.postMessage", {
      channel: place,
      text: escapeMarkup(`▶️ ${tool}${text}`),
      blocks: richText([section([plainSpan("▶️ "), { text: tool, as: "bold" }, plainSpan(text)])]),
      ...AS_IT_IS,
    });
    const { ts } = postedIn(reply);
    this.#threads.remember(place, session.sessionId, ts);
    return ts;
  }

  #markAttached(deliveryId: string): void {
    const [oldest] = this.#attached;
    if (this.#attached.size >= REMEMBERED_FILES_MAX && oldest !== undefined) this.#attached.delete(oldest);
    this.#attached.add(deliveryId);
  }
}

/** Checked, for a proxy may answer anything: a card without its timestamp could never be settled. */
function postedIn(reply: SlackReply): { readonly ts: string; readonly threadTs: string | null } {
  const parsed = v.safeParse(posted, reply);
  if (!parsed.success) throw hollowReply("chat.postMessage");
  return { ts: parsed.output.ts, threadTs: parsed.output.message?.thread_ts ?? null };
}
