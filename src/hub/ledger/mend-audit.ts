/** Handles an audit that does not end where it was sealed (ADR 14). */
import type { Log } from "../../observe/log.js";
import type { Store } from "../store/store.js";

/** Records that the audit does not end where it was sealed, and starts a new sealed stretch there. */
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
