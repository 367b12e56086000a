/** `policy check`: what cannot work in a valid file. Pure. */
import { toList, type PolicyRuleEntry } from "../hub/policy/file/policy-file.js";
import type { CompiledPolicy, PolicyRule } from "../hub/policy/compile.js";
import { isInside, toAbsolute } from "../hub/policy/paths.js";

export interface RuleFinding {
  readonly rule: string;
  readonly problem: string;
}

/** Rules that can never act. */
export function checkRules({ rules }: CompiledPolicy): readonly RuleFinding[] {
  return rules.flatMap((rule, at) => findProblem(rule, rules.slice(0, at), rules) ?? []);
}

/** Steps that reach nobody. `people`: the names in the configuration. */
export function checkSteps({ rules }: CompiledPolicy, people: readonly string[]): readonly RuleFinding[] {
  return rules.flatMap(({ id, terms }) =>
    (terms.escalate ?? [])
      .filter((step) => !step.people.some((name) => people.includes(name)))
      .map(({ to }) => ({
        rule: id,
        problem: `its step to ${to} reaches nobody: no person of the configuration and no role of "roles" is called so`,
      })),
  );
}

export interface KnownPerson {
  readonly name: string;
  readonly role: "approver" | "viewer";
}

/** Rules that wait for more people than may approve, and steps that come after the end. */
export function checkTerms(
  { rules }: CompiledPolicy,
  people: readonly KnownPerson[],
): readonly RuleFinding[] {
  const mayApprove = people.filter(({ role }) => role === "approver").map(({ name }) => name);
  return rules.flatMap(({ id, terms }) => {
    const { approvers, quorum = 1, escalate = [], expiresMs, localOnly } = terms;
    const named = approvers && [...approvers, ...escalate.flatMap((step) => step.people)];
    const able = mayApprove.filter((name) => named?.includes(name) ?? true);
    const late = escalate.find(({ afterMs }) => expiresMs !== undefined && afterMs >= expiresMs);
    return [
      able.length < quorum && (named !== undefined || quorum > 1) ? describeTooFew(quorum, able) : null,
      late ? `its step to ${late.to} never comes: the prompt expires before` : null,
      localOnly === true && escalate.length > 0
        ? "its steps never come: it is only answered on this machine"
        : null,
    ].flatMap((problem) => (problem === null ? [] : [{ rule: id, problem }]));
  });
}

function describeTooFew(quorum: number, able: readonly string[]): string {
  if (quorum === 1)
    return "nobody in a chat can allow what it asks about: by their roles its approvers only look";
  const found = able.length === 0 ? "nobody" : `only ${able.join(", ")}`;
  return `nobody can allow what it asks about: ${quorum} people must approve, and by their roles ${found} may`;
}

function findProblem(
  rule: PolicyRule,
  before: readonly PolicyRule[],
  all: readonly PolicyRule[],
): RuleFinding | null {
  const dead = findDeadEnd(rule);
  if (dead !== null) return { rule: rule.id, problem: dead };
  const earlier = before.find(
    (other) => other.action === rule.action && covers(other.entry, rule.entry, rule.action),
  );
  if (earlier)
    return { rule: rule.id, problem: `it never acts: rule ${earlier.id} above it matches all that it does` };
  const stronger = all.find(
    (other) => isStronger(other, rule) && covers(other.entry, rule.entry, rule.action),
  );
  return stronger
    ? {
        rule: rule.id,
        problem: `it never acts: rule ${stronger.id} (${stronger.action}) matches all that it does`,
      }
    : null;
}

/** Deny comes before answer, and ask before notify. An answer may be held back, so it shadows nothing. */
function isStronger(other: PolicyRule, rule: PolicyRule): boolean {
  return (
    (other.action === "deny" && rule.action === "answer") ||
    (other.action === "ask" && rule.action === "notify")
  );
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(["startup", "trust", "login", "update", "secret"]);

/** As rules compare them: without a scheme, a port and a path. */
const HOST = /^(?:\*\.)?(?:[^\s/:*@?#]+|\[[0-9a-f:.]+\])$/i;

/** An automatic rule for prompts that no rule may answer. */
function findDeadEnd({ action, entry }: PolicyRule): string | null {
  const { class: classes, type, confidence, command, host, time, none_of: noneOf = [] } = entry.match;
  if (time !== undefined && time.from === time.to)
    return `it never acts: no time lies between ${time.from} and ${time.to}; leave "time" out for the whole day`;
  if (noneOf.some((each) => Object.values(each).every((value) => value === undefined)))
    return "it never acts: an entry of none_of names nothing, so it excludes everything";
  const badHost = host === undefined ? undefined : toList(host).find((each) => !HOST.test(each));
  if (badHost !== undefined) return `${badHost} is no name of a host: write example.com or *.example.com`;
  if (action !== "answer" && action !== "deny") return null;
  if (isOnly(classes, (each) => FOR_PEOPLE.has(each))) return "it never acts: such prompts are for people";
  if (isOnly(type, (each) => each === "secret" || each === "unknown"))
    return "it never acts: such prompts are for people";
  if (isOnly(confidence, (each) => each === "low")) return "it never acts: uncertain prompts are for people";
  if (action === "answer" && command !== undefined && host !== undefined)
    return "it never acts: a shell command has no certain host";
  return null;
}

function isOnly<T>(value: T | readonly T[] | undefined, test: (each: T) => boolean): boolean {
  return value !== undefined && toList(value).every(test);
}

/** Whether `wide` certainly matches everything that `narrow` matches: each condition of it is also one of `narrow`, and no narrower. */
function covers(wide: PolicyRuleEntry, narrow: PolicyRuleEntry, action: PolicyRule["action"]): boolean {
  // One that is used up or slowed leaves prompts to the next.
  if (wide.max !== undefined || wide.rate !== undefined) return false;
  const own = narrow.match as Readonly<Record<string, unknown>>;
  return Object.entries(wide.match).every(
    ([key, value]) => value === undefined || includes(key, value, own[key], action),
  );
}

function includes(key: string, wide: unknown, narrow: unknown, action: PolicyRule["action"]): boolean {
  if (narrow === undefined) return false;
  if (key === "path" || key === "cwd")
    return toList(narrow as string).every((path) =>
      toList(wide as string).some((root) => isInside(locate(path), locate(root))),
    );
  if (key === "command") return coversCommands(toList(wide), toList(narrow), action);
  if (["time", "any_of", "none_of"].includes(key)) return JSON.stringify(wide) === JSON.stringify(narrow);
  const words = new Set(toList(wide));
  return toList(narrow).every((word) => words.has(word));
}

function locate(path: string): string {
  return toAbsolute(path, "/\u0000session/a/b/c/d/e/f", "/\u0000home");
}

function coversCommands(
  wide: readonly unknown[],
  narrow: readonly unknown[],
  action: PolicyRule["action"],
): boolean {
  return narrow.every((each) =>
    wide.some((other) => {
      if (typeof each !== "string" || typeof other !== "string")
        return JSON.stringify(each) === JSON.stringify(other);
      // Beyond its own words a rule that answers lets not everything follow.
      return each === other || (action !== "answer" && each.startsWith(`${other} `));
    }),
  );
}
