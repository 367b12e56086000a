/** The cost of this run. Agents report the sum of the whole session, earlier runs included. Pure. */
import { findUsd, type Usage } from "../../runtimes/protocol/activity.js";

/** Removes rounding errors of the subtraction. */
const DECIMALS = 9;

export class SessionCost {
  /** The cost of earlier runs; null until it is known. */
  #before: number | null;
  #sum: number | null = null;

  constructor(isResumed: boolean) {
    this.#before = isResumed ? null : 0;
  }

  take(usage: Usage): void {
    const sum = findUsd(usage);
    if (sum === null) return;
    // Earlier costs cannot be separated from the first sum, so it does not count.
    if (this.#before === null) this.#before = sum;
    else {
      // The agent has started to count again.
      if (sum < this.#before) this.#before = 0;
      this.#sum = sum;
    }
  }

  get usd(): number | null {
    return this.#sum === null ? null : Number((this.#sum - (this.#before ?? 0)).toFixed(DECIMALS));
  }
}
