/**
 * How much of people's attention a session may ask for. Agents fall into loops, and whoever writes into their prompts may want them to:
 * cards without end bury the ones that matter, and make people tap without reading.
 */
import type { Clock } from "../../../model/clock.js";

const WITHIN_MINUTES = 10;
/** The period for which calls are counted. What people could not look after in a pause of work is not looked after at all. */
export const WITHIN_MS = WITHIN_MINUTES * 60_000;
/** What a tool may tell its people in an hour's work is far less. */
export const NOTICES_MAX = 20;
/** Nobody answers one in twenty seconds for long, and agents do not know that much to ask. */
export const QUESTIONS_MAX = 30;
/** Policies answer these too, as fast as the agent works: one in three seconds, where each is a call of a tool. */
export const PERMISSIONS_MAX = 200;
/** The most calls that wait at once. Agents ask side by side as often as they have helpers at work; a phone shows no more. */
export const OPEN_MAX = 10;

/** Allows `max` calls in any period of `WITHIN_MS`. */
export class CallAllowance {
  readonly max: number;
  readonly #clock: Clock;
  /** When the calls of the last period were made. */
  #taken: readonly number[] = [];

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.max = max;
  }

  /** Says the limit in words: `the limit is 20 messages in 10 minutes`. */
  describe(calls: string): string {
    return `the limit is ${this.max} ${calls} in ${WITHIN_MINUTES} minutes`;
  }

  /** Counts a call; returns false, and does not count it, where it would be one too many. */
  take(): boolean {
    const now = this.#clock.monotonic();
    this.#taken = this.#taken.filter((at) => at > now - WITHIN_MS);
    if (this.#taken.length >= this.max) return false;
    this.#taken = [...this.#taken, now];
    return true;
  }
}
