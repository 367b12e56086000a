import { resolvePaths } from "../config/paths.js";
import { mapStrings } from "../model/data/map-strings.js";
import { makeVisible } from "../safety/display.js";
import type { ListedGrant } from "../wire/calls/answer-calls.js";
import type { HubCalls, ParamsFor, ResultOf } from "../wire/messages.js";
import { queryHub } from "./client.js";
import { noteInside } from "./connect/start-hub.js";

export type { ListedGrant } from "../wire/calls/answer-calls.js";

export async function fetchGrants(): Promise<ListedGrant[]> {
  const grants = await queryHub(resolvePaths(), (hub) => hub.call("grants.list", {}));
  return grants.map((grant) => mapStrings(grant, makeVisible) as typeof grant);
}

/** `grant` null: all. Returns the ids of ended grants. */
export async function revokeGrants(grant: string | null): Promise<readonly string[]> {
  const { ended } = await queryHub(resolvePaths(), (hub) => hub.call("grants.revoke", { grant }));
  return ended;
}

export type ListedDelegation = ResultOf<HubCalls, "delegations.list">[number];

export async function fetchDelegations(): Promise<ListedDelegation[]> {
  const found = await queryHub(resolvePaths(), (hub) => hub.call("delegations.list", {}));
  return found.map((each) => mapStrings(each, makeVisible) as typeof each);
}

/** Returns the two names as the configuration has them. Errors: ATB_HUB_REFUSED. */
export function delegate(
  wish: Omit<ParamsFor<HubCalls, "delegations.make">, "inside">,
): Promise<ResultOf<HubCalls, "delegations.make">> {
  return queryHub(resolvePaths(), (hub) => hub.call("delegations.make", { ...wish, ...noteInside() }));
}

/** Errors: ATB_HUB_REFUSED. */
export function endDelegation(from: string | undefined): Promise<ResultOf<HubCalls, "delegations.end">> {
  return queryHub(resolvePaths(), (hub) =>
    hub.call("delegations.end", { ...(from && { from }), ...noteInside() }),
  );
}
