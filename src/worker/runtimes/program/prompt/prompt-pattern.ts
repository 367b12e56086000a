import { findMatch } from "../../../adapter-format/pattern.js";
import { isAnchored } from "../../../adapter-format/program/program-parts.js";

/** How many places from the end are searched for a prompt after output, because each costs a search. */
export const PLACES_MAX = 300;

export interface PromptMatch {
  readonly from: number;
  readonly groups: readonly string[];
}

/**
 * Returns the prompt at the end of `line`, or null. `anywhere`: output may precede it in the same line, which is trusted only of a program
 * that certainly waits.
 */
export function matchPrompt(pattern: string, line: string, anywhere = false): PromptMatch | null {
  const expression = toExpression(pattern);
  const whole = findMatch(expression, line);
  if (whole) return { from: whole.index, groups: whole.slice(1) };
  if (!anywhere || !expression.startsWith("^")) return null;
  // From left to right, so that the match has its full length.
  for (let from = Math.max(1, line.length - PLACES_MAX); from < line.length; from++) {
    const found = findMatch(expression, line.slice(from));
    if (found) return { from, groups: found.slice(1) };
  }
  return null;
}

function toExpression(pattern: string): string {
  if (isAnchored(pattern)) return pattern.replace(MARK, OPTIONAL_MARK);
  const escaped = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(MARK, OPTIONAL_MARK);
  return `${escaped.replaceAll("\\(\\?\\)", "\\((\\d{1,9})\\)")}$`;
}

/** Readline removes this character from prompts; it means that the following text has no width. */
const MARK = /(?:\u0001|\\u0001|\\x01)(?![?*+{])/g;
const OPTIONAL_MARK = "\\x01?";
