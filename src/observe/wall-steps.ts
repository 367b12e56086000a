/**
 * Notices that somebody set the wall clock. Deadlines are stored as its instants, because people see them and a restart needs
 * them. But a changed clock must not shorten a wait: the tool counts its own time, and its prompt is still open. So deadlines
 * move with the clock. Sleep of the machine is no such step: deadlines that passed meanwhile are over. Steps while no hub ran are
 * unknown: after a restart the wall clock is the only source.
 */
import type { Clock } from "../model/clock.js";

/** Less is the drift of a clock that is slewed, or the rounding of `sinceBoot`. A deadline may be off by as much. */
const STEP_MS = 2_000;

export class WallSteps {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = this.#readOffset();
  }

  /** By how many ms the wall clock was set and not yet followed: below 0 back, 0 not at all. */
  measure(): number {
    const setBy = Math.round(this.#readOffset() - this.#offsetMs);
    return Math.abs(setBy) < STEP_MS ? 0 : setBy;
  }

  /** Deadlines have moved by this much. */
  follow(setByMs: number): void {
    this.#offsetMs += setByMs;
  }

  #readOffset(): number {
    return this.#clock.now() - this.#clock.sinceBoot();
  }
}
