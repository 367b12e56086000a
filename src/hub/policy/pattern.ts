/** Regular expressions of rules, in linear time (RE2, ADR 42): the prompt's text comes from a tool that may be hostile. */
import { RE2JS } from "re2js";
import { AtlasBridgeError } from "../../model/errors.js";
import { findRequiredLiteral, foldCase, type RequiredLiteral } from "./required-literal.js";

const PATTERN_LENGTH_MAX = 500;

export type Pattern = (text: string) => boolean;

export function findPatternProblem(source: string): string | null {
  if (source.length > PATTERN_LENGTH_MAX) return `longer than ${PATTERN_LENGTH_MAX} characters`;
  try {
    RE2JS.compile(source);
    return null;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : "";
    return `not a pattern that runs in linear time (RE2 syntax: no back-references, no look-around): ${reason}`;
  }
}

/** Errors: ATB_CONFIG_INVALID. */
export function compilePattern(source: string): Pattern {
  const problem = findPatternProblem(source);
  if (problem !== null) throw new AtlasBridgeError("ATB_CONFIG_INVALID", `pattern ${source}: ${problem}`);
  const compiled = RE2JS.compile(source);
  const required = findRequiredLiteral(source);
  // Its automaton: ten times faster on a long text than `matcher`, which keeps track of groups.
  return (text) => (required === null || holds(text, required)) && compiled.test(text);
}

function holds(text: string, { text: literal, ignoresCase }: RequiredLiteral): boolean {
  return (ignoresCase ? foldOnce(text) : text).includes(literal);
}

let folded = { text: "", result: "" };
let foldedBefore = folded;

/** All patterns of a policy read the same two texts in turn: the visible text, and its plain form. */
function foldOnce(text: string): string {
  if (folded.text !== text) {
    const known = foldedBefore.text === text ? foldedBefore : { text, result: foldCase(text) };
    foldedBefore = folded;
    folded = known;
  }
  return folded.result;
}
