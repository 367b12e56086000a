/** Token buckets: a burst of calls, then one call per interval. Instants are monotonic milliseconds. */
import type { Allowance } from "../../sdk/channel.js";

class Bucket {
  readonly #allowance: Allowance;
  #level: number;
  #at: number;

  constructor(allowance: Allowance, now: number) {
    this.#allowance = allowance;
    this.#level = allowance.burst;
    this.#at = now;
  }

  waitMs(amount: number, now: number): number {
    this.#fill(now);
    // A bucket never holds more than its burst.
    const wanted = Math.min(amount, this.#allowance.burst);
    return this.#level >= wanted ? 0 : Math.ceil((wanted - this.#level) * this.#allowance.everyMs);
  }

  /** Calls made without waiting leave a debt of at most one burst, so that nobody who provokes replies silences us for long. */
  count(now: number): void {
    this.#fill(now);
    this.#level = Math.max(-this.#allowance.burst, this.#level - 1);
  }

  #fill(now: number): void {
    const { burst, everyMs } = this.#allowance;
    this.#level = Math.min(burst, this.#level + (now - this.#at) / everyMs);
    this.#at = now;
  }
}

/** Several allowances that all apply; an empty list means no limit. */
export class Buckets {
  readonly #all: readonly Bucket[];

  constructor(allowances: readonly Allowance[], now: number) {
    this.#all = allowances.map((allowance) => new Bucket(allowance, now));
  }

  waitMs(amount: number, now: number): number {
    return Math.max(0, ...this.#all.map((bucket) => bucket.waitMs(amount, now)));
  }

  count(now: number): void {
    for (const bucket of this.#all) bucket.count(now);
  }
}
