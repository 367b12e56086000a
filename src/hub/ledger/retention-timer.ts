/** Keeps the ledger within its bounds: what is old is forgotten, and what is settled earlier than that where the disk's share is full. */
import type { Cancel } from "../../model/clock.js";
import { SPOOL_KEPT_MS } from "../delivery/limits.js";
import type { DiskUse } from "../store/disk-use.js";
import type { Ledger, Transaction } from "./ledger.js";

const LOOK_EVERY_MS = 60_000;
/** Between two batches, for whoever wants to answer meanwhile. */
const NEXT_BATCH_MS = 50;
/** However full it is: what was settled just now is still being read on cards. */
const KEPT_AT_LEAST_MS = 3_600_000;

export class RetentionTimer {
  readonly #ledger: Ledger;
  readonly #disk: DiskUse;
  #cancel: Cancel = () => undefined;

  constructor(ledger: Ledger, disk: DiskUse) {
    this.#ledger = ledger;
    this.#disk = disk;
  }

  /** Now, and every minute. Again when the configuration was replaced. */
  start(): void {
    this.#look();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const { clock, log } = this.#ledger.options;
    this.#cancel();
    let waitMs = LOOK_EVERY_MS;
    try {
      this.#disk.measure();
      if (this.#pruneBatch()) waitMs = NEXT_BATCH_MS;
    } catch (error) {
      log("error", "what is old could not be forgotten; it is tried again", { error: String(error) });
    }
    this.#cancel = clock.after(waitMs, () => this.#look());
  }

  /** True when there may be more. */
  #pruneBatch(): boolean {
    const { store, strangers } = this.#ledger;
    const ignored = strangers.takeIgnored();
    const before = this.#forgetBefore();
    return this.#ledger.commit((tx) => {
      if (ignored > 0) tx.record({ step: "strangers_ignored", details: { updates: ignored } });
      const updates = store.spool.prune(tx.now - SPOOL_KEPT_MS);
      return (before === null ? 0 : this.#forget(tx, before)) + updates > 0;
    });
  }

  #forget(tx: Transaction, before: number): number {
    const { prompts, sessions } = this.#ledger.store.retention.prune(before);
    if (prompts + sessions > 0)
      tx.record({ step: "ledger_pruned", details: { before, prompts, sessions, early: this.#disk.isTight } });
    return prompts + sessions;
  }

  /** What was settled before this instant may go; null: nothing does. */
  #forgetBefore(): number | null {
    const { clock, settings } = this.#ledger.options;
    if (this.#disk.isTight) return clock.now() - KEPT_AT_LEAST_MS;
    const keepFor = settings().ledger.keep_for;
    // 0 means for ever.
    return keepFor === 0 ? null : clock.now() - keepFor;
  }
}
