/**
 * Who writes to us without being one of our people: how often they are told so, and how much of it is kept. A place where cards go is
 * read by others as well: answering each of their messages would use up what the service lets us write there, and keeping each of
 * them would fill the disk. In memory: a new hub tells them once more.
 */
import type { Identity } from "../../model/ids.js";

/** To see that it is no mistake of theirs. */
const ANSWERS_MAX = 3;
const WITHIN_MS = 10 * 60_000;
/** More write to no bot; of the ones before nothing is known then. */
const KNOWN_MAX = 1000;
/** Updates of one stranger that are kept and handled within that time: a few more than are answered. */
const KEPT_OF_ONE_MAX = 5;
/** Of all strangers together: a busy group. What is beyond is counted. */
const KEPT_OF_ALL_MAX = 200;

export class Strangers {
  readonly #answered = new Recent<Identity>();
  readonly #kept = new Recent<Identity>();
  readonly #keptOfAll = new Recent<"all">();
  #ignored = 0;

  /** Whether this one hears of it again. */
  mayHear(identity: Identity, now: number): boolean {
    return this.#answered.count(identity, now, ANSWERS_MAX);
  }

  /** Whether an update of a stranger, or of nobody that can be named, is kept. */
  mayKeep(identity: Identity | null, now: number): boolean {
    const isFew = identity === null || this.#kept.count(identity, now, KEPT_OF_ONE_MAX);
    const mayKeep = isFew && this.#keptOfAll.count("all", now, KEPT_OF_ALL_MAX);
    if (!mayKeep) this.#ignored += 1;
    return mayKeep;
  }

  /** How many updates were not kept since this was last asked. */
  takeIgnored(): number {
    const ignored = this.#ignored;
    this.#ignored = 0;
    return ignored;
  }
}

/** What happened lately, for the latest of whom it happened to. */
class Recent<Key> {
  readonly #at = new Map<Key, readonly number[]>();

  /** Counts once more, unless it happened `max` times within the last while: then false. */
  count(key: Key, now: number, max: number): boolean {
    // A clock that was set back since: nothing has happened in the future.
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
