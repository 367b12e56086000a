/** Calls to the Bot API through telegraf's client: one attempt each, watched, with errors that leak nothing. */
import { Agent } from "node:https";
import { Telegram } from "telegraf";
import type * as tg from "telegraf/types";
import type { Clock } from "../../src/sdk/channel.js";
import { CallError, failureOf } from "./failure.js";

export type Method = keyof tg.Telegram;
export type Payload<M extends Method> = tg.Opts<M>;
export type Result<M extends Method> = ReturnType<tg.Telegram[M]>;

/**
 * An idle connection is dropped by us before the service drops it: a post on a socket that has just been closed at the other end
 * is a lost reply, and a lost reply may become a second card.
 */
const IDLE_SOCKET_MS = 10_000;

export interface CallOptions {
  /** The watchdog: telegraf itself would wait 500 s for a dead socket. */
  readonly limitMs: number;
  /** Ends the call early; it then rejects like a lost one. */
  readonly stop?: AbortSignal;
}

/** What counts against the pace of a chat. */
const WRITING: ReadonlySet<Method> = new Set([
  "sendMessage",
  "sendDocument",
  "editMessageText",
  "createForumTopic",
  "closeForumTopic",
]);

export class BotApi {
  readonly #telegram: Telegram;
  readonly #clock: Clock;
  readonly #wrote: (chatId: string) => void;

  /** `wrote` hears of every call that people in a chat may see. */
  constructor(token: string, apiRoot: string, clock: Clock, wrote: (chatId: string) => void) {
    this.#wrote = wrote;
    // A webhook reply would hide the errors of its method; we have no webhook, and say so.
    const agent = new Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS });
    this.#telegram = new Telegram(token, { apiRoot, agent, webhookReply: false });
    this.#clock = clock;
  }

  /** Errors: CallError. */
  async call<M extends Method>(method: M, payload: Payload<M>, options: CallOptions): Promise<Result<M>> {
    const ending = new AbortController();
    const signal: unknown = ending.signal;
    let timedOut = false;
    const cancel = this.#clock.after(options.limitMs, () => {
      timedOut = true;
      ending.abort();
    });
    const onStop = (): void => ending.abort();
    if (options.stop?.aborted) onStop();
    options.stop?.addEventListener("abort", onStop);
    if (WRITING.has(method)) this.#wrote(chatOf(payload));
    try {
      return await this.#telegram.callApi(method, payload, { signal: signal as TelegrafSignal });
    } catch (error) {
      throw new CallError(method, failureOf(error, timedOut));
    } finally {
      cancel();
      options.stop?.removeEventListener("abort", onStop);
    }
  }
}

function chatOf(payload: object): string {
  return "chat_id" in payload ? String(payload.chat_id) : "";
}

/** telegraf's type is that of the abort-controller shim; its fetch takes the platform's own signal. */
type TelegrafSignal = NonNullable<NonNullable<Parameters<Telegram["callApi"]>[2]>["signal"]>;
