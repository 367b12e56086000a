/** The row on which a drawn question begins: `? Question (hints)`, `◆  Question`, or just the text above a list. */
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { boldAt } from "./ink.js";
import { isContinuedBy, indentOf, isBlank, joinWrapped, textAt, type Page } from "./layout.js";
import { matches, matchOf } from "../../adapter-format/pattern.js";

export interface Header {
  readonly row: number;
  /** Last row of its text. */
  readonly last: number;
  readonly question: string;
  /** What stands behind the question: hints, a default, what was typed. */
  readonly rest: string;
}

/** Hints and instructions stand between a question and its list. */
const DISTANCE_MAX = 12;

/** A question without a sign of its own is known by how its last row ends, and only right above what it asks for. */
export function isFoundByItsEnd({ header }: Pick<CompiledRule, "header">): boolean {
  return header !== null && !header.startsWith("^");
}

/** The lowest row at or above `from` that begins a question; null when there is none nearby. */
export function headerAt(page: Page, rule: CompiledRule, from: number): Header | null {
  if (rule.header === null) return null;
  for (let row = from; row >= 0 && from - row <= DISTANCE_MAX; row--) {
    if (matches(rule.header, textAt(page, row))) return readHeader(page, rule, row, from);
  }
  return null;
}

/** A tool that sets its question off in bold says where it ends; else all of the text is the question. */
function readHeader(page: Page, rule: CompiledRule, row: number, from: number): Header {
  const pattern = rule.header ?? "";
  const first = isFoundByItsEnd(rule) ? firstOf(page, row) : row;
  const own = (matchOf(pattern, textAt(page, row))?.[1] ?? textAt(page, row)).trim();
  const bold = boldAt(page, row, textAt(page, row).indexOf(own));
  if (bold !== "") return boldHeader(page, { row, own, bold }, from);
  const last = lastOf(page, row, from);
  const whole = joinedRows(page, first, last);
  return { row: first, last, question: (matchOf(pattern, whole)?.[1] ?? whole).trim(), rest: "" };
}

/** A question may be wrapped; bold as it is, it goes on where the next row begins bold. */
function boldHeader(
  page: Page,
  { row, own, bold }: { row: number; own: string; bold: string },
  from: number,
): Header {
  let [last, question, rest] = [row, bold, own.slice(bold.length).trim()];
  while (rest === "" && last < from && goesOn(page, last)) {
    const text = textAt(page, last + 1);
    const more = boldAt(page, last + 1, indentOf(text));
    if (more === "") break;
    question = `${question} ${more}`;
    rest = text.trim().slice(more.length).trim();
    last++;
  }
  return { row, last, question, rest };
}

function joinedRows(page: Page, first: number, last: number): string {
  return joinWrapped(
    page.rows.slice(first, last + 1).map(({ text }) => text),
    page.cols,
  );
}

function firstOf(page: Page, row: number): number {
  let first = row;
  while (first > 0 && !isBlank(textAt(page, first - 1)) && goesOn(page, first - 1)) first--;
  return first;
}

function lastOf(page: Page, row: number, from: number): number {
  let last = row;
  while (last < from && !isBlank(textAt(page, last + 1)) && goesOn(page, last)) last++;
  return last;
}

function goesOn(page: Page, row: number): boolean {
  return isContinuedBy(textAt(page, row), textAt(page, row + 1), page.cols);
}
