/**
 * Limits how much work the tool's output may cause. A few bytes can request any amount of it from an emulator, and it runs on the
 * thread that forwards keys (ADR 28). Work is estimated in nanoseconds, so that the same output costs the same on every machine.
 */

/** The work that any output may cause for each byte: four times what plain text takes. A full backlog is then parsed within 40 ms. */
const NS_PER_BYTE = 200;
/** Dense output, such as full redraws, may use this much more: a fifth of a processor's time. */
const NS_PER_MS = 200_000;
/** The most work that can be saved up. It is also the longest time for which the thread is blocked at once. */
const SAVED_NS_MAX = 8_000_000;
/** On a large screen the budget is raised until its largest single piece of work fits this many times. */
const LARGEST_WORK_FACTOR = 2;

// Costs of the emulator, measured, and rounded up.
export const CHARACTER_NS = 20;
/** A cell of a row that is moved or blanked. */
export const CELL_NS = 10;
/** A cell of the blank row that a line feed on the last row scrolls in. */
export const SCROLLED_CELL_NS = 2;
export const TAB_STOP_NS = 2;
export const SEQUENCE_NS = 100;
/** An inserted or deleted line moves all lines below it. */
export const LINE_NS = 1000;
/** A new screen, or a switch of screens, costs more than its cells. */
export const SCREEN_NS = 60_000;

export class WorkBudget {
  readonly #now: () => number;
  #savedMax = SAVED_NS_MAX;
  #saved = SAVED_NS_MAX;
  #refilledAt: number;
  #isSpent = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** Call when the screen has another size. `largestNs`: the most that one sequence can cause there. */
  updateSize(largestNs: number): void {
    this.#savedMax = Math.max(SAVED_NS_MAX, LARGEST_WORK_FACTOR * largestNs);
    this.#saved = Math.min(this.#saved, this.#savedMax);
  }

  refill(bytes: number): void {
    const now = this.#now();
    // Bytes earn nothing while the budget is spent: otherwise a flood would pay for itself.
    const earned = (now - this.#refilledAt) * NS_PER_MS + (this.#isSpent ? 0 : bytes * NS_PER_BYTE);
    this.#refilledAt = now;
    this.#saved = Math.min(this.#savedMax, this.#saved + earned);
    if (this.#saved >= this.#savedMax / 2) this.#isSpent = false;
  }

  /** Returns whether work of this many ns may be done. After a refusal, no work is allowed until half of the budget is saved up again. */
  spend(ns: number): boolean {
    if (this.#isSpent || ns > this.#saved) {
      this.#isSpent = true;
      return false;
    }
    this.#saved -= ns;
    return true;
  }
}
