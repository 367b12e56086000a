/**
 * The way to one place: one call at a time, but for slow ones, which are passed; at a pace that its service takes there and altogether.
 * Instants are monotonic milliseconds.
 */
import type { Pace } from "../../sdk/channel.js";
import { Buckets } from "./bucket.js";
import { PASSED_MAX, QUESTION_RESERVE } from "./limits.js";

/** What is to go. */
export interface Load {
  /** It leaves room for a question. */
  readonly canWait: boolean;
  /** It changes what was posted. */
  readonly isEdit: boolean;
}

/** One call on its way. */
export type InFlightCall = symbol;

/** The limits of a whole service, which the queues of all its places share. */
export class ServiceLimiter {
  readonly #all: Buckets;
  readonly #edits: Buckets;

  constructor({ all, edits }: Omit<Pace, "place">, now: number) {
    this.#all = new Buckets(all, now);
    this.#edits = new Buckets(edits, now);
  }

  waitMs(now: number, amount: number, isEdit: boolean): number {
    return Math.max(this.#all.waitMs(amount, now), isEdit ? this.#edits.waitMs(amount, now) : 0);
  }

  take(now: number): void {
    this.#all.take(now);
  }

  takeEdit(now: number): void {
    this.#edits.take(now);
  }
}

export class PlaceQueue {
  readonly #buckets: Buckets;
  readonly #road: ServiceLimiter;
  /** The call that the next one waits for. */
  #current: InFlightCall | null = null;
  /** Slow calls that others have gone past. */
  readonly #passed = new Set<InFlightCall>();
  /** The call under way was counted when it began, and has not written yet. */
  #reserved = false;
  #pausedUntil = 0;

  constructor(allowances: ReturnType<Pace["place"]>, road: ServiceLimiter, now: number) {
    this.#buckets = new Buckets(allowances, now);
    this.#road = road;
  }

  /** A call is under way that the next one waits for. */
  get busy(): boolean {
    return this.#current !== null;
  }

  /** ms until the next call may begin. */
  waitMs(now: number, { canWait, isEdit }: Load): number {
    const amount = canWait ? 1 + QUESTION_RESERVE : 1;
    const wait = Math.max(this.#buckets.waitMs(amount, now), this.#road.waitMs(now, amount, isEdit));
    return Math.max(wait, this.#pausedUntil - now);
  }

  begin(now: number, { isEdit }: Load): InFlightCall {
    this.#take(now);
    if (isEdit) this.#road.takeEdit(now);
    this.#reserved = true;
    this.#current = Symbol();
    return this.#current;
  }

  /** The call is slow: the next may go past it. False where it may not (any more). What it still writes counts when it does. */
  letPass(call: InFlightCall): boolean {
    if (this.#current !== call || this.#passed.size >= PASSED_MAX) return false;
    this.#passed.add(call);
    this.#leave();
    return true;
  }

  /** The place was written to. The first time within a call is what `begin` has counted; a file, an answer to somebody come on top. */
  wrote(now: number): void {
    if (!this.#reserved) this.#take(now);
    this.#reserved = false;
  }

  end(call: InFlightCall): void {
    if (this.#current === call) this.#leave();
    this.#passed.delete(call);
  }

  /** The service asked for silence. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #leave(): void {
    this.#current = null;
    this.#reserved = false;
  }

  #take(now: number): void {
    this.#buckets.take(now);
    this.#road.take(now);
  }
}
