/** Why a grant that has not ended answers nothing now: a list of grants must not show it as one that answers. */
import { findMembership } from "../../people/people.js";
import { isPaused } from "../pause.js";
import type { Ledger } from "../ledger.js";
import type { Grant } from "./grants.js";
import { getMode } from "./policy-mode.js";
import { getPeopleForPrompt } from "./prompt-people.js";

/** In words for people; null: it answers its request. A rule that names approvers may still keep it from a prompt. */
export function findGrantHold(ledger: Ledger, grant: Grant): string | null {
  const { anywhere, identity, person, sessionId } = grant;
  const session = anywhere ? null : ledger.store.sessions.find(sessionId);
  const people = getPeopleForPrompt(ledger.options.settings(), session, null);
  if (findMembership(people, identity)?.role !== "approver")
    return `answers nothing: ${person} may not answer any more`;
  if (isPaused(ledger)) return "answers nothing while the hub is paused";
  const isOff = !anywhere && getMode(ledger, sessionId) === "off";
  return isOff ? "answers nothing while its session's mode is off" : null;
}
