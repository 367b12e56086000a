/** Makes and ends delegations: for a time, somebody else may answer what a person may. */
import type { Identity } from "../../../model/ids.js";
import type { Delegation } from "../../../model/answer/delegation.js";
import { DELEGATION_SCOPE, listEndedDelegations, readDelegations } from "../../store/delegations.js";
import type { Ledger, Transaction } from "../ledger.js";
import { closeFor, listAsked, mayAnswer, updateCards } from "./card-rights.js";

/** Replaces an earlier one of the same person. Cards get or lose their buttons accordingly. */
export function makeDelegation(
  ledger: Ledger,
  tx: Transaction,
  {
    from,
    to,
    forMs,
    identity,
  }: Omit<Delegation, "endsAt"> & { readonly forMs: number; readonly identity: Identity },
): void {
  const earlier = readDelegations(ledger.store, tx.now, ledger.movedByMs).find((each) => each.from === from);
  const stored = { to, endsAt: tx.now + forMs, movedByMs: ledger.movedByMs };
  updateCards(ledger, tx, [to, ...(earlier ? [earlier.to] : [])], () => {
    ledger.store.settings.set(DELEGATION_SCOPE, from, JSON.stringify(stored));
  });
  tx.record({ step: "delegation_made", identity, details: { from, to, forMs } });
  tx.emit({ kind: "deadlines" });
  emitOpenPrompts(ledger, tx);
}

/** The delegate may be reachable where the other person is not. */
function emitOpenPrompts({ store }: Ledger, tx: Transaction): void {
  for (const { promptId } of store.prompts.listOpen()) tx.emit({ kind: "prompt", promptId });
}

export function endDelegation(ledger: Ledger, tx: Transaction, from: string, identity: Identity): boolean {
  const found = readDelegations(ledger.store, tx.now, ledger.movedByMs).find((each) => each.from === from);
  updateCards(ledger, tx, found ? [found.to] : [], () => {
    ledger.store.settings.remove(DELEGATION_SCOPE, from);
  });
  if (found === undefined) return false;
  tx.record({ step: "delegation_ended", identity, details: { from, to: found.to } });
  emitOpenPrompts(ledger, tx);
  return true;
}

/** Ends delegations whose time is over: cards lose their buttons, and the end is recorded. */
export function endPastDelegations(ledger: Ledger): void {
  const { store } = ledger;
  if (listEndedDelegations(store, ledger.options.clock.now(), ledger.movedByMs).length === 0) return;
  ledger.commit((tx) => {
    for (const { from, to } of listEndedDelegations(store, tx.now, ledger.movedByMs)) {
      store.settings.remove(DELEGATION_SCOPE, from);
      tx.record({ step: "delegation_ended", details: { from, to, by: "time" } });
      for (const prompt of listAsked(ledger))
        if (!mayAnswer(ledger, prompt, to)) closeFor(ledger, tx, prompt, to);
    }
  });
}

/** Why a delegation lets nobody answer now, in words for people; null: it does. A list must not show it as one that holds. */
export function findDelegationHold(
  { options }: Ledger,
  { from, to }: Pick<Delegation, "from" | "to">,
): string | null {
  const { people } = options.settings();
  if (!people.some(({ name, role }) => name === from && role === "approver"))
    return `holds nothing: ${from} may not answer any more`;
  return people.some(({ name }) => name === to) ? null : `holds nothing: ${to} is not listed any more`;
}
