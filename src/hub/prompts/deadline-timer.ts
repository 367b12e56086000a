/** One timer for the earliest deadline, reminder or end of a delegation; the instants themselves are stored. */
import type { Cancel } from "../../model/clock.js";
import { endPastDelegations } from "../ledger/policy/delegations.js";
import { findNextDelegationEnd } from "../store/delegations.js";
import { processDuePrompts } from "./expiry.js";
import type { Ledger } from "../ledger/ledger.js";

/** Timers pause while a laptop sleeps, deadlines do not, and the clock may be set: check at least this often while something is due. */
const LOOK_AGAIN_MS = 60_000;
/** While overdue prompts wait for answers that were given in time. */
const CATCH_UP_LOOK_MS = 1_000;

export class DeadlineTimer {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;
  #running = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  start(): void {
    this.#running = true;
    this.#processDue();
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  arm(): void {
    this.#cancel();
    if (!this.#running) return;
    const { listeningGaps, options } = this.#ledger;
    const waitMs = this.#computeWaitMs();
    listeningGaps.planLook(waitMs);
    if (waitMs === null) return;
    const { clock } = options;
    this.#cancel = clock.after(waitMs, () => this.#processDue());
  }

  #computeWaitMs(): number | null {
    const { store, movedByMs, listeningGaps, options } = this.#ledger;
    const dueAt = findEarlier(store.prompts.nextDueAt(), findNextDelegationEnd(store, movedByMs));
    if (dueAt === null) return null;
    const now = options.clock.now();
    if (dueAt > now) return Math.min(LOOK_AGAIN_MS, dueAt - now);
    return Math.min(CATCH_UP_LOOK_MS, listeningGaps.computeWaitMs(-Infinity));
  }

  #processDue(): void {
    this.#ledger.listeningGaps.noteGap();
    try {
      processDuePrompts(this.#ledger);
      endPastDelegations(this.#ledger);
      this.arm();
    } catch (error) {
      const { clock, log } = this.#ledger.options;
      log("error", "deadlines could not be settled; they are tried again", { error: String(error) });
      this.#cancel = clock.after(LOOK_AGAIN_MS, () => this.#processDue());
    }
  }
}

function findEarlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
