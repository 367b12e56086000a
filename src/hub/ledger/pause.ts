/** The kill switch: while it is on, no answer is accepted. It survives restarts. */
import type { Identity } from "../../model/ids.js";
import type { Ledger, Transaction } from "./ledger.js";

const SCOPE = "hub";
const KEY = "paused";
/** The row's id as the quarantine names it. */
export const PAUSE_ROW = `${SCOPE}/${KEY}`;
/** `paused`: the hub has paused itself; `told`: people know. */
const OWN_KEY = "own_pause";

export function isPaused(ledger: Ledger): boolean {
  return ledger.store.settings.get(SCOPE, KEY) === "yes";
}

/** Whether the pause is the hub's own. */
export function isPausedByItself(ledger: Ledger): boolean {
  return isPaused(ledger) && ledger.store.settings.get(SCOPE, OWN_KEY) !== null;
}

/** Whether people were told of the hub's own pause, and not yet that it is over. */
export function isPauseAnnounced(ledger: Ledger): boolean {
  return ledger.store.settings.get(SCOPE, OWN_KEY) === "told";
}

export function notePauseAnnounced({ store }: Ledger): void {
  store.write(() => store.settings.set(SCOPE, OWN_KEY, "told"));
}

/** Call when people know that it is over. */
export function forgetOwnPause({ store }: Ledger): void {
  if (store.settings.get(SCOPE, OWN_KEY) !== null) store.write(() => store.settings.remove(SCOPE, OWN_KEY));
}

/** Pauses the hub after another program changed the settings: only a person can say by `resume` that answers are safe. */
export function pauseUnproved(ledger: Ledger, tx: Transaction): void {
  if (!isPausedByItself(ledger)) ledger.store.settings.set(SCOPE, OWN_KEY, "paused");
  ledger.store.settings.set(SCOPE, KEY, "yes");
  tx.record({ step: "hub_paused", details: { reason: "ledger_changed" } });
  tx.emit({ kind: "overview" });
  tx.emit({ kind: "paused" });
}

export function setPaused(ledger: Ledger, paused: boolean, identity: Identity): void {
  ledger.commit((tx) => {
    if (isPaused(ledger) === paused) return;
    ledger.store.settings.set(SCOPE, KEY, paused ? "yes" : "no");
    // A pause that was over before people heard of it.
    if (!paused && !isPauseAnnounced(ledger)) ledger.store.settings.remove(SCOPE, OWN_KEY);
    tx.emit({ kind: "overview" });
    tx.record({ step: paused ? "hub_paused" : "hub_resumed", identity });
    if (paused) tx.emit({ kind: "paused" });
  });
}
