/** Checks whether another program changed or removed the ledger while the hub had nothing to do. */
import type { Cancel } from "../../model/clock.js";
import type { Ledger } from "./ledger.js";

/** Foreign writes are recorded within a second. Checking an untouched ledger costs about 3 µs. */
export const FOREIGN_CHECK_EVERY_MS = 500;

export class ForeignWriteMonitor {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;

  readonly #onPlace: () => void;
  readonly #onLook: () => void;
  #wasRemoved = false;
  /** What was recorded until the ledger was replaced is sealed beside the file that is there now. */
  #isSealed = false;

  /** `onPlace`: called when the ledger's file was removed or has returned. `onLook`: called after each check. */
  constructor(ledger: Ledger, onPlace: () => void, onLook: () => void) {
    this.#ledger = ledger;
    this.#onPlace = onPlace;
    this.#onLook = onLook;
  }

  start(): void {
    this.#cancel = this.#ledger.options.clock.after(FOREIGN_CHECK_EVERY_MS, () => this.#check());
  }

  stop(): void {
    this.#cancel();
  }

  /** Before something is read, outside of a step, that another program may have put there. */
  lookNow(): void {
    this.#ledger.mendIfChanged();
  }

  #check(): void {
    try {
      this.#checkPlace();
      if (!this.#wasRemoved) this.#ledger.mendIfChanged();
      else this.#isSealed ||= this.#ledger.store.keepSealBesideReplacement(this.#ledger.options.clock.now());
    } catch (error) {
      const { log } = this.#ledger.options;
      log("error", "what another program wrote to the ledger could not be mended", { error: String(error) });
    }
    this.#onLook();
    this.start();
  }

  #checkPlace(): void {
    const { store, options } = this.#ledger;
    const { removed } = store;
    if ((removed !== null) === this.#wasRemoved) return;
    this.#wasRemoved = removed !== null;
    this.#isSealed = false;
    if (removed)
      options.log("error", "the ledger was removed; no answers are accepted", { error: removed.message });
    else options.log("info", "the ledger is back in its place", { path: store.path });
    this.#onPlace();
  }
}
