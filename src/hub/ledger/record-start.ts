import type { Ledger } from "./ledger.js";
import { mendAudit } from "./mend-audit.js";

/**
 * The seal that does not fit is kept outside of the database first: it stays the proof of what is missing, while the audit goes on.
 * To stop for good would let anybody who can write to the file take the phone away from its owner.
 */
export function recordStart(ledger: Ledger): void {
  const { store, options } = ledger;
  mendAudit(store, options.clock.now(), options.log);
  ledger.commit((tx) => tx.record({ step: "hub_started" }));
  store.keepSeal();
}
