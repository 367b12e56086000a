/** The running channel: cards out, updates in. Everything that can be decided without the network stands in the files beside. */
import {
  DeliveryError,
  type Channel,
  type ChannelHost,
  type DeliveryRef,
  type Inbound,
  type InboundAnswer,
  type Inbox,
  type Notice,
  type Outcome,
} from "../../src/sdk/channel.js";
import { clip } from "../../src/sdk/text.js";
import type { BotApi } from "./api.js";
import { sendAnswer } from "./answer.js";
import { renderCard, type CardFile } from "./card.js";
import { deliveryErrorOf, hollowReply, isHarmlessEditRefusal, isMarkupRefusal } from "./failure.js";
import { interpretStored, refOf } from "./inbound.js";
import { keyboardOf, type Keyboard } from "./keyboard.js";
import { REMEMBERED_FILES_MAX, TEXT_MAX, type Timing } from "./limits.js";
import { plain, toHtml, toPlain, type Span } from "./markup.js";
import { Poller } from "./poller.js";

export interface TelegramParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: Timing;
  /** 0..1 */
  readonly random: () => number;
}

/** Links in a question must not fetch anything, and a preview would push the buttons away. */
const NO_PREVIEW = { link_preview_options: { is_disabled: true } };

export class TelegramChannel implements Channel {
  readonly #parts: TelegramParts;
  readonly #poller: Poller;
  /** Files of deliveries whose card did not go through: a second try must not send the file again. */
  readonly #attached = new Map<string, number>();

  constructor(parts: TelegramParts) {
    this.#parts = parts;
    this.#poller = new Poller(parts);
  }

  start(inbox: Inbox): Promise<void> {
    this.#poller.start(inbox);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  interpret(raw: unknown): Inbound | null {
    return interpretStored(raw, this.#parts.botId);
  }

  answer(raw: unknown, answer: InboundAnswer): Promise<void> {
    return sendAnswer(this.#parts, raw, answer);
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const chatId = chatIdOf(notice.place);
    try {
      return refOf(chatId, await this.#post(chatId, notice));
    } catch (error) {
      throw deliveryErrorOf(error);
    }
  }

  async settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void> {
    const { host } = this.#parts;
    const spans =
      notice.kind === "prompt"
        ? renderCard(notice, { now: host.clock.now(), outcome }).spans
        : [plain(clip(`${outcome.text}\n\n${notice.text}`, TEXT_MAX))];
    // Without a keyboard in the edit the old one goes away.
    const keyboard = outcome.final ? {} : keyboardField(outcome.buttons ?? []);
    try {
      await this.#edit(
        { chat_id: Number(ref["chatId"]), message_id: Number(ref["messageId"]) },
        spans,
        keyboard,
      );
    } catch (error) {
      if (!isHarmlessEditRefusal(error)) throw deliveryErrorOf(error);
    }
  }

  /** Whatever must be read before a card is answered is there before the card is. Returns the id of the answerable message. */
  async #post(chatId: number, notice: Notice): Promise<number> {
    if (notice.kind === "text") return this.#postText(chatId, notice);
    const { spans, file } = renderCard(notice, { now: this.#parts.host.clock.now() });
    const fileId = file ? await this.#attach(chatId, notice.deliveryId, file) : null;
    const sent = await this.#send(chatId, spans, { ...keyboardField(notice.buttons), ...replyField(fileId) });
    this.#attached.delete(notice.deliveryId);
    return sent;
  }

  async #postText(chatId: number, notice: Extract<Notice, { kind: "text" }>): Promise<number> {
    const file = notice.text.length > TEXT_MAX ? { name: "message.txt", text: notice.text } : null;
    const fileId = file ? await this.#attach(chatId, notice.deliveryId, file) : null;
    const sent = await this.#sendPlain(chatId, clip(notice.text, TEXT_MAX), replyField(fileId));
    this.#attached.delete(notice.deliveryId);
    return sent;
  }

  async #attach(chatId: number, deliveryId: string, file: CardFile): Promise<number> {
    const before = this.#attached.get(deliveryId);
    if (before !== undefined) return before;
    const sent = await this.#parts.api.call(
      "sendDocument",
      {
        chat_id: chatId,
        document: { source: Buffer.from(file.text, "utf8"), filename: file.name },
        // The card that follows is what should ring.
        disable_notification: true,
      },
      { limitMs: this.#parts.timing.uploadMs },
    );
    const fileId = messageIdOf("sendDocument", sent);
    const [oldest] = this.#attached.keys();
    if (this.#attached.size >= REMEMBERED_FILES_MAX && oldest !== undefined) this.#attached.delete(oldest);
    this.#attached.set(deliveryId, fileId);
    return fileId;
  }

  async #send(chatId: number, spans: readonly Span[], extra: Extra): Promise<number> {
    const { api, host, timing } = this.#parts;
    try {
      const payload = { chat_id: chatId, text: toHtml(spans), parse_mode: "HTML" as const };
      const sent = await api.call(
        "sendMessage",
        { ...payload, ...NO_PREVIEW, ...extra },
        { limitMs: timing.callMs },
      );
      return messageIdOf("sendMessage", sent);
    } catch (error) {
      if (!isMarkupRefusal(error)) throw error;
      host.log("warn", "telegram refused a card's markup; sent as plain text");
      return this.#sendPlain(chatId, toPlain(spans), extra);
    }
  }

  async #sendPlain(chatId: number, text: string, extra: Extra): Promise<number> {
    const { api, timing } = this.#parts;
    const payload = { chat_id: chatId, text, ...NO_PREVIEW, ...extra };
    return messageIdOf("sendMessage", await api.call("sendMessage", payload, { limitMs: timing.callMs }));
  }

  async #edit(target: EditTarget, spans: readonly Span[], keyboard: Extra): Promise<void> {
    const { api, host, timing } = this.#parts;
    const common = { ...target, ...NO_PREVIEW, ...keyboard };
    const options = { limitMs: timing.callMs };
    try {
      await api.call("editMessageText", { ...common, text: toHtml(spans), parse_mode: "HTML" }, options);
    } catch (error) {
      if (!isMarkupRefusal(error)) throw error;
      host.log("warn", "telegram refused a card's markup; edited as plain text");
      await api.call("editMessageText", { ...common, text: toPlain(spans) }, options);
    }
  }
}

interface EditTarget {
  readonly chat_id: number;
  readonly message_id: number;
}

interface Extra {
  reply_markup?: Keyboard;
  reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
}

function keyboardField(buttons: Parameters<typeof keyboardOf>[0]): Extra {
  return buttons.length > 0 ? { reply_markup: keyboardOf(buttons) } : {};
}

/** Ties the card to its file; if somebody deleted the file meanwhile, the card matters more. */
function replyField(messageId: number | null): Extra {
  if (messageId === null) return {};
  return { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };
}

/** Checked, for a proxy may answer anything: a card without its id could never be settled. */
function messageIdOf(method: string, sent: { readonly message_id: number } | null): number {
  if (Number.isSafeInteger(sent?.message_id)) return Number(sent?.message_id);
  throw hollowReply(method);
}

function chatIdOf(place: string): number {
  const id = Number(place);
  if (place.trim() !== "" && Number.isSafeInteger(id)) return id;
  throw new DeliveryError("a Telegram place is a chat id", { certainty: "not_sent", permanent: true });
}
