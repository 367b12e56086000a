/** Finds a program's prompt in the line at which its output ends. */
import { findMatch } from "../../../adapter-format/pattern.js";
import { isAnchored } from "../../../adapter-format/program/program-parts.js";

/** Behind output, a prompt is looked for at so many places from the end: it is shorter, and each place costs a search of its own. */
export const PLACES_MAX = 300;

export interface PromptMatch {
  /** Where the prompt begins in the line. */
  readonly from: number;
  readonly groups: readonly string[];
}

/**
 * The prompt at the end of `line`, or null. `anywhere`: output that did not end its line may stand in front of it, which is believed
 * only of a program that provably waits.
 */
export function matchPrompt(pattern: string, line: string, anywhere = false): PromptMatch | null {
  const expression = toExpression(pattern);
  const whole = findMatch(expression, line);
  if (whole) return { from: whole.index, groups: whole.slice(1) };
  if (!anywhere || !expression.startsWith("^")) return null;
  // A prompt without its ^ is tried at each place from the left, so what it could swallow is never more than itself.
  for (let from = Math.max(1, line.length - PLACES_MAX); from < line.length; from++) {
    const found = findMatch(expression, line.slice(from));
    if (found) return { from, groups: found.slice(1) };
  }
  return null;
}

/** A prompt that is written as the text itself becomes a pattern. */
function toExpression(pattern: string): string {
  if (isAnchored(pattern)) return pattern.replace(MARK, OPTIONAL_MARK);
  const escaped = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(MARK, OPTIONAL_MARK);
  return `${escaped.replaceAll("\\(\\?\\)", "\\((\\d{1,9})\\)")}$`;
}

/** Readline takes this character out of prompts: there it means that what follows has no width. */
const MARK = /(?:\u0001|\\u0001|\\x01)(?![?*+{])/g;
const OPTIONAL_MARK = "\\x01?";
