/**
 * Notices that somebody set the wall clock. Deadlines are stored as its instants, but the tool's timers do not follow it, so deadlines are
 * moved. Time asleep is no such step. Steps while no hub ran are unknown.
 */
import type { Clock } from "../model/clock.js";

/** Less is drift, or rounding of `sinceBoot`. */
const STEP_MS = 2_000;

export class WallSteps {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = this.#readOffset();
  }

  /** ms by which the wall clock was set since; below 0: back. */
  measure(): number {
    const setBy = Math.round(this.#readOffset() - this.#offsetMs);
    return Math.abs(setBy) < STEP_MS ? 0 : setBy;
  }

  follow(setByMs: number): void {
    this.#offsetMs += setByMs;
  }

  #readOffset(): number {
    return this.#clock.now() - this.#clock.sinceBoot();
  }
}
