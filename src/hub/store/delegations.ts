/** Delegations, one row for each person who has a delegate. They survive restarts. */
import { isObject } from "../../model/data/json.js";
import type { Delegation } from "../../model/answer/delegation.js";
import type { Store } from "./store.js";

export const DELEGATION_SCOPE = "delegation";

/** Those that hold at `now`. `movedByMs`: see `Ledger.movedByMs`; their ends move with the clock. */
export function readDelegations(store: Store, now: number, movedByMs: number): readonly Delegation[] {
  return readAll(store, movedByMs).filter(({ endsAt }) => now < endsAt);
}

/** Those whose time is over and that are not removed yet. */
export function listEndedDelegations(store: Store, now: number, movedByMs: number): readonly Delegation[] {
  return readAll(store, movedByMs).filter(({ endsAt }) => now >= endsAt);
}

/** When the next one ends, also one that is not removed yet; null: there is none. */
export function findNextDelegationEnd(store: Store, movedByMs: number): number | null {
  const ends = readAll(store, movedByMs).map(({ endsAt }) => endsAt);
  return ends.length === 0 ? null : Math.min(...ends);
}

function readAll({ settings }: Store, movedByMs: number): readonly Delegation[] {
  return settings.listJson(DELEGATION_SCOPE).flatMap(({ key, value: stored }) => {
    if (!isObject(stored)) return [];
    const endsAt = Number(stored["endsAt"]) + movedByMs - Number(stored["movedByMs"]);
    return [{ from: key, to: String(stored["to"]), endsAt }];
  });
}
