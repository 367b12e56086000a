import type { Ledger } from "./ledger.js";
import { mendAudit } from "./mend-audit.js";

/**
 * Keeps the mismatching seal outside the database, as proof of what is missing, and continues. Stopping for good would let
 * anyone who can write to the file lock the owner out.
 */
export function recordStart(ledger: Ledger): void {
  const { store, options } = ledger;
  mendAudit(store, options.clock.now(), options.log);
  ledger.commit((tx) => tx.record({ step: "hub_started" }));
  store.keepSeal();
}
