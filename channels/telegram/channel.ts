/** The running channel: posts cards and receives updates. Everything that needs no network is in the files beside it. */
import {
  DeliveryError,
  type Channel,
  type ChannelHost,
  type Identity,
  type Inbound,
  type InboundResponse,
  type Inbox,
  type Notice,
  type NoticeSession,
  type Outcome,
  type PromptNotice,
} from "../../src/sdk/channel.js";
import { type DeliveryRef } from "../../src/sdk/delivery-ref.js";
import type { BotApi } from "./bot-api/api.js";
import { sendResponse } from "./updates/respond.js";
import { SentTextRequests } from "./updates/asked-questions.js";
import { renderCard } from "./cards/card.js";
import { registerCommands } from "./updates/commands.js";
import { toDeliveryError, isHarmlessEditRefusal, isRefused } from "./bot-api/failure.js";
import { interpretStored, buildRef, findSender, replaceText } from "./updates/interpret.js";
import { react } from "./updates/interaction.js";
import { buildKeyboard, buildLastKeyboard } from "./cards/keyboard.js";
import type { TelegramTiming } from "./limits.js";
import { CHAT_ADVICE, findRefusedChats } from "./place-check.js";
import { Poller } from "./updates/poller.js";
import { toPlainSpan } from "./cards/markup.js";
import { sendText } from "./cards/send-text.js";
import { TelegramPoster } from "./cards/poster.js";
import { renderEnd } from "./cards/text-notice.js";
import { Topics } from "./cards/topics.js";

export interface TelegramParts {
  readonly api: BotApi;
  readonly botId: number;
  readonly host: ChannelHost;
  readonly timing: TelegramTiming;
  /** Chat ids that notices go to. */
  readonly places: readonly string[];
  /** 0..1 */
  readonly random: () => number;
}

export class TelegramChannel implements Channel {
  readonly #parts: TelegramParts;
  readonly #poller: Poller;
  readonly #poster: TelegramPoster;
  readonly #topics: Topics;
  readonly #asked: SentTextRequests;

  constructor(parts: TelegramParts) {
    this.#parts = parts;
    const asked = new SentTextRequests(parts.host);
    this.#asked = asked;
    this.#topics = new Topics(parts);
    this.#poster = new TelegramPoster(parts, this.#topics);
    this.#poller = new Poller({
      ...parts,
      beforeConnected: () => reportRefused(parts),
      onConnected: () => void registerCommands(parts),
      onStored: (row) => void react({ ...parts, asked }, row),
    });
  }

  start(inbox: Inbox): Promise<void> {
    this.#poller.start(inbox);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  interpret(raw: unknown): Inbound | null {
    return interpretStored(raw, {
      botId: this.#parts.botId,
      findSession: (chatId, threadId) => this.#topics.findSession(chatId, threadId),
      knows: (deliveryId) => this.#parts.host.knows(deliveryId),
      asked: (chatId, messageId) => this.#asked.find(chatId, messageId),
    });
  }

  countOmitted(notice: PromptNotice): number {
    return renderCard(notice, { now: this.#parts.host.clock.now() }).omitted;
  }

  replaceText(raw: unknown, text: string): unknown {
    return replaceText(raw, text);
  }

  findSender(raw: unknown): Identity | null {
    return findSender(raw);
  }

  respond(raw: unknown, answer: InboundResponse): Promise<DeliveryRef | null> {
    return sendResponse(this.#parts, raw, answer);
  }

  async deliver(notice: Notice): Promise<DeliveryRef> {
    const chatId = parseChatId(notice.place);
    try {
      return buildRef(chatId, await this.#poster.post(chatId, notice));
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  closeThread(place: string, { sessionId }: NoticeSession): Promise<void> {
    return this.#topics.close(parseChatId(place), sessionId);
  }

  async announce(place: string, text: string, quiet: boolean): Promise<void> {
    const silent = quiet ? ({ disable_notification: true } as const) : {};
    try {
      await sendText(this.#parts, parseChatId(place), [toPlainSpan(text)], silent);
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  async probe(limitMs: number): Promise<void> {
    try {
      await this.#parts.api.call("getMe", {}, { limitMs });
    } catch (error) {
      throw toDeliveryError(error);
    }
  }

  async settle(ref: DeliveryRef, notice: Notice, outcome: Outcome): Promise<void> {
    const { host } = this.#parts;
    const spans =
      notice.kind === "prompt"
        ? renderCard(notice, { now: host.clock.now(), outcome }).spans
        : renderEnd(notice, outcome);
    // An edit without a keyboard removes the old one.
    const isOpen = notice.kind === "prompt" && !outcome.final;
    const buttons = outcome.buttons ?? [];
    const keyboard = isOpen ? buildKeyboard(notice, buttons) : buildLastKeyboard(buttons);
    const target = { chat_id: Number(ref["chatId"]), message_id: Number(ref["messageId"]) };
    try {
      await this.#poster.edit(target, spans, keyboard);
    } catch (error) {
      if (!isHarmlessEditRefusal(error)) throw toDeliveryError(error);
    }
    if (outcome.final) await this.#removeTextRequests(target.chat_id, notice.deliveryId);
  }

  /** The messages that asked for an answer to it in words: Telegram lets nobody edit these. */
  async #removeTextRequests(chat_id: number, deliveryId: string): Promise<void> {
    const { api, timing } = this.#parts;
    for (const message_id of this.#asked.listMessages(chat_id, deliveryId)) {
      try {
        await api.call("deleteMessage", { chat_id, message_id }, { limitMs: timing.callMs });
      } catch (error) {
        if (!isRefused(error)) throw toDeliveryError(error);
      }
    }
  }
}

async function reportRefused({ api, host, places, timing }: TelegramParts): Promise<void> {
  for (const { place, reason } of await findRefusedChats(api, places, timing.placeMs))
    host.reportPlace(place, `${reason} → ${CHAT_ADVICE}`);
}

function parseChatId(place: string): number {
  const id = Number(place);
  if (place.trim() !== "" && Number.isSafeInteger(id)) return id;
  throw new DeliveryError("a Telegram place is a chat id", { certainty: "not_sent", permanent: true });
}
