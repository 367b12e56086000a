/** Looks whether another program wrote to the ledger, or took it away, while the hub itself had nothing to do. */
import type { Cancel } from "../../model/clock.js";
import type { Ledger } from "./ledger.js";

/** What was written is on record within a second. A look at a ledger that nobody touched costs some 3 µs. */
export const LOOK_EVERY_MS = 500;

export class ForeignWatch {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;

  readonly #onPlace: () => void;
  #wasRemoved = false;

  /** `onPlace`: the ledger's file was taken away, or is in its place again. */
  constructor(ledger: Ledger, onPlace: () => void) {
    this.#ledger = ledger;
    this.#onPlace = onPlace;
  }

  start(): void {
    this.#cancel = this.#ledger.options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    try {
      this.#lookAtPlace();
      if (!this.#wasRemoved) this.#ledger.look();
    } catch (error) {
      const { log } = this.#ledger.options;
      log("error", "what another program wrote to the ledger could not be mended", { error: String(error) });
    }
    this.start();
  }

  #lookAtPlace(): void {
    const { store, options } = this.#ledger;
    const { removed } = store;
    if ((removed !== null) === this.#wasRemoved) return;
    this.#wasRemoved = removed !== null;
    if (removed) options.log("error", "the ledger is gone; nothing is answered", { error: removed.message });
    else options.log("info", "the ledger is in its place again", { path: store.path });
    this.#onPlace();
  }
}
