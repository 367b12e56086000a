/** The queue of one place: one call at a time, except for slow ones, at the rates of the place and its service. */
import type { Pace } from "../../sdk/channel.js";
import { Rates } from "./rates.js";
import { SLOW_CALLS_MAX } from "./limits.js";

export interface CallTraits {
  /** The share of each rate that it leaves free. */
  readonly keptFree: number;
  readonly isEdit: boolean;
}

export type InFlightCall = symbol;

/** The limits of a whole service, shared by the queues of all its places. */
export class ServiceLimiter {
  readonly #all: Rates;
  readonly #edits: Rates;

  constructor({ all, edits }: Omit<Pace, "place">, now: number) {
    this.#all = new Rates(all, now);
    this.#edits = new Rates(edits, now);
  }

  waitMs(now: number, { keptFree, isEdit }: CallTraits): number {
    return Math.max(this.#all.waitMs(keptFree, now), isEdit ? this.#edits.waitMs(keptFree, now) : 0);
  }

  count(now: number): void {
    this.#all.count(now);
  }

  countEdit(now: number): void {
    this.#edits.count(now);
  }
}

export class PlaceQueue {
  readonly #rates: Rates;
  readonly #limiter: ServiceLimiter;
  #current: InFlightCall | null = null;
  readonly #passed = new Set<InFlightCall>();
  /** The call in flight was counted when it started and has not written yet. */
  #reserved = false;
  #pausedUntil = 0;

  constructor(allowances: ReturnType<Pace["place"]>, road: ServiceLimiter, now: number) {
    this.#rates = new Rates(allowances, now);
    this.#limiter = road;
  }

  /** Whether a call is in flight that the next one must wait for. */
  get isBusy(): boolean {
    return this.#current !== null;
  }

  waitMs(now: number, traits: CallTraits): number {
    const wait = Math.max(this.#rates.waitMs(traits.keptFree, now), this.#limiter.waitMs(now, traits));
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
    this.#rates.count(now);
    this.#limiter.count(now);
  }
}
