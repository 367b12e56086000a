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
  mendAudit(store, options.clock.now(), options.log);
  ledger.commit((tx) => tx.record({ step: "hub_started" }));
  store.keepSeal();
}

/** Puts it on record where the audit does not end as it was sealed, and begins a new sealed stretch there. */
export function mendAudit(store: Store, now: number, log: Log): void {
  if (store.audit.endsWhereSealed()) return;
  const { count } = store.audit.head();
  const sealed = store.audit.seal()?.count ?? null;
  log("error", "the audit does not end where it was sealed: see `atlasbridge audit verify`", {
    count,
    sealed,
  });
  store.keepSeal();
  store.keepKnownSeal(now);
  store.write(() =>
    store.audit.appendUnsealed(now, { step: "audit_found_broken", details: { count, sealed } }),
  );
}
