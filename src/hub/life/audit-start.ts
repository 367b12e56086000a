/** The first rows of a hub's life: that it began, and, if so, that the audit it found is not the one that was sealed (ADR 14). */
import type { Log } from "../../observe/log.js";
import type { Store } from "../store/store.js";
import type { Ledger } from "./ledger.js";

/**
 * The seal that does not fit is kept outside of the database first: it stays the proof of what is missing, while the audit goes on.
 * To stop for good would let anybody who can write to the file take the phone away from its owner.
 */
export function recordStart(ledger: Ledger): void {
  const { store, options } = ledger;
  if (!store.audit.endsWhereSealed()) recordBroken(store, options.clock.now(), options.log);
  ledger.commit((tx) => tx.record({ step: "hub_started" }));
  store.keepSeal();
}

function recordBroken(store: Store, now: number, log: Log): void {
  const { count } = store.audit.head();
  const sealed = store.audit.seal()?.count ?? null;
  log("error", "the audit does not end where it was sealed: see `atlasbridge audit verify`", {
    count,
    sealed,
  });
  store.keepSeal();
  store.write(() =>
    store.audit.appendUnsealed(now, { step: "audit_found_broken", details: { count, sealed } }),
  );
}
