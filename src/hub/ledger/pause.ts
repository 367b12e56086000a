/** The kill switch: while it is on, no answer is accepted. It survives restarts. */
import type { Identity } from "../../model/ids.js";
import type { Ledger } from "./ledger.js";

export function isPaused(ledger: Ledger): boolean {
  return ledger.isPaused;
}

export function setPaused(ledger: Ledger, paused: boolean, identity: Identity): void {
  ledger.commit((tx) => {
    if (isPaused(ledger) === paused) return;
    tx.emit({ kind: "overview" });
    if (!paused) ledger.acceptOlderCopy();
    ledger.notePauseSince(tx.record({ step: paused ? "hub_paused" : "hub_resumed", identity }));
    tx.emit({ kind: "paused", by: paused ? identity : null });
  });
}
