/** Small questions about the rows of a view: indents, separators, paragraphs, and which rows are one wrapped line. */
import type { View } from "../../sdk/view.js";
import { widthOf } from "../screen/widths.js";

export function textAt(view: View, y: number): string {
  return view.lines[y]?.text ?? "";
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Leading blanks, each one column. */
export function indentOf(text: string): number {
  let at = 0;
  while (text[at] === " ") at++;
  return at;
}

const RULE_CHARACTERS = new Set("─━═╌╍┄┅┈┉-▔▁_");
/** Shorter runs are bullets and dashes. */
const RULE_LENGTH_MIN = 8;

/** A row that only draws a horizontal line. */
export function isSeparator(text: string): boolean {
  const drawn = text.trim();
  if (drawn.length < RULE_LENGTH_MIN) return false;
  const [first = ""] = drawn;
  return RULE_CHARACTERS.has(first) && [...drawn].every((character) => character === first);
}

/** The column behind the last character of a row. */
export function endColumn(text: string): number {
  return widthOf(text);
}

/** Tools keep one or two columns free at the right edge. */
const EDGE_COLUMNS = 2;

/**
 * Whether `next` goes on with the line of `row`: only if its first word had no room there. A tool breaks lines at blanks and
 * fills rows as far as they go, so a word that would have fitted begins a line of its own.
 */
export function continues(row: string, next: string, cols: number): boolean {
  const [word = ""] = next.trimStart().split(" ", 1);
  return endColumn(row) + 1 + widthOf(word) > cols - EDGE_COLUMNS;
}

/** Joins rows of one wrapped line. A word longer than a whole row is broken anywhere, so its halves meet without a blank. */
export function joinWrapped(rows: readonly string[], cols: number): string {
  let joined = "";
  let last = "";
  for (const row of rows) {
    const text = row.trim();
    joined += joined === "" ? text : gapBetween(last, text, cols) + text;
    last = row;
  }
  return joined;
}

function gapBetween(row: string, next: string, cols: number): string {
  const tail = row.slice(row.lastIndexOf(" ") + 1);
  const [head = ""] = next.split(" ", 1);
  const full = endColumn(row) >= cols - 1;
  const room = cols - EDGE_COLUMNS - indentOf(row);
  return full && widthOf(tail) + widthOf(head) > room ? "" : " ";
}

export interface Paragraph {
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

/** Rows between blank rows and separators, top to bottom, each joined to one line. */
export function paragraphs(view: View, top: number, bottom: number): Paragraph[] {
  const found: Paragraph[] = [];
  let start: number | null = null;
  for (let y = top; y <= bottom + 1; y++) {
    const text = y <= bottom ? textAt(view, y) : "";
    const ends = isBlank(text) || isSeparator(text);
    if (!ends) start ??= y;
    if (ends && start !== null) {
      found.push({ top: start, bottom: y - 1, text: joinRows(view, start, y - 1) });
      start = null;
    }
  }
  return found;
}

function joinRows(view: View, top: number, bottom: number): string {
  const rows = Array.from({ length: bottom - top + 1 }, (_, index) => textAt(view, top + index));
  return joinWrapped(rows, view.cols);
}

/** The lowest row that is not blank, or -1. */
export function lastRow(view: View): number {
  for (let y = view.rows - 1; y >= 0; y--) if (!isBlank(textAt(view, y))) return y;
  return -1;
}
