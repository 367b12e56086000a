/** What the person at this machine may say about who answers in whose place. */
import { formatInstant } from "../../model/clock.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import type { Caller } from "../../wire/connection-ends.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { endDelegation, findDelegationHold, makeDelegation } from "../ledger/policy/delegations.js";
import type { Ledger } from "../ledger/ledger.js";
import { createRefusedError } from "../ledger/refused-error.js";
import { findMembership } from "../people/people.js";
import { readDelegations } from "../store/delegations.js";

type IsSupervised = (caller: Caller, inside: string | undefined) => boolean;

/** `isSupervised`: whether a call comes from a tool that we supervise: it may let nobody answer, and take nobody's leave. */
export function delegationHandlers(ledger: Ledger, isSupervised: IsSupervised) {
  return {
    "delegations.list": () => listDelegations(ledger),
    "delegations.make": (wish: ParamsOf<HubCalls, "delegations.make">, caller: Caller) => {
      refuseSupervised(isSupervised(caller, wish.inside));
      return makeLocally(ledger, wish);
    },
    "delegations.end": ({ from, inside }: ParamsOf<HubCalls, "delegations.end">, caller: Caller) => {
      refuseSupervised(isSupervised(caller, inside));
      const name = findDelegator(ledger, from ?? null);
      return { from: name, ended: ledger.commit((tx) => endDelegation(ledger, tx, name, LOCAL_IDENTITY)) };
    },
  };
}

function listDelegations(ledger: Ledger): ResultOf<HubCalls, "delegations.list"> {
  const { clock, safeText } = ledger.options;
  return readDelegations(ledger.store, clock.now(), ledger.movedByMs).map(({ from, to, endsAt }) => {
    const hold = findDelegationHold(ledger, { from, to });
    return {
      from: safeText(from),
      to: safeText(to),
      endsAt: formatInstant(endsAt),
      ...(hold !== null && { hold: safeText(hold) }),
    };
  });
}

function makeLocally(
  ledger: Ledger,
  { from: named, to: wanted, forMs }: ParamsOf<HubCalls, "delegations.make">,
): ResultOf<HubCalls, "delegations.make"> {
  const { people } = ledger.options.settings();
  const from = findDelegator(ledger, named ?? null);
  const others = people.filter(({ name }) => name !== from).map(({ name }) => name);
  const to = others.find((name) => isNamed(name, wanted));
  if (to === undefined) throw createRefusedError(`name somebody else of: ${others.join(", ")}`);
  ledger.commit((tx) => makeDelegation(ledger, tx, { from, to, forMs, identity: LOCAL_IDENTITY }));
  return { from, to };
}

function refuseSupervised(isSupervised: boolean): void {
  if (isSupervised) throw createRefusedError("a supervised tool may not say who answers");
}

/** In whose place: who is named, else the local user's own entry, else the only approver. Errors: ATB_HUB_REFUSED. */
function findDelegator(ledger: Ledger, named: string | null): string {
  const { people } = ledger.options.settings();
  if (findMembership(people, LOCAL_IDENTITY)?.role !== "approver")
    throw createRefusedError("the local user may not do that: the configuration lists them as a viewer");
  const approvers = people.filter(({ role }) => role === "approver");
  const own = approvers.find(({ identities }) => identities.includes(LOCAL_IDENTITY));
  const only = approvers.length === 1 ? approvers[0] : undefined;
  const found = named === null ? (own ?? only) : approvers.find(({ name }) => isNamed(name, named));
  if (found !== undefined) return found.name;
  const names = approvers.map(({ name }) => name).join(", ");
  throw createRefusedError(
    names === "" ? "nobody is listed as an approver" : `name in whose place, of: ${names}`,
  );
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
