/** The tool's last answer, read from the screen of a tool that waits for its next task and has no other way to tell it. Pure. */
import type { View } from "../../sdk/view.js";
import type { CompiledAdapter, LastAnswer } from "../adapter-format/compiled/compiled.js";
import { proseText } from "./layout/content.js";
import { isBlank, pageOf } from "./layout/layout.js";
import { matches, matchOf } from "../adapter-format/pattern.js";

/** Where the beginning of the answer is not to be seen. */
const CUT = "…";

/** Null when the screen shows none, or the adapter does not say where it stands. */
export function lastAnswer({ lastAnswer: rule, states }: CompiledAdapter, view: View): string | null {
  if (rule === null) return null;
  const rows = [...view.scrollback, ...pageOf(view).rows.map(({ text }) => text)];
  const isComposer = (row: string): boolean => states.idle.some(({ pattern }) => matches(pattern, row));
  const above = rows.slice(0, Math.max(0, rows.findLastIndex(isComposer)));
  const asked = above.findLastIndex((row) => matches(rule.asked, row));
  const turn = above.slice(asked + 1).filter((row) => !rule.drop.some((each) => matches(each, row)));
  const begin = turn.findLastIndex((row) => matches(rule.begins, row));
  if (begin < 0 && rule.marked) return null;
  const answer = begin < 0 ? turn : [unmarked(rule, turn[begin] ?? ""), ...turn.slice(begin + 1)];
  const text = proseText(upToEnd(rule, answer), view.cols);
  if (text === "") return null;
  return begin < 0 ? `${CUT}\n${text}` : text;
}

/** Its first row as indented as the others. */
function unmarked({ begins }: LastAnswer, row: string): string {
  const [mark = ""] = matchOf(begins, row) ?? [];
  return " ".repeat(mark.length) + row.slice(mark.length);
}

function upToEnd({ ends }: LastAnswer, rows: readonly string[]): readonly string[] {
  const end = rows.findIndex((row) => !isBlank(row) && matches(ends, row));
  return end < 0 ? rows : rows.slice(0, end);
}
