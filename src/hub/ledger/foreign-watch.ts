/** Looks whether another program wrote to the ledger while the hub itself had nothing to do. */
import type { Cancel } from "../../model/clock.js";
import type { Ledger } from "./ledger.js";

/** What was written is on record within a second. A look at a ledger that nobody touched costs some 3 µs. */
export const LOOK_EVERY_MS = 500;

export class ForeignWatch {
  readonly #ledger: Ledger;
  #cancel: Cancel = () => undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  start(): void {
    this.#cancel = this.#ledger.options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    try {
      this.#ledger.look();
    } catch (error) {
      const { log } = this.#ledger.options;
      log("error", "what another program wrote to the ledger could not be mended", { error: String(error) });
    }
    this.start();
  }
}
