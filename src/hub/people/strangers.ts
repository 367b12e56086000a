/**
 * Limits what people outside the configuration cause: how often they get a reply and how many of their updates are stored.
 * Replying to each would use up the rate limit of a shared chat, and storing each would fill the disk. In memory only: a new
 * hub replies again.
 */
import type { Identity } from "../../model/ids.js";

/** Enough replies to show that silence is intended. */
const ANSWERS_MAX = 3;
const WITHIN_MS = 10 * 60_000;
const KNOWN_MAX = 1000;
/** Stored updates per stranger and interval: a few more than get a reply. */
const KEPT_OF_ONE_MAX = 5;
/** Stored updates of all strangers together, enough for a busy group. The rest is counted. */
const KEPT_OF_ALL_MAX = 200;

export class Strangers {
  readonly #answered = new RecentCounts<Identity>();
  readonly #kept = new RecentCounts<Identity>();
  readonly #keptOfAll = new RecentCounts<"all">();
  #ignored = 0;

  shouldReply(identity: Identity, now: number): boolean {
    return this.#answered.count(identity, now, ANSWERS_MAX);
  }

  shouldStore(identity: Identity | null, now: number): boolean {
    const isFew = identity === null || this.#kept.count(identity, now, KEPT_OF_ONE_MAX);
    const isStored = isFew && this.#keptOfAll.count("all", now, KEPT_OF_ALL_MAX);
    if (!isStored) this.#ignored += 1;
    return isStored;
  }

  /** The number of dropped updates since the last call. */
  readIgnored(): number {
    const ignored = this.#ignored;
    this.#ignored = 0;
    return ignored;
  }
}

class RecentCounts<Key> {
  readonly #at = new Map<Key, readonly number[]>();

  /** Counts one event, or returns false if `max` events already happened within the interval. */
  count(key: Key, now: number, max: number): boolean {
    // After the clock was set back, no event may lie in the future.
    const recent = (this.#at.get(key) ?? []).filter((at) => at <= now && at > now - WITHIN_MS);
    this.#at.delete(key);
    const isBelow = recent.length < max;
    this.#at.set(key, isBelow ? [...recent, now] : recent);
    for (const eldest of this.#at.keys()) {
      if (this.#at.size <= KNOWN_MAX) break;
      this.#at.delete(eldest);
    }
    return isBelow;
  }
}
