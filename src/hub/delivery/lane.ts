/** The way to one place: one call at a time, at a rate its service takes. Instants are monotonic milliseconds. */
import { QUESTION_RESERVE, MINUTE_BURST, MINUTE_REFILL_MS, PLACE_BURST, PLACE_REFILL_MS } from "./limits.js";

/** A bucket of `capacity` that gains one in `refillMs`. */
class Bucket {
  readonly #capacity: number;
  readonly #refillMs: number;
  #level: number;
  #at: number;

  constructor(capacity: number, refillMs: number, now: number) {
    this.#capacity = capacity;
    this.#refillMs = refillMs;
    this.#level = capacity;
    this.#at = now;
  }

  /** ms until `amount` is in it; 0 when it is now. */
  waitMs(amount: number, now: number): number {
    this.#fill(now);
    return this.#level >= amount ? 0 : Math.ceil((amount - this.#level) * this.#refillMs);
  }

  take(now: number): void {
    this.#fill(now);
    this.#level -= 1;
  }

  #fill(now: number): void {
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#at) / this.#refillMs);
    this.#at = now;
  }
}

export class Lane {
  /** A call is under way. */
  busy = false;
  readonly #second: Bucket;
  readonly #minute: Bucket;
  #pausedUntil = 0;

  constructor(now: number) {
    this.#second = new Bucket(PLACE_BURST, PLACE_REFILL_MS, now);
    this.#minute = new Bucket(MINUTE_BURST, MINUTE_REFILL_MS, now);
  }

  /** ms until the next message may go. `canWait`: it leaves room for a question. */
  waitMs(now: number, canWait: boolean): number {
    const amount = canWait ? 1 + QUESTION_RESERVE : 1;
    const wait = Math.max(this.#second.waitMs(amount, now), this.#minute.waitMs(amount, now));
    return Math.max(wait, this.#pausedUntil - now);
  }

  begin(now: number): void {
    this.busy = true;
    this.#second.take(now);
    this.#minute.take(now);
  }

  /** The service asked for silence. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }
}
