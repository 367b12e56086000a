/** Whether rules answer in a session: as the policy file says, unless a person chose otherwise for it. It survives restarts. */
import type { Identity } from "../../../model/ids.js";
import { MODES, type Mode } from "../../../model/policy-mode.js";
import { askAlways } from "../../policy/verdict.js";
import type { Ledger } from "../ledger.js";

export const MODE_SCOPE = "mode";

export function hasPolicy(ledger: Ledger): boolean {
  return ledger.options.policy().decide !== askAlways;
}

export function getMode(ledger: Ledger, sessionId: string): Mode {
  const chosen = ledger.store.settings.get(MODE_SCOPE, sessionId);
  return MODES.find((mode) => mode === chosen) ?? ledger.options.policy().mode;
}

export function setMode(ledger: Ledger, sessionId: string, mode: Mode, identity: Identity): void {
  ledger.commit((tx) => {
    ledger.store.settings.set(MODE_SCOPE, sessionId, mode);
    tx.record({ step: "mode_set", sessionId, identity, details: { mode } });
    tx.emit({ kind: "overview" });
  });
}
