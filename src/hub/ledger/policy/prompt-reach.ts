/** Determines whether a prompt reaches somebody who may answer it. Pure. */
import { LOCAL_IDENTITY } from "../../../model/ids.js";
import { getPeopleForPrompt, routePrompt } from "./prompt-people.js";
import { findReachability, type ReachFacts } from "../../people/reach.js";
import type { RoutedSession } from "../../people/routing.js";
import { readTerms } from "../../policy/verdict.js";
import type { PromptRow } from "../../store/tables/prompts.js";

/**
 * Why nobody who may answer this prompt can be reached; null where somebody can, or where only whoever sits at this machine is
 * wanted. Rules name other people than the session has, and may send a class of prompts elsewhere.
 */
export function findPromptProblem(
  facts: ReachFacts,
  session: RoutedSession,
  prompt: Pick<PromptRow, "verdict" | "reminders">,
): string | null {
  if (readTerms(prompt.verdict).localOnly === true) return null;
  const people = getPeopleForPrompt(facts.settings, session, prompt);
  const approvers = people.filter(({ role }) => role === "approver").flatMap(({ identities }) => identities);
  if (approvers.every((identity) => identity === LOCAL_IDENTITY)) return null;
  // The rules' approvers are applied already, and whoever stands in for one of them is in no rule.
  const routes = facts.settings.routes.map((rule) => ({ ...rule, approvers: undefined }));
  const settings = { people, routes };
  return findReachability({ ...facts, settings }, routePrompt(session, prompt)).problem;
}
