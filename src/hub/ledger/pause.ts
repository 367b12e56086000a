/** The kill switch: while it is on, no answer is accepted. It survives restarts. */
import type { Identity } from "../../model/ids.js";
import type { Ledger } from "./ledger.js";

const SCOPE = "hub";
const KEY = "paused";

export function isPaused(ledger: Ledger): boolean {
  return ledger.store.settings.get(SCOPE, KEY) === "yes";
}

export function setPaused(ledger: Ledger, paused: boolean, identity: Identity): void {
  ledger.commit((tx) => {
    if (isPaused(ledger) === paused) return;
    ledger.store.settings.set(SCOPE, KEY, paused ? "yes" : "no");
    tx.emit({ kind: "overview" });
    tx.record({ step: paused ? "hub_paused" : "hub_resumed", identity });
    if (paused) tx.emit({ kind: "paused" });
  });
}
