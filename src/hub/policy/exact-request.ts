/**
 * Exactly what a permission prompt asks for, so that a grant covers this request and no other: the same tool, call, arguments and
 * directory, with the same choices, and the same words on the card: what an agent shows may say more than the arguments it reports. Pure.
 */
import { createHash } from "node:crypto";
import { isObject } from "../../model/data/json.js";
import { formatCanonicalJson } from "../audit/canonical.js";
import { findYes } from "../../model/answer/find-yes.js";
import { ELLIPSIS } from "../../safety/excerpt.js";
import { findDestruction } from "./destructive.js";
import { Facts } from "./facts.js";
import { findGuard } from "./guards.js";
import { normalizePath } from "./paths.js";
import type { PolicySubject, PolicyWorld } from "./subject.js";
import type { ExactRequest } from "./verdict.js";

export function readExactRequest(subject: PolicySubject, world: PolicyWorld): ExactRequest {
  const { event, session } = subject;
  const facts = new Facts(subject, world);
  const value = findYes(event);
  const problem = findProblem(facts, value);
  if (problem !== null || value === null) return { ok: false, why: problem ?? NO_YES };
  const { call, text } = event.content;
  const identity = {
    tool: session.tool,
    call: call?.tool ?? null,
    input: listArguments(facts),
    // A link that leads elsewhere by then is another directory.
    directory: facts.resolve(facts.directory),
    type: event.promptType,
    choices: event.choices.map(({ label, intent }) => ({ label, intent })),
    question: readQuestion(facts),
    text: readText(facts),
  };
  const key = createHash("sha256").update(formatCanonicalJson(identity)).digest("hex");
  const shown = facts.line?.text ?? `${call?.tool ?? ""} ${text}`;
  return {
    ok: true,
    key,
    value,
    shown: shown.replace(/\s+/g, " ").trim().slice(0, SHOWN_MAX),
    directory: normalizePath(facts.directory),
  };
}

const SHOWN_MAX = 160;
const NO_YES = "it has no single choice that allows just this";

function findProblem(facts: Facts, value: string | null): string | null {
  const { event } = facts.subject;
  if (event.safetyClass !== "permission") return "only permissions can be allowed in advance";
  const guard = findGuard(facts);
  if (guard !== null) return guard;
  if (event.content.call === undefined) return "the tool did not report what it asks for";
  if (facts.line?.plain === null) return facts.line.why;
  return findDestruction(facts) ?? (value === null ? NO_YES : null);
}

/** What agents write about a command for people changes with every call and is no part of what runs. */
const WORDS_FOR_PEOPLE: ReadonlySet<string> = new Set(["description", "explanation", "justification"]);

function listArguments({ line, subject }: Facts): unknown {
  const input = subject.event.content.call?.input ?? null;
  if (line === null || !isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !WORDS_FOR_PEOPLE.has(name)));
}

function listWordsForPeople({ line, subject }: Facts): readonly (readonly [string, string])[] {
  const input = subject.event.content.call?.input;
  if (line === null || !isObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    WORDS_FOR_PEOPLE.has(name) && typeof value === "string" && value !== "" ? [[name, value] as const] : [],
  );
}

/**
 * The question without words for people, which some agents put behind the command, in parentheses. One that was cut counts with the
 * hash of all of it, unless it is just that: its beginning does not say what else was asked.
 */
function readQuestion(facts: Facts): readonly string[] {
  const { excerpt, contentHash } = facts.subject.event;
  const words = listWordsForPeople(facts).map(([, value]) => ` (${value})`);
  if (!excerpt.endsWith(ELLIPSIS)) {
    const last = words.find((each) => excerpt.endsWith(each));
    return [last === undefined ? excerpt : excerpt.slice(0, -last.length)];
  }
  const command = facts.line?.text ?? "";
  const start = excerpt.slice(0, -ELLIPSIS.length);
  return words.some((each) => `${command}${each}`.startsWith(start)) ? [command] : [excerpt, contentHash];
}

/** The content without words for people: each appears there as a field with its name, in rows of its own. */
function readText(facts: Facts): string {
  let text = `\n${facts.subject.event.content.text}\n`;
  for (const [name, value] of listWordsForPeople(facts)) {
    const field = value.includes("\n") ? `\n${name}:\n${value}\n` : `\n${name}: ${value}\n`;
    const at = text.indexOf(field);
    if (at >= 0) text = `${text.slice(0, at)}${text.slice(at + field.length - 1)}`;
  }
  return text;
}
