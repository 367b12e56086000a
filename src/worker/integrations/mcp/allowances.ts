/**
 * How much of people's attention a session may ask for. Agents fall into loops, and whoever writes into their prompts may want them to:
 * cards without end bury the ones that matter, and make people tap without reading.
 */
import type { Clock } from "../../../model/clock.js";

/** In so long. What people could not look after in a pause of work is not looked after at all. */
export const WITHIN_MS = 10 * 60_000;
/** What a tool may tell its people in an hour's work is far less. */
export const NOTICES_MAX = 20;
/** Nobody answers one in twenty seconds for long, and agents do not know that much to ask. */
export const QUESTIONS_MAX = 30;
/** Policies answer these too, as fast as the agent works: one in three seconds, where each is a call of a tool. */
export const PERMISSIONS_MAX = 200;
/** At once. Agents ask side by side as often as they have helpers at work; a phone shows no more. */
export const OPEN_MAX = 10;

/** So many in any ten minutes. */
export class CallAllowance {
  readonly max: number;
  readonly #clock: Clock;
  /** When those of the last ten minutes were. */
  #taken: readonly number[] = [];

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.max = max;
  }

  /** False where that were too many; such a one is not counted. */
  take(): boolean {
    const now = this.#clock.monotonic();
    this.#taken = this.#taken.filter((at) => at > now - WITHIN_MS);
    if (this.#taken.length >= this.max) return false;
    this.#taken = [...this.#taken, now];
    return true;
  }
}
