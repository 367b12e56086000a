/** The kill switch: while it is on, no answer is accepted. It survives restarts. */
import type { Identity } from "../../model/ids.js";
import type { Ledger, Transaction } from "./ledger.js";

const SCOPE = "hub";
const KEY = "paused";
/** The row's id as the quarantine names it. */
export const PAUSE_ROW = `${SCOPE}/${KEY}`;

export function isPaused(ledger: Ledger): boolean {
  return ledger.store.settings.get(SCOPE, KEY) === "yes";
}

/** Pauses the hub after another program changed the settings: only a person can say by `resume` that answers are safe. */
export function pauseUnproved(ledger: Ledger, tx: Transaction): void {
  ledger.store.settings.set(SCOPE, KEY, "yes");
  tx.record({ step: "hub_paused", details: { reason: "ledger_changed" } });
  tx.emit({ kind: "overview" });
  tx.emit({ kind: "paused" });
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
