/** Forgets, once a day, what was settled longer ago than the configuration keeps (`ledger.keep_for`). */
import type { Cancel } from "../../model/clock.js";
import type { Ledger } from "./ledger.js";

const LOOK_EVERY_MS = 24 * 3_600_000;
/** Between two batches, for whoever wants to answer meanwhile. */
const NEXT_BATCH_MS = 50;

export class RetentionTimer {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Now, and every day. Again when the configuration was replaced. */
  start(): void {
    this.#look();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const { clock, log, settings } = this.#ledger.options;
    this.#cancel();
    // 0 means for ever.
    if (settings().ledger.keep_for === 0) return;
    let waitMs = LOOK_EVERY_MS;
    try {
      if (this.#pruneBatch()) waitMs = NEXT_BATCH_MS;
    } catch (error) {
      log("error", "old questions could not be forgotten; it is tried again tomorrow", {
        error: String(error),
      });
    }
    this.#cancel = clock.after(waitMs, () => this.#look());
  }

  /** True when there may be more. */
  #pruneBatch(): boolean {
    const { store, options } = this.#ledger;
    return this.#ledger.commit((tx) => {
      const before = tx.now - options.settings().ledger.keep_for;
      const { prompts, sessions } = store.retention.prune(before);
      if (prompts + sessions > 0)
        tx.record({ step: "ledger_pruned", details: { before, prompts, sessions } });
      return prompts + sessions > 0;
    });
  }
}
