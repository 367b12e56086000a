/** The service's patience: with one chat, with a group in a minute, and with a bot altogether. */
import { tooManyRequests } from "./refusal.js";

/** A bucket that refills by `perSecond` and holds `burst`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Patience {
  readonly chat: Rate;
  readonly all: Rate;
  /** How long the minute is in which a group takes twenty messages. */
  readonly groupMinuteMs: number;
}

/** Of the service's FAQ: about one message a second to a chat, twenty a minute to a group, about thirty a second in all. */
export const PATIENCE: Patience = {
  chat: { perSecond: 1, burst: 20 },
  all: { perSecond: 30, burst: 30 },
  groupMinuteMs: 60_000,
};
export const GROUP_MINUTE = 20;

export class RateLimit {
  readonly #patience: Patience | null;
  readonly #now: () => number;
  readonly #buckets = new Map<number, { tokens: number; at: number }>();
  /** By group: when it was written to within the last minute. */
  readonly #minutes = new Map<number, number[]>();

  constructor(patience: Patience | null, now: () => number) {
    this.#patience = patience;
    this.#now = now;
  }

  /** Refuses with 429 when the chat, or the service, got too much. */
  spend(chatId: number): void {
    if (!this.#patience) return;
    const now = this.#now();
    const { chat, all, groupMinuteMs } = this.#patience;
    const minute = (this.#minutes.get(chatId) ?? []).filter((at) => now - at < groupMinuteMs);
    const [oldest = now] = minute;
    if (chatId < 0 && minute.length >= GROUP_MINUTE) throw tooMany(oldest + groupMinuteMs - now);
    const [tokens, tokensOfAll] = [this.#tokens(chatId, chat, now), this.#tokens(EVERYWHERE, all, now)];
    if (tokens < 1) throw tooMany(((1 - tokens) / chat.perSecond) * 1000);
    if (tokensOfAll < 1) throw tooMany(((1 - tokensOfAll) / all.perSecond) * 1000);
    this.#minutes.set(chatId, [...minute, now]);
    this.#buckets.set(chatId, { tokens: tokens - 1, at: now });
    this.#buckets.set(EVERYWHERE, { tokens: tokensOfAll - 1, at: now });
  }

  #tokens(key: number, { perSecond, burst }: Rate, now: number): number {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now };
    return Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
  }
}

/** No chat has this id. */
const EVERYWHERE = 0;

function tooMany(waitMs: number): Error {
  return tooManyRequests(Math.max(1, Math.ceil(waitMs / 1000)));
}
