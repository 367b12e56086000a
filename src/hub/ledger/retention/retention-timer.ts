/** Keeps the ledger within its limits: deletes old rows, and settled rows earlier if the disk limit is near. */
import type { Cancel } from "../../../model/clock.js";
import { INBOX_KEPT_MS } from "../../delivery/limits.js";
import type { DiskUse } from "../../store/disk-use.js";
import { findStampOfAge, noteClockSteps } from "./row-age.js";
import type { Ledger, Transaction } from "../ledger.js";

const LOOK_EVERY_MS = 60_000;
/** Pause between two batches, so that answers are not delayed. */
const NEXT_BATCH_MS = 50;
/** Rows are kept this long even on a full disk, because people still read their cards. */
const KEPT_AT_LEAST_MS = 3_600_000;

export class RetentionTimer {
  readonly #ledger: Ledger;
  readonly #disk: DiskUse;
  #cancel: Cancel = () => undefined;

  constructor(ledger: Ledger, disk: DiskUse) {
    this.#ledger = ledger;
    this.#disk = disk;
  }

  start(): void {
    this.#prune();
  }

  stop(): void {
    this.#cancel();
  }

  #prune(): void {
    const { clock, log } = this.#ledger.options;
    this.#cancel();
    let waitMs = LOOK_EVERY_MS;
    try {
      this.#disk.measure();
      if (this.#pruneBatch()) waitMs = NEXT_BATCH_MS;
    } catch (error) {
      log("error", "what is old could not be forgotten; it is tried again", { error: String(error) });
    }
    this.#cancel = clock.after(waitMs, () => this.#prune());
  }

  #pruneBatch(): boolean {
    const { store, strangers } = this.#ledger;
    noteClockSteps(this.#ledger);
    const ignored = strangers.readIgnored();
    const before = this.#findLimit();
    return this.#ledger.commit((tx) => {
      if (ignored > 0) tx.record({ step: "strangers_ignored", details: { updates: ignored } });
      const updates = store.inbox.prune(findStampOfAge(this.#ledger, INBOX_KEPT_MS));
      return (before === null ? 0 : this.#deleteBefore(tx, before)) + updates > 0;
    });
  }

  #deleteBefore(tx: Transaction, before: number): number {
    const { prompts, sessions } = this.#ledger.store.retention.prune(before);
    if (prompts + sessions > 0)
      tx.record({ step: "ledger_pruned", details: { before, prompts, sessions, early: this.#disk.isTight } });
    return prompts + sessions;
  }

  #findLimit(): number | null {
    if (this.#disk.isTight) return findStampOfAge(this.#ledger, KEPT_AT_LEAST_MS);
    const keepFor = this.#ledger.options.settings().ledger.keep_for;
    return keepFor === 0 ? null : findStampOfAge(this.#ledger, keepFor);
  }
}
