/** The service's patience with one chat: a bucket that refills by `perSecond` and holds `burst`. */
import { tooManyRequests } from "./refusal.js";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export class RateLimit {
  readonly #rate: Rate | null;
  readonly #buckets = new Map<number, { tokens: number; at: number }>();

  constructor(rate: Rate | null) {
    this.#rate = rate;
  }

  /** Refuses with 429 when the chat got too much. */
  spend(chatId: number): void {
    if (!this.#rate) return;
    const { perSecond, burst } = this.#rate;
    const now = performance.now();
    const bucket = this.#buckets.get(chatId) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    if (tokens < 1) throw tooManyRequests(Math.max(1, Math.ceil((1 - tokens) / perSecond)));
    this.#buckets.set(chatId, { tokens: tokens - 1, at: now });
  }
}
