/** Decides whether an idle tool waits for its next task or for an answer to a question in its last message. Pure. */
import type { ToolState } from "./tool-state.js";

/** A question mark at the end of a line, followed at most by closing marks and possible answers: `Shall I? (y/n)`. */
const ASKS = /[?？]["'”’»)\]*_`\s]{0,8}(?:[([][^()[\]]{1,40}[)\]][.:*_\s]{0,4})?$/u;
/** Options are listed below their question. */
const LIST_ROW = /^\s{0,12}(?:[-*•]|\(?[0-9a-zA-Z]{1,2}[.)])\s/;
/** The number of last lines to search; a list below a question is not longer. */
const LINES_MAX = 40;
const LINE_MAX = 400;

/** Whether the last line that is no list item ends as a question. */
export function endsWithQuestion(said: string): boolean {
  const lines = said
    .split("\n")
    .map((line) => line.slice(-LINE_MAX).trimEnd())
    .filter((line) => line !== "")
    .slice(-LINES_MAX);
  const last = lines.findLast((line) => ASKS.test(line) || !LIST_ROW.test(line));
  return last !== undefined && ASKS.test(last);
}

/** The state for people. `said`: the tool's last message, or null. */
export function describeToolState(state: ToolState, said: string | null): string {
  // An editor shows no state that is known of it, however long it runs.
  if (state === "starting") return "running";
  if (state === "screen_lost") return "its screen cannot be read: check the terminal";
  if (state === "not_relayed") return "not relayed, its AtlasBridge is too old for the hub";
  return state === "idle" && said !== null && endsWithQuestion(said)
    ? "idle, its last message asks a question"
    : state;
}
