/** Who may answer a prompt: the people of its session, and of those only whom the rule that asks names, or one of its steps so far. */
import { readStoredVerdict, readTerms } from "../../policy/verdict.js";
import { applyDelegations } from "../../people/delegation.js";
import type { Identity } from "../../../model/ids.js";
import { findMembership, type People } from "../../people/people.js";
import {
  getPeopleFor,
  limitApprovers,
  type RoutedSession,
  type RouteSettings,
} from "../../people/routing.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Ledger } from "../ledger.js";

export function getPeopleForPrompt(
  settings: RouteSettings,
  session: RoutedSession | null,
  prompt: (Pick<PromptRow, "verdict"> & Partial<Pick<PromptRow, "reminders">>) | null,
): People {
  if (prompt === null) return getPeopleFor(settings, session);
  const people = getPeopleFor(settings, session && routePrompt(session, prompt));
  const { approvers, escalate = [], quorum = 1 } = readTerms(prompt.verdict);
  const reached = escalate.slice(0, prompt.reminders ?? 0).flatMap((step) => step.people);
  const limited = limitApprovers(people, approvers && [...approvers, ...reached]);
  // A rule that asks for two people means two of them, not one and a delegate.
  return quorum > 1 ? limited : applyDelegations(limited, settings.delegations ?? []);
}

/** The people of a stored prompt; null: those of a session that no rule matches. */
export function listPeopleOf(ledger: Ledger, prompt: PromptRow | null): People {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  return getPeopleForPrompt(ledger.options.settings(), session, prompt);
}

export function mayApprove(ledger: Ledger, prompt: PromptRow | null, identity: Identity): boolean {
  return findMembership(listPeopleOf(ledger, prompt), identity)?.role === "approver";
}

export function isLocalOnly({ verdict }: Pick<PromptRow, "verdict">): boolean {
  return readTerms(verdict).localOnly === true;
}

/** What routes see of a prompt: its session, and its classes as they were when it came. */
export function routePrompt(session: RoutedSession, { verdict }: Pick<PromptRow, "verdict">): RoutedSession {
  const { classes = session.classes ?? [] } = readStoredVerdict(verdict);
  return { ...session, classes };
}

/** The name shown for who answered: `Cat`, or `Cat (for Ara)` for a delegate. */
export function nameAnswerer(
  settings: RouteSettings,
  session: RoutedSession | null,
  prompt: Pick<PromptRow, "verdict" | "reminders">,
  name: string,
): string {
  const { delegations = [], ...own } = settings;
  const people = getPeopleForPrompt(own, session, prompt);
  const isOwn = people.find((person) => person.name === name)?.role !== "viewer";
  const from = delegations
    .filter(({ to }) => to === name)
    .find((each) => people.some((person) => person.name === each.from && person.role === "approver"));
  return isOwn || from === undefined ? name : `${name} (for ${from.from})`;
}
