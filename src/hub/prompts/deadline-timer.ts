/** One timer for the earliest deadline or reminder; the instants themselves are stored. */
import type { Cancel } from "../../model/clock.js";
import { processDuePrompts } from "./expiry.js";
import type { Ledger } from "../ledger/ledger.js";

/** Timers pause while a laptop sleeps, deadlines do not, and the clock may be set: check at least this often while something is due. */
const LOOK_AGAIN_MS = 60_000;

export class DeadlineTimer {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;
  #running = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Processes what fell due meanwhile, then waits for the next. */
  start(): void {
    this.#running = true;
    this.#processDue();
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Call when the earliest instant may have changed. */
  arm(): void {
    this.#cancel();
    if (!this.#running) return;
    const dueAt = this.#ledger.store.prompts.nextDueAt();
    if (dueAt === null) return;
    const { clock } = this.#ledger.options;
    const waitMs = Math.min(LOOK_AGAIN_MS, Math.max(0, dueAt - clock.now()));
    this.#cancel = clock.after(waitMs, () => this.#processDue());
  }

  #processDue(): void {
    try {
      processDuePrompts(this.#ledger);
      this.arm();
    } catch (error) {
      const { clock, log } = this.#ledger.options;
      log("error", "deadlines could not be settled; they are looked at again", { error: String(error) });
      this.#cancel = clock.after(LOOK_AGAIN_MS, () => this.#processDue());
    }
  }
}
