/** Finds the row on which a drawn question begins: `? Question (hints)`, `◆  Question`, or just the text above a list. */
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { readBold } from "./text-style.js";
import { isContinuedBy, measureIndent, isBlank, joinRows, readTextAt, type Page } from "./layout.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";

export interface Header {
  readonly row: number;
  readonly last: number;
  readonly question: string;
  /** The text behind the question: hints, a default, typed text. */
  readonly rest: string;
}

/** Rows of hints and instructions that a tool may draw between a question and its list. */
const DISTANCE_MAX = 12;

/** A header pattern without `^` matches the end of the question's last row, which must be right above the list or field. */
export function matchesLastRow({ header }: Pick<CompiledRule, "header">): boolean {
  return header !== null && !header.startsWith("^");
}

export function findHeader(page: Page, rule: CompiledRule, from: number): Header | null {
  if (rule.header === null) return null;
  for (let row = from; row >= 0 && from - row <= DISTANCE_MAX; row--) {
    if (matches(rule.header, readTextAt(page, row))) return readHeader(page, rule, row, from);
  }
  return null;
}

/** Where the question is bold, it ends with the bold text; else all of the text is the question. */
function readHeader(page: Page, rule: CompiledRule, row: number, from: number): Header {
  const pattern = rule.header ?? "";
  const first = matchesLastRow(rule) ? findFirstRow(page, row) : row;
  const own = (findMatch(pattern, readTextAt(page, row))?.[1] ?? readTextAt(page, row)).trim();
  const bold = readBold(page, row, readTextAt(page, row).indexOf(own));
  if (bold !== "") return findBoldHeader(page, { row, own, bold }, from);
  const last = findLastRow(page, row, from);
  const whole = joinRows(page, first, last);
  return { row: first, last, question: (findMatch(pattern, whole)?.[1] ?? whole).trim(), rest: "" };
}

/** A wrapped bold question continues while the next row begins bold. */
function findBoldHeader(
  page: Page,
  { row, own, bold }: { row: number; own: string; bold: string },
  from: number,
): Header {
  let [last, question, rest] = [row, bold, own.slice(bold.length).trim()];
  while (rest === "" && last < from && isContinued(page, last)) {
    const text = readTextAt(page, last + 1);
    const more = readBold(page, last + 1, measureIndent(text));
    if (more === "") break;
    question = `${question} ${more}`;
    rest = text.trim().slice(more.length).trim();
    last++;
  }
  return { row, last, question, rest };
}

function findFirstRow(page: Page, row: number): number {
  let first = row;
  while (first > 0 && !isBlank(readTextAt(page, first - 1)) && isContinued(page, first - 1)) first--;
  return first;
}

function findLastRow(page: Page, row: number, from: number): number {
  let last = row;
  while (last < from && !isBlank(readTextAt(page, last + 1)) && isContinued(page, last)) last++;
  return last;
}

function isContinued(page: Page, row: number): boolean {
  return isContinuedBy(readTextAt(page, row), readTextAt(page, row + 1), page.cols);
}
