/** What a run adds to the cost of an agent's session. Agents report the sum of the whole session, earlier runs included. Pure. */
import { findUsd, type Usage } from "../../runtimes/protocol/activity.js";

/** Decimals of a difference of two sums: more of them are noise of the arithmetic. */
const DECIMALS = 9;

export class SessionCost {
  /** The part of earlier runs; null until it is known. */
  #before: number | null;
  #sum: number | null = null;

  constructor(isResumed: boolean) {
    this.#before = isResumed ? null : 0;
  }

  take(usage: Usage): void {
    const sum = findUsd(usage);
    if (sum === null) return;
    // What of the first sum was spent now cannot be told, so none of it counts.
    if (this.#before === null) this.#before = sum;
    else {
      // An agent that counts anew counts this run alone.
      if (sum < this.#before) this.#before = 0;
      this.#sum = sum;
    }
  }

  /** US dollars of this run; null: the agent reports none. */
  get usd(): number | null {
    return this.#sum === null ? null : Number((this.#sum - (this.#before ?? 0)).toFixed(DECIMALS));
  }
}
