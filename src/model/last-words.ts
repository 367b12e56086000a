/** What an idle tool waits for: its next task, or an answer to what its last message asked in prose. Pure. */
import type { ToolState } from "./tool-state.js";

/** A question mark at the end of a line, behind it at most closing marks and what to say: `Shall I? (y/n)`. */
const ASKS = /[?？]["'”’»)\]*_`\s]{0,8}(?:[([][^()[\]]{1,40}[)\]][.:*_\s]{0,4})?$/u;
/** What may be chosen stands below its question. */
const LIST_ROW = /^\s{0,12}(?:[-*•]|\(?[0-9a-zA-Z]{1,2}[.)])\s/;
/** Of the last lines; a list below a question is not longer. */
const LINES_MAX = 40;
const LINE_MAX = 400;

/** The last line that is no row of a list ends as a question. */
export function asksInProse(said: string): boolean {
  const lines = said
    .split("\n")
    .map((line) => line.slice(-LINE_MAX).trimEnd())
    .filter((line) => line !== "")
    .slice(-LINES_MAX);
  const last = lines.findLast((line) => ASKS.test(line) || !LIST_ROW.test(line));
  return last !== undefined && ASKS.test(last);
}

/** The state in words for people. `said`: what the tool said last, or null. */
export function stateWords(state: ToolState, said: string | null): string {
  if (state === "screen_lost") return "its screen cannot be followed: look at the terminal";
  return state === "idle" && said !== null && asksInProse(said) ? "idle, its last message asks" : state;
}
