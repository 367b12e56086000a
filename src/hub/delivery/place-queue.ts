/** The queue of one place: one call at a time, except for slow ones, at the rates of the place and its service. */
import type { Pace } from "../../sdk/channel.js";
import { Buckets } from "./token-bucket.js";
import { SLOW_CALLS_MAX, PROMPT_RESERVE } from "./limits.js";

export interface CallTraits {
  /** It leaves one message free for a prompt. */
  readonly canWait: boolean;
  readonly isEdit: boolean;
}

export type InFlightCall = symbol;

/** The limits of a whole service, shared by the queues of all its places. */
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

  count(now: number): void {
    this.#all.count(now);
  }

  countEdit(now: number): void {
    this.#edits.count(now);
  }
}

export class PlaceQueue {
  readonly #buckets: Buckets;
  readonly #limiter: ServiceLimiter;
  #current: InFlightCall | null = null;
  readonly #passed = new Set<InFlightCall>();
  /** The call in flight was counted when it started and has not written yet. */
  #reserved = false;
  #pausedUntil = 0;

  constructor(allowances: ReturnType<Pace["place"]>, road: ServiceLimiter, now: number) {
    this.#buckets = new Buckets(allowances, now);
    this.#limiter = road;
  }

  /** Whether a call is in flight that the next one must wait for. */
  get isBusy(): boolean {
    return this.#current !== null;
  }

  waitMs(now: number, { canWait, isEdit }: CallTraits): number {
    const amount = canWait ? 1 + PROMPT_RESERVE : 1;
    const wait = Math.max(this.#buckets.waitMs(amount, now), this.#limiter.waitMs(now, amount, isEdit));
    return Math.max(wait, this.#pausedUntil - now);
  }

  begin(now: number, { isEdit }: CallTraits): InFlightCall {
    this.#count(now);
    if (isEdit) this.#limiter.countEdit(now);
    this.#reserved = true;
    this.#current = Symbol();
    return this.#current;
  }

  /** Lets the next call pass this slow one. False if it may not. Later writes of the slow call count when they happen. */
  passSlowCall(call: InFlightCall): boolean {
    if (this.#current !== call || this.#passed.size >= SLOW_CALLS_MAX) return false;
    this.#passed.add(call);
    this.#leave();
    return true;
  }

  /** Counts a write to the place. `begin` already counted the first write of a call; uploads and replies to people are extra. */
  noteWrite(now: number): void {
    if (!this.#reserved) this.#count(now);
    this.#reserved = false;
  }

  end(call: InFlightCall): void {
    if (this.#current === call) this.#leave();
    this.#passed.delete(call);
  }

  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #leave(): void {
    this.#current = null;
    this.#reserved = false;
  }

  #count(now: number): void {
    this.#buckets.count(now);
    this.#limiter.count(now);
  }
}
