/** The service's patience: a bucket a key that refills by `perSecond` and holds `burst`. */
import { tooMany } from "./refusal.js";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** As documented: a message a second and channel with short bursts; tiers 1 (1+), 3 (50+) and 4 (100+) a minute. */
export const RATES: Readonly<Record<string, Rate>> = {
  "chat.postMessage": { perSecond: 1, burst: 5 },
  "chat.update": { perSecond: 50 / 60, burst: 50 },
  "chat.postEphemeral": { perSecond: 100 / 60, burst: 100 },
  "views.open": { perSecond: 100 / 60, burst: 100 },
  "views.publish": { perSecond: 100 / 60, burst: 100 },
  "files.getUploadURLExternal": { perSecond: 100 / 60, burst: 100 },
  "files.completeUploadExternal": { perSecond: 100 / 60, burst: 100 },
  "auth.test": { perSecond: 100 / 60, burst: 100 },
  "apps.connections.open": { perSecond: 1 / 60, burst: 20 },
};

export class RateLimit {
  readonly #rates: Readonly<Record<string, Rate>> | null;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(rates: Readonly<Record<string, Rate>> | null) {
    this.#rates = rates;
  }

  /** Refuses with 429 when this method was called too often (for messages: in this channel). */
  spend(method: string, channel: string): void {
    const rate = this.#rates?.[method];
    if (!rate) return;
    const key = method === "chat.postMessage" ? `${method} ${channel}` : method;
    const now = performance.now();
    const bucket = this.#buckets.get(key) ?? { tokens: rate.burst, at: now };
    const tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond);
    if (tokens < 1) throw tooMany(Math.max(1, Math.ceil((1 - tokens) / rate.perSecond)));
    this.#buckets.set(key, { tokens: tokens - 1, at: now });
  }
}
