/** The verdict on a prompt: deny before answer before ask before notify, and the first rule that matches in its class. Pure. */
import { listChosen } from "../../model/answer/chosen.js";
import { isPermanent } from "../../model/answer/find-yes.js";
import { findRejectingValue } from "../../model/answer/rejecting.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import { isRejecting } from "../../model/hidden.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { CompiledPolicy, PolicyRule } from "./compile.js";
import type { Finding } from "./command/command-line.js";
import { Facts } from "./facts.js";
import { findApprovalGuard, findGuard } from "./guards.js";
import type { PolicySubject, PolicyWorld } from "./subject.js";
import type { AskTerms, HeldRule, RuleUses, Verdict } from "./verdict.js";

interface Matches {
  readonly deny: Match | null;
  readonly answer: Match | null;
  readonly ask: Match | null;
  readonly notify: Match | null;
}

interface Match extends Finding {
  readonly rule: PolicyRule;
}

export function decide(
  policy: CompiledPolicy,
  subject: PolicySubject,
  world: PolicyWorld,
  uses: RuleUses,
): Verdict {
  const facts = new Facts(subject, world);
  const found = findMatches(policy, facts);
  const automatic = found.deny ?? found.answer;
  if (automatic === null) return askPeople(found, describeNearest(policy, facts));
  const verdict = found.deny === null ? answer(automatic, facts, uses) : deny(automatic, facts);
  if ("kind" in verdict) return verdict;
  const { id } = automatic.rule;
  const { why, detail = "" } = verdict;
  return askPeople(found, `rule ${id} does not act: ${why}${detail}`, { rule: id, why });
}

/** The nearest rule for commands, and the part that it does not allow: useful for its author. */
function describeNearest({ byAction }: CompiledPolicy, facts: Facts): string {
  const near = byAction.answer.find(
    (rule) => rule.entry.match.command !== undefined && rule.judge(facts).why.startsWith("command: "),
  );
  return near === undefined
    ? "no rule answers it"
    : `no rule answers it (${near.id}: ${near.judge(facts).why})`;
}

function findMatches({ byAction }: CompiledPolicy, facts: Facts): Matches {
  const denied = findFirst(byAction.deny, facts, ["yes", "unknown"]);
  return {
    deny: denied,
    answer: denied === null ? findFirst(byAction.answer, facts, ["yes"]) : null,
    ask: findAsking(byAction.ask, facts),
    notify: findFirst(byAction.notify, facts, ["yes"]),
  };
}

function findFirst(
  rules: readonly PolicyRule[],
  facts: Facts,
  [certain, open]: readonly Finding["truth"][],
): Match | null {
  let possible: Match | null = null;
  for (const rule of rules) {
    const finding = rule.judge(facts);
    if (finding.truth === certain) return { rule, ...finding };
    if (finding.truth === open) possible ??= { rule, ...finding };
  }
  return possible;
}

/**
 * The first that certainly matches; but where a stricter one above it may match as well, that one: a doubt never takes a condition
 * away. Rules without conditions of their own act only where they certainly match.
 */
function findAsking(rules: readonly PolicyRule[], facts: Facts): Match | null {
  let strictest: Match | null = null;
  for (const rule of rules) {
    const finding = rule.judge(facts);
    const isPossible = finding.truth === "unknown" && rule.strictness > 0;
    if (finding.truth !== "yes" && !isPossible) continue;
    if (strictest === null || rule.strictness > strictest.rule.strictness) strictest = { rule, ...finding };
    if (finding.truth === "yes") break;
  }
  return strictest;
}

function askPeople({ ask, notify }: Matches, reason: string, heldRule: HeldRule | null = null): Verdict {
  const acting = ask ?? notify;
  const held = heldRule === null ? {} : { held: heldRule };
  if (acting === null) return { kind: "ask", rule: "default", reason, ...held };
  const { id } = acting.rule;
  const terms = selectTerms(acting);
  const why = describeMatch(acting);
  if (ask === null) return { kind: "notify", rule: id, reason: why, ...held };
  const hasTerms = Object.keys(terms).length > 0;
  return { kind: "ask", rule: id, reason: `${why}; ${reason}`, ...(hasTerms && { terms }), ...held };
}

/** A doubt takes no condition away that holds without a rule. */
function selectTerms({ rule, truth }: Match): AskTerms {
  const { numberMatch, ...others } = rule.terms;
  return truth === "unknown" && numberMatch === false ? others : rule.terms;
}

function describeMatch({ rule, why, truth }: Match): string {
  if (truth === "unknown") return `rule ${rule.id} may match (${why})`;
  return why === "" ? `rule ${rule.id} matches` : `rule ${rule.id}: ${why}`;
}

/** Why a rule does not act. Only `detail` may hold words of the request. */
interface Obstacle {
  readonly why: string;
  readonly detail?: string;
}

function deny(match: Match, facts: Facts): Verdict | Obstacle {
  if (match.truth !== "yes") return { why: "it is not certain that it matches", detail: ` (${match.why})` };
  const guard = findGuard(facts);
  if (guard !== null) return { why: guard };
  if (findRejectingValue(facts.subject.event) === null)
    return { why: "the prompt has no choice that just rejects" };
  const message = match.rule.entry.deny;
  const words = typeof message === "string" ? { message } : {};
  return { kind: "deny", rule: match.rule.id, reason: describeMatch(match), ...words };
}

function answer(match: Match, facts: Facts, uses: RuleUses): Verdict | Obstacle {
  const { rule } = match;
  const { event, now } = facts.subject;
  const guard = findGuard(facts);
  if (guard !== null) return { why: guard };
  const value = findValue(rule, event);
  if (value === null) return { why: "the prompt has no such choice" };
  const doubt = isRejecting(event, value) ? null : findApprovalGuard(facts);
  if (doubt !== null) return { why: doubt };
  if (listChosen(event, value).some(isPermanent))
    return { why: "the choice holds for more than this prompt" };
  const limit = findLimit(rule, now, uses);
  return limit !== null
    ? { why: limit }
    : { kind: "answer", rule: rule.id, reason: describeMatch(match), value };
}

/** The value by intent, if exactly one choice has it; or the value as written, if it is legal. */
function findValue({ entry }: PolicyRule, event: PromptEvent): string | null {
  const { answer: wanted } = entry;
  if (wanted === undefined) return null;
  const value = typeof wanted === "object" ? wanted.value : findIntent(event, wanted);
  if (value === null) return null;
  const legal = parseLegalValue(event, value);
  return legal.ok ? legal.value : null;
}

function findIntent(event: PromptEvent, intent: "allow_once" | "reject_once"): string | null {
  if (intent === "reject_once") return findRejectingValue(event);
  const found = event.choices.flatMap((choice, at) => (choice.intent === intent ? [at + 1] : []));
  const [only] = found;
  if (only === undefined || found.length > 1 || event.constraints.multi === true) return null;
  return event.promptType === "yes_no" ? (only === 1 ? "y" : null) : String(only);
}

function findLimit({ id, entry }: PolicyRule, now: number, uses: RuleUses): string | null {
  const { max, rate } = entry;
  if (max !== undefined && uses.total(id) >= max) return `it has answered ${max} times in this session`;
  if (rate === undefined) return null;
  return uses.since(id, now - rate.per) >= rate.uses
    ? `it has answered ${rate.uses} times within ${rate.per / 1000} s`
    : null;
}
