/** Limits how often an agent may ask people: an agent in a loop would bury the cards that matter. */
import type { Clock } from "../../../model/clock.js";

const WITHIN_MINUTES = 10;
export const WITHIN_MS = WITHIN_MINUTES * 60_000;
export const NOTICES_MAX = 20;
/** More than people can answer. */
export const QUESTIONS_MAX = 30;
/** Policies answer permissions, too, as fast as the agent works. */
export const PERMISSIONS_MAX = 200;
/** Each start of a session is a message in the chats. */
export const STARTS_MAX = NOTICES_MAX;
export const OPEN_MAX = 10;

export class CallAllowance {
  readonly max: number;
  readonly #clock: Clock;
  #taken: readonly number[] = [];

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.max = max;
  }

  describe(calls: string): string {
    return `the limit is ${this.max} ${calls} in ${WITHIN_MINUTES} minutes`;
  }

  /** Counts the call, or returns false where the limit is reached. */
  take(): boolean {
    const now = this.#clock.monotonic();
    this.#taken = this.#taken.filter((at) => at > now - WITHIN_MS);
    if (this.#taken.length >= this.max) return false;
    this.#taken = [...this.#taken, now];
    return true;
  }
}
