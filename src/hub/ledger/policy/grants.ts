/**
 * Grants: a person allowed exactly one request in advance, for a time or a number of uses. A use is counted in the transaction that
 * claims, so neither a crash nor a second session gives one more. A grant acts only where a rule that answers could, and never
 * where its maker may not answer any more.
 */
import { isObject } from "../../../model/data/json.js";
import type { GrantTerms } from "../../../model/grant-terms.js";
import { asId, type Identity, type SessionId } from "../../../model/ids.js";
import type { PromptEvent } from "../../../model/prompt.js";
import { findMembership } from "../../people/people.js";
import type { RoutedSession } from "../../people/routing.js";
import type { AskTerms, AnswerVerdict, ExactRequest, GrantName, Verdict } from "../../policy/verdict.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { SessionRow } from "../../store/tables/sessions.js";
import type { Ledger, Transaction } from "../ledger.js";
import { isPaused } from "../pause.js";
import { getMode } from "./policy-mode.js";
import { getPeopleForPrompt } from "./prompt-people.js";
import { isRelayPaused } from "../../store/relay-pause.js";

export const GRANT_SCOPE = "grant";
const COUNTER = { scope: "hub", key: "grants_made" };

/** More at once is a policy that nobody wrote down; each also costs a proof with every prompt. */
export const GRANTS_MAX = 100;

export interface Grant extends GrantName, GrantTerms {
  readonly key: string;
  readonly shown: string;
  readonly tool: string;
  readonly directory: string;
  readonly identity: Identity;
  readonly sessionId: SessionId;
  readonly used: number;
  readonly madeAt: number;
  /** By how much deadlines had been moved by then (`Ledger.movedByMs`): its end moves with them. */
  readonly movedByMs: number;
}

export function findGrantable(
  ledger: Ledger,
  { event, sessionId, verdict, answerable }: PromptRow,
): ExactRequest {
  const session = ledger.store.sessions.find(sessionId);
  const read = ledger.options.policy().readExact;
  if (session === null || read === undefined || !answerable)
    return { ok: false, why: "only people answer it" };
  const stored = JSON.parse(verdict) as Verdict;
  const problem = stored.kind === "ask" ? findTermsProblem(stored.terms ?? {}) : null;
  return problem === null ? read(event, session, ledger.options.clock.now()) : { ok: false, why: problem };
}

/** A rule that asks for more than one tap does so for each prompt. */
function findTermsProblem(terms: AskTerms): string | null {
  const asksMore = terms.quorum !== undefined || terms.numberMatch === true || terms.localOnly === true;
  return asksMore ? "a rule asks for more than one person's tap" : null;
}

export function makeGrant(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  {
    terms,
    request,
    identity,
    person,
  }: {
    readonly terms: GrantTerms;
    readonly request: Extract<ExactRequest, { ok: true }>;
    readonly identity: Identity;
    readonly person: string;
  },
): Grant {
  const number = 1 + Number(ledger.store.settings.get(COUNTER.scope, COUNTER.key) ?? 0);
  ledger.store.settings.set(COUNTER.scope, COUNTER.key, String(number));
  const { sessionId, promptId } = prompt;
  const grant: Grant = {
    id: `g${number}`,
    person,
    ...terms,
    key: request.key,
    shown: request.shown,
    tool: ledger.store.sessions.find(sessionId)?.tool ?? "",
    directory: request.directory,
    identity,
    sessionId,
    used: 0,
    madeAt: tx.now,
    movedByMs: ledger.movedByMs,
  };
  write(ledger, grant);
  tx.record({
    step: "grant_made",
    sessionId,
    promptId,
    identity,
    details: { grant: grant.id, by: person, request: grant.key, ...terms },
  });
  return grant;
}

/** The grants that may still answer, oldest first. Those that ended are removed. */
export function listGrants(ledger: Ledger, tx: Transaction): Grant[] {
  return readAll(ledger)
    .filter((grant) => {
      if (isAlive(ledger, grant, tx.now)) return true;
      ledger.store.settings.remove(GRANT_SCOPE, grant.id);
      return false;
    })
    .sort((a, b) => a.madeAt - b.madeAt || Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

export function findGrantEnd(ledger: Ledger, { forMs, madeAt, movedByMs }: Grant): number | null {
  return forMs === null ? null : madeAt + forMs + ledger.movedByMs - movedByMs;
}

/** At its end exactly it is over. */
function isAlive(ledger: Ledger, grant: Grant, now: number): boolean {
  const end = findGrantEnd(ledger, grant);
  if (end !== null && now >= end) return false;
  if (grant.uses !== null && grant.used >= grant.uses) return false;
  return grant.anywhere || ledger.store.sessions.find(grant.sessionId)?.closedAt === null;
}

/** The verdict of the grant that covers this prompt, in place of a verdict that asks; otherwise the same verdict. */
export function applyGrants(
  ledger: Ledger,
  tx: Transaction,
  {
    event,
    session,
    verdict,
  }: {
    readonly event: PromptEvent;
    readonly session: SessionRow & Pick<RoutedSession, "classes">;
    readonly verdict: Verdict;
  },
): Verdict {
  const read = ledger.options.policy().readExact;
  if (verdict.kind !== "ask" || read === undefined || findTermsProblem(verdict.terms ?? {}) !== null)
    return verdict;
  if (isPaused(ledger) || isRelayPaused(ledger.store, session.sessionId)) return verdict;
  if (getMode(ledger, session.sessionId) === "off") return verdict;
  const grants = listGrants(ledger, tx).filter(
    ({ anywhere, sessionId }) => anywhere || sessionId === session.sessionId,
  );
  if (grants.length === 0) return verdict;
  const request = read(event, session, tx.now);
  if (!request.ok) return verdict;
  const people = getPeopleForPrompt(ledger.options.settings(), session, { verdict: JSON.stringify(verdict) });
  const grant = grants.find(
    ({ key, identity }) => key === request.key && findMembership(people, identity)?.role === "approver",
  );
  return grant === undefined ? verdict : answerBy(grant, request.value);
}

function answerBy({ id, person, used, uses }: Grant, value: string): AnswerVerdict {
  const count = uses === null ? `use ${used + 1}` : `use ${used + 1} of ${uses}`;
  return {
    kind: "answer",
    rule: `grant ${id}`,
    reason: `${person} allowed exactly this in advance (${count})`,
    value,
    grant: { id, person },
  };
}

export function useGrant(ledger: Ledger, tx: Transaction, id: string): boolean {
  const grant = listGrants(ledger, tx).find((each) => each.id === id);
  if (grant === undefined) return false;
  write(ledger, { ...grant, used: grant.used + 1 });
  return true;
}

/** Ends grants: one, or all of them (null). Returns the ids of those that were ended. */
export function revokeGrants(
  ledger: Ledger,
  tx: Transaction,
  id: string | null,
  identity: Identity,
): string[] {
  const ended = listGrants(ledger, tx).filter((grant) => id === null || grant.id === id);
  for (const { id: grant, sessionId } of ended) {
    ledger.store.settings.remove(GRANT_SCOPE, grant);
    tx.record({ step: "grant_revoked", sessionId, identity, details: { grant } });
  }
  return ended.map((grant) => grant.id);
}

function write(ledger: Ledger, grant: Grant): void {
  ledger.store.settings.set(GRANT_SCOPE, grant.id, JSON.stringify(grant));
}

function readAll(ledger: Ledger): Grant[] {
  return ledger.store.settings.listJson(GRANT_SCOPE).flatMap(({ key, value: stored }) => {
    // It holds what `write` put there.
    return isObject(stored)
      ? [{ ...(stored as unknown as Grant), id: key, identity: asId<Identity>(String(stored["identity"])) }]
      : [];
  });
}
