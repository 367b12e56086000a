/** The error for a request that does not fit the current state. The caller learns why; nothing happens. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { Identity } from "../../model/ids.js";
import { findMembership, getDisplayName, type People } from "../people/people.js";

export function createRefusedError(problem: string, hint = HINT): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_REFUSED", problem, { hint });
}

const HINT = "If this goes on, stop the hub (`atlasbridge hub stop`) and check its log.";

export function requireApprover(people: People, identity: Identity): void {
  if (findMembership(people, identity)?.role === "approver") return;
  throw createRefusedError(
    `${getDisplayName(identity)} may not do that: the configuration lists them as a viewer`,
  );
}
