/**
 * How much work the tool's output may cause. A few bytes can ask an emulator for any amount of it, and it is done on the thread that
 * passes keys on (ADR 28). Work is estimated in nanoseconds, so that the same output costs the same on every machine.
 */

/** Any output may cause so much a byte: four times what plain text takes. A full backlog is then parsed within 40 ms. */
const NS_PER_BYTE = 200;
/** Beyond that so much of a processor's time, one part in five, is given to dense output such as full redraws. */
const NS_PER_MS = 200_000;
/** So much can be saved up. It is also the longest time for which the thread is held up at once. */
const SAVED_NS_MAX = 8_000_000;
/** The largest single piece of work fits twice, however large the screen is. */
const LARGEST_WORK_FACTOR = 2;

/** What the emulator was measured to need, in ns, on the slower side: for a character, a cell of a row that is moved or blanked, … */
export const CHARACTER_NS = 20;
export const CELL_NS = 10;
/** … the cell of a new last row, a tab stop that is looked at, and each sequence besides. */
export const FED_CELL_NS = 2;
export const TAB_STOP_NS = 2;
export const SEQUENCE_NS = 100;
/** A line that is inserted or deleted moves all below it. */
export const LINE_NS = 1000;
/** A new screen, or another one, is more than its cells. */
export const SCREEN_NS = 60_000;

export class WorkBudget {
  readonly #now: () => number;
  #savedMax = SAVED_NS_MAX;
  #saved = SAVED_NS_MAX;
  #refilledAt: number;
  #isSpent = false;

  /** `now`: monotonic ms. */
  constructor(now: () => number) {
    this.#now = now;
    this.#refilledAt = now();
  }

  /** The screen has another size. `largestNs`: the most that one sequence can cause there. */
  resized(largestNs: number): void {
    this.#savedMax = Math.max(SAVED_NS_MAX, LARGEST_WORK_FACTOR * largestNs);
    this.#saved = Math.min(this.#saved, this.#savedMax);
  }

  /** So many bytes are parsed next. */
  refill(bytes: number): void {
    const now = this.#now();
    // Bytes earn nothing while the budget is spent: otherwise a flood would pay for itself.
    const earned = (now - this.#refilledAt) * NS_PER_MS + (this.#isSpent ? 0 : bytes * NS_PER_BYTE);
    this.#refilledAt = now;
    this.#saved = Math.min(this.#savedMax, this.#saved + earned);
    if (this.#saved >= this.#savedMax / 2) this.#isSpent = false;
  }

  /** Whether work of so many ns may be done. Once it may not, nothing may until half of the budget is saved up again. */
  spend(ns: number): boolean {
    if (this.#isSpent || ns > this.#saved) {
      this.#isSpent = true;
      return false;
    }
    this.#saved -= ns;
    return true;
  }
}
