/** The way to one place: one call at a time, at a pace that its service takes there and altogether. Instants are monotonic milliseconds. */
import type { Pace } from "../../sdk/channel.js";
import { Buckets } from "./bucket.js";
import { QUESTION_RESERVE } from "./limits.js";

/** What is to go. */
export interface Load {
  /** It leaves room for a question. */
  readonly canWait: boolean;
  /** It changes what was posted. */
  readonly isEdit: boolean;
}

/** The way to a whole service, which all its lanes lead onto. */
export class Road {
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

export class Lane {
  /** A call is under way. */
  busy = false;
  readonly #buckets: Buckets;
  readonly #road: Road;
  /** The call under way was counted when it began, and has not written yet. */
  #reserved = false;
  #pausedUntil = 0;

  constructor(allowances: ReturnType<Pace["place"]>, road: Road, now: number) {
    this.#buckets = new Buckets(allowances, now);
    this.#road = road;
  }

  /** ms until the next call may begin. */
  waitMs(now: number, { canWait, isEdit }: Load): number {
    const amount = canWait ? 1 + QUESTION_RESERVE : 1;
    const wait = Math.max(this.#buckets.waitMs(amount, now), this.#road.waitMs(now, amount, isEdit));
    return Math.max(wait, this.#pausedUntil - now);
  }

  begin(now: number, { isEdit }: Load): void {
    this.busy = true;
    this.#take(now);
    if (isEdit) this.#road.takeEdit(now);
    this.#reserved = true;
  }

  /** The place was written to. The first time within a call is what `begin` has counted; a file, an answer to somebody come on top. */
  wrote(now: number): void {
    if (!this.#reserved) this.#take(now);
    this.#reserved = false;
  }

  end(): void {
    this.busy = false;
    this.#reserved = false;
  }

  /** The service asked for silence. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #take(now: number): void {
    this.#buckets.take(now);
    this.#road.take(now);
  }
}
