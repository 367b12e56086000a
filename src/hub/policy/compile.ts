/** A checked policy file → rules that can be judged. Pure. */
import type { Mode } from "../../model/policy-mode.js";
import { compileConditions, judgeAll, negate, type Condition } from "./conditions.js";
import type { Finding } from "./command/command-line.js";
import type { Facts, RuleReading } from "./facts.js";
import {
  ACTIONS,
  toList,
  type ConditionEntries,
  type PolicyFile,
  type PolicyRuleEntry,
} from "./file/policy-file.js";
import type { AskTerms } from "./verdict.js";

export type Action = (typeof ACTIONS)[number];

export interface PolicyRule {
  readonly id: string;
  readonly action: Action;
  readonly entry: PolicyRuleEntry;
  readonly terms: AskTerms;
  /** A greater number keeps more people from saying yes; 0: no terms. */
  readonly strictness: number;
  readonly judge: (facts: Facts) => Finding;
  readonly judgeEach: (facts: Facts) => readonly (Finding & { readonly key: string })[];
}

export interface CompiledPolicy {
  readonly mode: Mode;
  readonly countdownMs: number;
  readonly rules: readonly PolicyRule[];
  readonly byAction: Readonly<Record<Action, readonly PolicyRule[]>>;
}

export function compilePolicy(file: PolicyFile): CompiledPolicy {
  const rules = file.rules.map((entry) => compileRule(entry, file.roles));
  const select = (wanted: Action): readonly PolicyRule[] => rules.filter(({ action }) => action === wanted);
  const byAction = {
    deny: select("deny"),
    answer: select("answer"),
    ask: select("ask"),
    notify: select("notify"),
  };
  return { mode: file.mode, countdownMs: file.countdown, rules, byAction };
}

function compileRule(entry: PolicyRuleEntry, roles: PolicyFile["roles"]): PolicyRule {
  const action = ACTIONS.find((each) => entry[each] !== undefined) ?? "ask";
  const reading = chooseReading(action, entry);
  const { any_of: anyOf, none_of: noneOf, ...own } = entry.match;
  const conditions = [
    ...compileConditions(own),
    ...(anyOf === undefined ? [] : [joinAlternatives(anyOf)]),
    ...(noneOf === undefined ? [] : [excludeAlternatives(noneOf)]),
  ];
  const terms = readTerms(entry.ask, roles);
  return {
    id: entry.id,
    action,
    entry,
    terms,
    strictness: measureStrictness(terms),
    judge: (facts) => judgeAll(conditions, facts, reading),
    judgeEach: (facts) => conditions.map(({ key, judge }) => ({ key, ...judge(facts, reading) })),
  };
}

function chooseReading(action: Action, { answer }: PolicyRuleEntry): RuleReading {
  if (action === "answer") return answer === "reject_once" ? "any" : "all";
  return action === "deny" ? "any" : "ask";
}

function joinAlternatives(entries: readonly ConditionEntries[]): Condition {
  const alternatives = entries.map(compileConditions);
  return {
    key: "any_of",
    judge: (facts, reading) => {
      const found = alternatives.map((conditions) => judgeAll(conditions, facts, reading));
      const best =
        found.find(({ truth }) => truth === "yes") ?? found.find(({ truth }) => truth === "unknown");
      return best ?? { truth: "no", why: found.map(({ why }) => why).join("; ") };
    },
  };
}

/** An exception is judged the other way round: one matching part is enough to keep a permission from acting. */
function excludeAlternatives(entries: readonly ConditionEntries[]): Condition {
  const alternatives = entries.map(compileConditions);
  return {
    key: "none_of",
    judge: (facts, reading) => {
      const opposite: RuleReading = reading === "all" ? "any" : "all";
      const found = alternatives.map((conditions) => judgeAll(conditions, facts, opposite));
      const worst =
        found.find(({ truth }) => truth === "yes") ?? found.find(({ truth }) => truth === "unknown");
      return worst === undefined
        ? { truth: "yes", why: "" }
        : negate({ ...worst, why: worst.why || "an exception holds" });
    },
  };
}

function listPeople(name: string, roles: PolicyFile["roles"]): readonly string[] {
  return (Object.hasOwn(roles, name) ? roles[name] : undefined) ?? [name];
}

function readTerms(ask: PolicyRuleEntry["ask"], roles: PolicyFile["roles"]): AskTerms {
  if (ask === undefined || ask === true) return {};
  const approvers = ask.approvers === undefined ? undefined : toList(ask.approvers);
  return {
    ...(approvers && { approvers: [...new Set(approvers.flatMap((name) => listPeople(name, roles)))] }),
    ...(ask.quorum !== undefined && ask.quorum > 1 && { quorum: ask.quorum }),
    ...(ask.number_match !== undefined && { numberMatch: ask.number_match }),
    ...(ask.escalate !== undefined && {
      escalate: ask.escalate.map(({ after, to }) => ({ afterMs: after, to, people: listPeople(to, roles) })),
    }),
    ...(ask.local_only === true && { localOnly: true as const }),
    ...(ask.expires !== undefined && { expiresMs: ask.expires }),
    ...(ask.on_expiry !== undefined && { onExpiry: ask.on_expiry }),
  };
}

function measureStrictness({ localOnly, quorum = 1, numberMatch, approvers, escalate }: AskTerms): number {
  const conditions = [
    escalate !== undefined,
    approvers !== undefined,
    numberMatch === true,
    localOnly === true,
  ];
  return (
    conditions.reduce((sum, holds, at) => sum + (holds ? 2 ** at : 0), 0) + (quorum > 1 ? 2 ** 4 * quorum : 0)
  );
}
