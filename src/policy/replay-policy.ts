/** `policy replay` and `stats`: what rules would have done with the prompts on record, and how these were answered. */
import { Document, isMap } from "yaml";
import type { CompiledPolicy } from "../hub/policy/compile.js";
import { findPrefixProblem, parsePrefix } from "../hub/policy/command/prefix.js";
import { decide } from "../hub/policy/decide.js";
import { coversDestruction } from "../hub/policy/destructive.js";
import { Facts } from "../hub/policy/facts.js";
import { parsePolicy } from "../hub/policy/load-policy.js";
import type { PolicyWorld } from "../hub/policy/subject.js";
import type { RuleUses, Verdict } from "../hub/policy/verdict.js";
import { type AskedPrompt, readAskedPrompts } from "../hub/store/asked-prompts.js";
import { isRejecting } from "../model/hidden.js";
import { toSubject } from "./explain-prompt.js";
import { resolvePaths } from "../config/paths.js";
import { createPolicyWorld } from "./policy-world.js";
import { readPolicySource } from "./read-policy.js";

/**
 * What became of a prompt, as far as the record says. `unproved`: an answer was accepted, and nothing proves that the tool has read it.
 * `elsewhere`: decided at the terminal, where nobody knows how, or not at all.
 */
export type RecordedDecision = "approved" | "denied" | "automatic" | "unproved" | "elsewhere";

export interface Replay {
  readonly prompts: number;
  /** Prompts that a rule would have answered with a yes or a text, by what people decided. */
  readonly answered: Readonly<Record<RecordedDecision, number>>;
  readonly denied: Readonly<Record<RecordedDecision, number>>;
  /** Where a rule would have said the opposite of a person; the last of them. */
  readonly conflicts: readonly {
    readonly shortId: string;
    readonly rule: string;
    readonly verdict: string;
    readonly question: string;
  }[];
}

export interface Stats {
  readonly prompts: number;
  readonly decided: Readonly<Record<RecordedDecision, number>>;
  /** How long people took, in ms; null: it is known of no answer. */
  readonly medianMs: number | null;
  readonly slowestMs: number | null;
  /** Answers of people of which nobody knows how long they took: the wall clock was set meanwhile. */
  readonly untimed: number;
  readonly byPerson: Readonly<Record<string, number>>;
  readonly suggestions: readonly RuleSuggestion[];
}

export interface RuleSuggestion {
  readonly command: string;
  /** Prompts of people that it would have answered: all of them approved. */
  readonly answers: number;
  /** Prompts beside those that it would have answered, too, and of which the record does not say what people decided. */
  readonly unknown: number;
  /** To paste below `rules:`. */
  readonly rule: string;
}

const CONFLICTS_SHOWN = 10;

export function getDecision({ event, answer, state }: AskedPrompt): RecordedDecision {
  if (answer === null) return "elsewhere";
  if (state !== "answered") return "unproved";
  if (answer.identity.startsWith("auto:")) return "automatic";
  return isRejecting(event, answer.value) ? "denied" : "approved";
}

export function replayPolicy(
  policy: CompiledPolicy,
  asked: readonly AskedPrompt[],
  world: PolicyWorld,
): Replay {
  const answered = createDecisionCounts();
  const denied = createDecisionCounts();
  const conflicts: Replay["conflicts"][number][] = [];
  const uses = new SimulatedUses();
  for (const prompt of asked) {
    const verdict = decide(policy, toSubject(prompt), world, uses.of(prompt.sessionId));
    if (verdict.kind !== "answer" && verdict.kind !== "deny") continue;
    uses.count(prompt, verdict);
    const decision = getDecision(prompt);
    const isNo = verdict.kind === "deny" || isRejecting(prompt.event, verdict.value);
    (isNo ? denied : answered)[decision] += 1;
    if (decision === (isNo ? "approved" : "denied")) conflicts.push(describeConflict(prompt, verdict));
  }
  return { prompts: asked.length, answered, denied, conflicts: conflicts.slice(-CONFLICTS_SHOWN) };
}

function createDecisionCounts(): Record<RecordedDecision, number> {
  return { approved: 0, denied: 0, automatic: 0, unproved: 0, elsewhere: 0 };
}

function describeConflict(
  { shortId, event }: AskedPrompt,
  { rule, kind }: Verdict,
): Replay["conflicts"][number] {
  const question = (event.content.text || event.excerpt).replace(/\s+/g, " ").slice(0, QUESTION_MAX);
  return { shortId, rule, verdict: kind, question };
}

const QUESTION_MAX = 100;

class SimulatedUses {
  readonly #at = new Map<string, number[]>();

  of(sessionId: string): RuleUses {
    const list = (rule: string): readonly number[] => this.#at.get(`${sessionId}/${rule}`) ?? [];
    return {
      total: (rule) => list(rule).length,
      since: (rule, instant) => list(rule).filter((at) => at > instant).length,
    };
  }

  count({ sessionId, askedAt }: AskedPrompt, { rule }: Verdict): void {
    const key = `${sessionId}/${rule}`;
    this.#at.set(key, [...(this.#at.get(key) ?? []), askedAt]);
  }
}

export function computeStats(asked: readonly AskedPrompt[], world: PolicyWorld): Stats {
  const decided = createDecisionCounts();
  const byPerson: Record<string, number> = {};
  const times: number[] = [];
  let untimed = 0;
  for (const prompt of asked) {
    const decision = getDecision(prompt);
    decided[decision] += 1;
    if (prompt.answer === null || (decision !== "approved" && decision !== "denied")) continue;
    byPerson[prompt.answer.person] = (byPerson[prompt.answer.person] ?? 0) + 1;
    if (prompt.answer.tookMs === null) untimed += 1;
    else times.push(prompt.answer.tookMs);
  }
  times.sort((a, b) => a - b);
  return {
    prompts: asked.length,
    decided,
    medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
    slowestMs: times.at(-1) ?? null,
    untimed,
    byPerson,
    suggestions: suggestRules(asked, world),
  };
}

/** Fewer are no habit. */
const ANSWERS_MIN = 3;
const SUGGESTIONS_MAX = 3;

/**
 * Beginnings of commands that people always approved: each is tried as a rule, and kept if it would have answered none that was denied.
 * One that also covers what destroys (`git push` covers `git push --force`) is tried with its next word instead.
 */
function suggestRules(asked: readonly AskedPrompt[], world: PolicyWorld): RuleSuggestion[] {
  const ofPeople = asked.filter((prompt) => ["approved", "denied"].includes(getDecision(prompt)));
  const suggest = (commands: readonly string[]): readonly RuleSuggestion[] =>
    commands.flatMap((command) => trySuggestion(command, asked, world));
  const found = suggest(listBeginnings(ofPeople, world, 2));
  const open = found.filter(({ command }) => coversDestruction(command)).map(({ command }) => command);
  const longer = open.length === 0 ? [] : listBeginnings(ofPeople, world, 3);
  const narrow = suggest(longer.filter((command) => open.some((each) => command.startsWith(`${each} `))));
  const safe = [
    ...found.filter(({ command }) => !open.includes(command)),
    ...narrow.filter(({ command }) => !coversDestruction(command)),
  ];
  return safe.sort((a, b) => b.answers - a.answers).slice(0, SUGGESTIONS_MAX);
}

/** The first words of each simple command, as far as a rule may begin with them. */
function listBeginnings(asked: readonly AskedPrompt[], world: PolicyWorld, count: number): string[] {
  const found = asked.flatMap((prompt) =>
    (new Facts(toSubject(prompt), world).line?.plain ?? []).map(({ words }) =>
      words.slice(0, RUNS_NEXT.has(words[1] ?? "") ? 3 : count).join(" "),
    ),
  );
  return [...new Set(found)].filter(
    (command) =>
      command.length <= WORDS_LENGTH_MAX &&
      WORDS.test(command) &&
      !RUNS_NEXT.has(command.split(" ").at(-1) ?? "") &&
      findPrefixProblem(parsePrefix(command)) === null,
  );
}

/** It runs the word after it. */
const RUNS_NEXT: ReadonlySet<string> = new Set("run run-script exec dlx x start tool -m".split(" "));
const WORDS = /^[A-Za-z0-9_.+/~-]+(?: [A-Za-z0-9_.+/~@:=,%-]+){0,2}$/;
/** Longer ones are no habit to paste; a rule takes 500. */
const WORDS_LENGTH_MAX = 200;
const ID_LENGTH_MAX = 64;

function trySuggestion(command: string, asked: readonly AskedPrompt[], world: PolicyWorld): RuleSuggestion[] {
  const rule = formatRule(command);
  const policy = parsePolicy(`version: 1\nrules:\n${rule}`, "suggestion", null);
  const { answered } = replayPolicy(policy, asked, world);
  return answered.denied === 0 && answered.approved >= ANSWERS_MIN
    ? [{ command, answers: answered.approved, unknown: answered.unproved + answered.elsewhere, rule }]
    : [];
}

/** Below `rules:`. The library knows which words YAML would read as something else: `true`, `1,2`, `%h`. */
function formatRule(command: string): string {
  const words = command.replace(/[^A-Za-z0-9]+/g, "-").slice(0, ID_LENGTH_MAX);
  const id = words.replace(/^-+|-+$/g, "") || "suggested";
  const document = new Document([
    { id, match: { class: "permission", command: [command], path: "." }, answer: "allow_once" },
  ]);
  const match = document.getIn([0, "match"], true);
  if (isMap(match)) match.flow = true;
  return document
    .toString({ lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((row) => `  ${row}\n`)
    .join("");
}

/** `since`: ms since 1970. Errors: ATB_CONFIG_INVALID, ATB_FILE_DENIED, ATB_STORE_*. */
export async function replayRecord(file: string | undefined, since: number): Promise<Replay> {
  const paths = resolvePaths();
  const { policy } = readPolicySource(file);
  return replayPolicy(policy, await readAskedPrompts(paths.database, since), createPolicyWorld(paths));
}

export async function readStats(since: number): Promise<Stats> {
  const paths = resolvePaths();
  return computeStats(await readAskedPrompts(paths.database, since), createPolicyWorld(paths));
}
