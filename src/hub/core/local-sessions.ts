/** What the person at this machine may decide about sessions, and about several prompts. */
import { LOCAL_IDENTITY } from "../../model/ids.js";
import type { Ledger } from "../ledger/ledger.js";
import { createRefusedError } from "../ledger/refused-error.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import { claimAlike } from "../prompts/approval/alike.js";
import { refuseAnswer } from "../prompts/claim.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { resumeRelay } from "../prompts/flood/flood-guard.js";
import type { SessionRow } from "../store/tables/sessions.js";

/** The open session. Errors: ATB_HUB_REFUSED if there is none, or if the local user is a viewer there. */
export function requireLocalApprover(
  ledger: Ledger,
  sessionId: string,
): { readonly session: SessionRow; readonly name: string } {
  const session = ledger.store.sessions.find(sessionId);
  if (session?.closedAt !== null) throw createRefusedError("that session is not open");
  const membership = findMembership(getPeopleFor(ledger.options.settings(), session), LOCAL_IDENTITY);
  if (membership?.role !== "approver")
    throw createRefusedError("the local user may not do that: the configuration lists them as a viewer");
  return { session, name: membership.name };
}

/** How many prompts follow; null: none were held back. Errors: ATB_HUB_REFUSED. */
export function resumeRelayLocally(ledger: Ledger, sessionId: string, isSupervised: boolean): number | null {
  if (isSupervised) throw createRefusedError("a supervised tool may not let its prompts be sent again");
  return ledger.commit((tx) => {
    const { session, name } = requireLocalApprover(ledger, sessionId);
    return resumeRelay(ledger, tx, session, { identity: LOCAL_IDENTITY, name });
  });
}

/** Answers prompts that are the same request, as the local user; a supervised tool never does. */
export function answerAlikeLocally(
  ledger: Ledger,
  { shortIds, value }: ParamsOf<HubCalls, "prompts.answer">,
  isSupervised: boolean,
): ResultOf<HubCalls, "prompts.answer"> {
  return ledger.commit((tx) => {
    const named = [...new Set(shortIds)].map((shortId) => ({
      shortId,
      prompt: ledger.store.prompts.findByShortId(shortId),
    }));
    const identity = LOCAL_IDENTITY;
    const results = isSupervised
      ? named.map(({ shortId, prompt }) => ({
          shortId,
          ...refuseAnswer(tx, prompt, identity, createRefusal("supervised")),
        }))
      : claimAlike(ledger, tx, named, { words: value, identity });
    return results.map(({ shortId, promptId, rejection }) => ({
      shortId,
      promptId,
      rejection: rejection && { ...rejection },
    }));
  });
}
