import { formatInstant } from "../../model/clock.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import type { ListedGrant } from "../../wire/calls/answer-calls.js";
import { findGrantHold } from "../ledger/policy/grant-hold.js";
import { findGrantEnd, listGrants, revokeGrants, type Grant } from "../ledger/policy/grants.js";
import type { Ledger } from "../ledger/ledger.js";

export function listGrantsForClient(ledger: Ledger): ListedGrant[] {
  return ledger.commit((tx) => listGrants(ledger, tx)).map((grant) => describe(ledger, grant));
}

/** Anybody of this machine's user may: it makes more prompts reach people, never fewer. */
export function revokeGrantsLocally(ledger: Ledger, grant: string | null): { ended: string[] } {
  return { ended: ledger.commit((tx) => revokeGrants(ledger, tx, grant, LOCAL_IDENTITY)) };
}

function describe(ledger: Ledger, grant: Grant): ListedGrant {
  const { safeText } = ledger.options;
  const end = findGrantEnd(ledger, grant);
  const hold = findGrantHold(ledger, grant);
  const { id, sessionId, anywhere, used, uses } = grant;
  return {
    id,
    tool: safeText(grant.tool),
    request: safeText(grant.shown),
    directory: safeText(grant.directory),
    sessionId,
    anywhere,
    by: safeText(grant.person),
    used,
    uses,
    endsAt: end === null ? null : formatInstant(end),
    hold: hold === null ? null : safeText(hold),
  };
}
