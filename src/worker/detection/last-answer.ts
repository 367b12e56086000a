/** Reads the tool's last answer from the screen of an idle tool that reports it in no other way. Pure. */
import type { View } from "../../sdk/view.js";
import type { CompiledAdapter, LastAnswer } from "../adapter-format/compiled/compiled.js";
import { joinProse } from "./layout/content.js";
import { isBlank, toPage } from "./layout/layout.js";
import { matches, findMatch } from "../adapter-format/pattern.js";

/** Replaces the beginning of an answer that scrolled away. */
const CUT = "…";

/** Null when the screen shows no answer, or the adapter has no `last_answer`. */
export function readLastAnswer({ lastAnswer: rule, states }: CompiledAdapter, view: View): string | null {
  if (rule === null) return null;
  const rows = [...view.scrollback, ...toPage(view).rows.map(({ text }) => text)];
  const isComposer = (row: string): boolean => states.idle.some(({ pattern }) => matches(pattern, row));
  const above = rows.slice(0, Math.max(0, rows.findLastIndex(isComposer)));
  const asked = above.findLastIndex((row) => matches(rule.asked, row));
  const turn = above.slice(asked + 1).filter((row) => !rule.drop.some((each) => matches(each, row)));
  const begin = turn.findLastIndex((row) => matches(rule.begins, row));
  if (begin < 0 && rule.marked) return null;
  const answer = begin < 0 ? turn : [withoutMark(rule, turn[begin] ?? ""), ...turn.slice(begin + 1)];
  const rowsOfIt = cutAtEnd(rule, answer);
  const { result } = rule;
  // The tool's words about a call, such as the question that was declined, are none of the model's.
  if (result !== undefined && rowsOfIt.some((row) => matches(result, row))) return null;
  const text = joinProse(rowsOfIt, view.cols);
  if (text === "") return null;
  return begin < 0 ? `${CUT}\n${text}` : text;
}

/** Replaces the mark by blanks, so that the first row is indented like the others. */
function withoutMark({ begins }: LastAnswer, row: string): string {
  const [mark = ""] = findMatch(begins, row) ?? [];
  return " ".repeat(mark.length) + row.slice(mark.length);
}

function cutAtEnd({ ends }: LastAnswer, rows: readonly string[]): readonly string[] {
  const end = rows.findIndex((row) => !isBlank(row) && matches(ends, row));
  return end < 0 ? rows : rows.slice(0, end);
}
