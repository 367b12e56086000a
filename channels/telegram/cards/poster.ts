/** Posts into a session's topic if there is one, and edits posted messages. One attempt each. Errors: TelegramCallError. */
import type { ChannelHost, Notice } from "../../../src/sdk/channel.js";
import type { BotApi } from "../bot-api/api.js";
import { renderCard, type TelegramCard, type TelegramCardFile } from "./card.js";
import { renderText } from "./text-notice.js";
import { isLostTopic, isMarkupRefusal, isPhotoRefusal } from "../bot-api/failure.js";
import { buildKeyboard, buildLastKeyboard, type Keyboard } from "./keyboard.js";
import { REMEMBERED_FILES_MAX, type TelegramTiming } from "../limits.js";
import { toHtml, toPlain } from "./markup.js";
import { type TelegramSpan } from "./span.js";
import { requireMessageId, NO_PREVIEW, sendText, type Extra } from "./send-text.js";
import type { Topics } from "./topics.js";

interface TelegramPosterParts {
  readonly api: BotApi;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
}

export interface EditTarget {
  readonly chat_id: number;
  readonly message_id: number;
}

export class TelegramPoster {
  readonly #parts: TelegramPosterParts;
  readonly #topics: Topics;
  /** Files of deliveries whose card failed: a retry must not send the file again. */
  readonly #attached = new Map<string, number>();

  constructor(parts: TelegramPosterParts, topics: Topics) {
    this.#parts = parts;
    this.#topics = topics;
  }

  /** Everything to read before answering is posted before the card. Returns the id of the answerable message. */
  async post(chatId: number, notice: Notice): Promise<number> {
    const { session } = notice;
    try {
      return await this.#postInto(chatId, notice, await this.#topics.findTopic(chatId, session));
    } catch (error) {
      if (!isLostTopic(error)) throw error;
      // The topic was deleted or closed. Nothing was posted: a new topic is opened.
      this.#topics.forget(chatId, session.sessionId);
      this.#attached.delete(notice.deliveryId);
      return this.#postInto(chatId, notice, await this.#topics.findTopic(chatId, session));
    }
  }

  async edit(target: EditTarget, spans: readonly TelegramSpan[], keyboard: Keyboard | null): Promise<void> {
    const { api, host, timing } = this.#parts;
    const common = { ...target, ...NO_PREVIEW, ...(keyboard ? { reply_markup: keyboard } : {}) };
    const options = { limitMs: timing.callMs };
    try {
      const html = { ...common, text: toHtml(spans), parse_mode: "HTML" as const };
      checkEdited(await api.call("editMessageText", html, options));
    } catch (error) {
      if (!isMarkupRefusal(error)) throw error;
      host.log("warn", "telegram refused a card's markup; edited as plain text");
      checkEdited(await api.call("editMessageText", { ...common, text: toPlain(spans) }, options));
    }
  }

  async #postInto(chatId: number, notice: Notice, topic: number | null): Promise<number> {
    const where: Extra = topic === null ? {} : { message_thread_id: topic };
    const card =
      notice.kind === "prompt"
        ? renderCard(notice, { now: this.#parts.host.clock.now() })
        : renderText(notice);
    if (card.file && typeof card.file.text !== "string")
      return this.#postPicture(chatId, notice, card, where);
    const fileId = card.file ? await this.#attach(chatId, notice.deliveryId, card.file, where) : null;
    const silent: Extra = notice.quiet ? { disable_notification: true } : {};
    const extra = { ...where, ...silent, ...buildReplyField(fileId), ...buildKeyboardField(notice) };
    const sent = await sendText(this.#parts, chatId, card.spans, extra);
    this.#attached.delete(notice.deliveryId);
    if (notice.session.ended) await this.#topics.close(chatId, notice.session.sessionId);
    return sent;
  }

  /** One message: the picture with its text. As a file where the service takes its format for no photo. */
  async #postPicture(chatId: number, notice: Notice, card: TelegramCard, where: Extra): Promise<number> {
    const silent: Extra = notice.quiet ? { disable_notification: true } : {};
    const { spans, file } = card;
    const common = { chat_id: chatId, ...where, ...silent, caption: toPlain(spans) };
    const options = { limitMs: this.#parts.timing.uploadMs };
    const { api } = this.#parts;
    try {
      const photo = { ...common, photo: buildDocument(file) };
      return requireMessageId("sendPhoto", await api.call("sendPhoto", photo, options));
    } catch (error) {
      if (!isPhotoRefusal(error)) throw error;
      const document = { ...common, document: buildDocument(file) };
      return requireMessageId("sendDocument", await api.call("sendDocument", document, options));
    }
  }

  async #attach(chatId: number, deliveryId: string, file: TelegramCardFile, where: Extra): Promise<number> {
    const before = this.#attached.get(deliveryId);
    if (before !== undefined) return before;
    const sent = await this.#parts.api.call(
      "sendDocument",
      {
        chat_id: chatId,
        ...where,
        document: buildDocument(file),
        // Only the card that follows should alert people.
        disable_notification: true,
      },
      { limitMs: this.#parts.timing.uploadMs },
    );
    const fileId = requireMessageId("sendDocument", sent);
    const [oldest] = this.#attached.keys();
    if (this.#attached.size >= REMEMBERED_FILES_MAX && oldest !== undefined) this.#attached.delete(oldest);
    this.#attached.set(deliveryId, fileId);
    return fileId;
  }
}

function buildDocument(file: TelegramCardFile | null): { source: Buffer; filename: string } {
  const text = file?.text ?? "";
  const source = typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text);
  return { source, filename: file?.name ?? "file" };
}

function buildKeyboardField(notice: Notice): Extra {
  const keyboard =
    notice.kind === "text" ? buildLastKeyboard(notice.buttons ?? []) : buildKeyboard(notice, notice.buttons);
  return keyboard !== null && keyboard.inline_keyboard.length > 0 ? { reply_markup: keyboard } : {};
}

/** Links the card to its file; if the file was deleted meanwhile, the card is still posted. */
function buildReplyField(messageId: number | null): Extra {
  if (messageId === null) return {};
  return { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };
}

/** Checked, because a card that was not edited after all would keep its buttons forever. */
function checkEdited(edited: true | { readonly message_id: number } | null): void {
  if (edited !== true) requireMessageId("editMessageText", edited);
}
