/**
 * Who writes to us without being one of our people, and how often they were told so. A place where cards go is read by others as well:
 * answering each of their messages would use up what the service lets us write there. In memory: a new hub tells them once more.
 */
import type { Identity } from "../../model/ids.js";

/** To see that it is no mistake of theirs. */
const ANSWERS_MAX = 3;
const WITHIN_MS = 10 * 60_000;
/** More write to no bot; of the ones before nothing is known then. */
const KNOWN_MAX = 1000;

export class Strangers {
  readonly #answeredAt = new Map<Identity, readonly number[]>();

  /** Whether this one hears of it again. */
  mayHear(identity: Identity, now: number): boolean {
    // A clock that was set back since: no answer is in the future.
    const known = this.#answeredAt.get(identity) ?? [];
    const recent = known.filter((at) => at <= now && at > now - WITHIN_MS);
    this.#answeredAt.delete(identity);
    const mayHear = recent.length < ANSWERS_MAX;
    this.#answeredAt.set(identity, mayHear ? [...recent, now] : recent);
    for (const eldest of this.#answeredAt.keys()) {
      if (this.#answeredAt.size <= KNOWN_MAX) break;
      this.#answeredAt.delete(eldest);
    }
    return mayHear;
  }
}
