/** Rates of calls that a service takes. Instants are monotonic milliseconds. */
import type { Allowance } from "../../sdk/channel.js";

interface Rate {
  /** `keptFree`: the share of the rate that must be left over. */
  waitMs(keptFree: number, now: number): number;
  count(now: number): void;
}

/** A burst of calls, then one call per interval. */
class Bucket implements Rate {
  readonly #burst: number;
  readonly #everyMs: number;
  #level: number;
  #at: number;

  constructor(burst: number, everyMs: number, now: number) {
    this.#burst = burst;
    this.#everyMs = everyMs;
    this.#level = burst;
    this.#at = now;
  }

  waitMs(keptFree: number, now: number): number {
    this.#fill(now);
    const wanted = 1 + Math.round(this.#burst * keptFree);
    return this.#level >= wanted ? 0 : Math.ceil((wanted - this.#level) * this.#everyMs);
  }

  /** Calls made without waiting leave a debt of at most one burst, so that nobody who provokes replies silences us for long. */
  count(now: number): void {
    this.#fill(now);
    this.#level = Math.max(-this.#burst, this.#level - 1);
  }

  #fill(now: number): void {
    this.#level = Math.min(this.#burst, this.#level + (now - this.#at) / this.#everyMs);
    this.#at = now;
  }
}

/** So many calls within any time of one length. */
class Window implements Rate {
  readonly #most: number;
  readonly #withinMs: number;
  /** The newest calls, oldest first. */
  #calls: readonly number[] = [];

  constructor(most: number, withinMs: number) {
    this.#most = most;
    this.#withinMs = withinMs;
  }

  waitMs(keptFree: number, now: number): number {
    const leaves = this.#calls.at(Math.round(this.#most * keptFree) - this.#most);
    return leaves === undefined ? 0 : Math.max(0, leaves + this.#withinMs - now);
  }

  count(now: number): void {
    this.#calls = [...this.#calls, now].slice(-this.#most);
  }
}

/** Several allowances that all apply; an empty list means no limit. */
export class Rates {
  readonly #all: readonly Rate[];

  constructor(allowances: readonly Allowance[], now: number) {
    this.#all = allowances.map((allowance) =>
      "burst" in allowance
        ? new Bucket(allowance.burst, allowance.everyMs, now)
        : new Window(allowance.most, allowance.withinMs),
    );
  }

  waitMs(keptFree: number, now: number): number {
    return Math.max(0, ...this.#all.map((rate) => rate.waitMs(keptFree, now)));
  }

  count(now: number): void {
    for (const rate of this.#all) rate.count(now);
  }
}
