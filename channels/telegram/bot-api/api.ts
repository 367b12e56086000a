/** Calls the Bot API through telegraf's client: one attempt each, with a time limit, and errors that leak nothing. */
import type * as tg from "telegraf/types";
import type { Clock } from "../../../src/sdk/channel.js";
import { withTimeLimit } from "../../../src/sdk/waiting.js";
import { BoundedTelegram } from "./client.js";
import { TelegramCallError, toFailure } from "./failure.js";

export type TelegramMethod = keyof tg.Telegram;
export type Payload<M extends TelegramMethod> = tg.Opts<M>;
export type TelegramResult<M extends TelegramMethod> = ReturnType<tg.Telegram[M]>;

export interface TelegramCallOptions {
  /** Time limit until the response begins. */
  readonly limitMs: number;
  /** Aborts the call; it then rejects like a lost one. */
  readonly stop?: AbortSignal;
}

/** The methods that count against a chat's rate limit. */
const WRITING: ReadonlySet<TelegramMethod> = new Set([
  "sendMessage",
  "sendDocument",
  "sendPhoto",
  "setMessageReaction",
  "editMessageText",
  "editMessageReplyMarkup",
  "createForumTopic",
  "closeForumTopic",
]);

export class BotApi {
  readonly #telegram: BoundedTelegram;
  readonly #clock: Clock;
  readonly #wrote: (chatId: string) => void;

  /** `wrote` is called for every call that people in a chat may see. */
  constructor(token: string, apiRoot: string, clock: Clock, wrote: (chatId: string) => void) {
    this.#wrote = wrote;
    this.#telegram = new BoundedTelegram(token, apiRoot, clock);
    this.#clock = clock;
  }

  /** Errors: TelegramCallError. */
  async call<M extends TelegramMethod>(
    method: M,
    payload: Payload<M>,
    options: TelegramCallOptions,
  ): Promise<TelegramResult<M>> {
    if (WRITING.has(method)) this.#wrote(getChat(payload));
    const call = (signal: unknown): Promise<TelegramResult<M>> =>
      this.#telegram.callApi(method, payload, { signal: signal as TelegrafSignal });
    try {
      return await withTimeLimit(this.#clock, options, call);
    } catch (error) {
      throw new TelegramCallError(method, toFailure(error, this.#telegram.token));
    }
  }
}

function getChat(payload: object): string {
  return "chat_id" in payload ? String(payload.chat_id) : "";
}

/** telegraf's type is that of the abort-controller shim; our HTTP client accepts the platform's signal. */
type TelegrafSignal = NonNullable<NonNullable<Parameters<BoundedTelegram["callApi"]>[2]>["signal"]>;
