/** Answers that a rule gives without people: at once in mode `full`, after a countdown in mode `assist`. */
import { assertInvariant } from "../../../model/errors.js";
import { POLICY_IDENTITY } from "../../../model/ids.js";
import { findRejectingValue } from "../../../model/answer/rejecting.js";
import { parseLegalValue } from "../../../model/answer/reply.js";
import { mayAnswerAutomatically } from "../../policy/automatic.js";
import { readStoredVerdict, type GrantName } from "../../policy/verdict.js";
import { getDisplayName } from "../../people/people.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { acceptAnswer } from "../accept.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { useGrant } from "../../ledger/policy/grants.js";
import { countRuleUse, readRuleUses } from "./rule-uses.js";

export interface RuleAnswer {
  readonly rule: string;
  readonly value: string;
  readonly text?: string;
  readonly grant?: GrantName;
}

/** The answer of the prompt's verdict; null if people must be asked. An illegal value is never given. */
export function findRuleAnswer({ event, verdict: stored }: PromptRow): RuleAnswer | null {
  const verdict = readStoredVerdict(stored);
  if (!mayAnswerAutomatically(event)) return null;
  if (verdict.kind === "answer" && verdict.value !== undefined) {
    const legal = parseLegalValue(event, verdict.value);
    const { grant } = verdict;
    return legal.ok ? { rule: verdict.rule ?? "", value: legal.value, ...(grant && { grant }) } : null;
  }
  if (verdict.kind !== "deny") return null;
  const value = findRejectingValue(event);
  const legal = value === null ? null : parseLegalValue(event, value);
  if (legal?.ok !== true) return null;
  const { message: text } = verdict;
  const allowsText = text !== undefined && parseLegalValue(event, legal.value, text).ok;
  return { rule: verdict.rule ?? "", value: legal.value, ...(allowsText && { text }) };
}

/** Claims the prompt for the rule, and counts that in the same transaction. */
export function acceptRuleAnswer(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow,
  { rule, value, text, grant }: RuleAnswer,
): PromptRow {
  const identity = POLICY_IDENTITY;
  if (grant === undefined) countRuleUse(ledger, tx, prompt.sessionId, rule);
  else assertInvariant(useGrant(ledger, tx, grant.id), "a grant without a use left would answer");
  const name =
    grant === undefined ? `${getDisplayName(identity)} (rule ${rule})` : `${rule} of ${grant.person}`;
  return acceptAnswer(ledger, tx, prompt, { value, text, identity, name }).prompt;
}

/** The suggested answer, if the rules as they are now would still give it; null otherwise. */
export function findDueAnswer(ledger: Ledger, prompt: PromptRow, now: number): RuleAnswer | null {
  const suggested = findRuleAnswer(prompt);
  const session = ledger.store.sessions.find(prompt.sessionId);
  if (suggested === null || session === null) return null;
  const uses = readRuleUses(ledger, prompt.sessionId);
  const verdict = ledger.options.policy().decide(prompt.event, session, now, uses);
  const current = findRuleAnswer({ ...prompt, verdict: JSON.stringify(verdict) });
  return current?.rule === suggested.rule && current.value === suggested.value ? current : null;
}
