/** A view as rows of text, with helpers for indents, separators, paragraphs and wrapped lines. */
import type { Style, View } from "../../../sdk/view.js";
import { measureWidth } from "../../screen/widths.js";

/** One printed line; screen rows that the terminal wrapped are joined. */
export interface Row {
  readonly text: string;
  /** What the screen shows there, where a frame was taken out of `text`. */
  readonly drawn?: string;
  /** 0-based view rows. */
  readonly first: number;
  readonly last: number;
}

export interface Page {
  readonly view: View;
  readonly cols: number;
  readonly rows: readonly Row[];
  /** The cursor's row (an index into `rows`) and column in it. */
  readonly cursor: { readonly row: number; readonly column: number; readonly visible: boolean };
  /** Set when the page is the inside of a frame. `above`: rows of it that scrolled off the screen; null: they are lost. */
  readonly inside?: {
    readonly top: number;
    readonly above: readonly string[] | null;
    /** Those rows as they were drawn; absent: the same. */
    readonly drawnAbove?: readonly string[];
    readonly title?: string;
    /** A box inside it has no lower edge, so a part of that box is not drawn. */
    readonly isTorn: boolean;
  };
}

const pages = new WeakMap<View, Page>();

export function toPage(view: View): Page {
  let page = pages.get(view);
  if (!page) pages.set(view, (page = readPage(view)));
  return page;
}

function readPage(view: View): Page {
  const rows: { text: string; first: number; last: number }[] = [];
  for (const [y, { text, wrapped }] of view.lines.entries()) {
    const above = rows.at(-1);
    if (wrapped && above) {
      // The row above is full by definition; its trailing blanks were only trimmed.
      above.text = above.text + " ".repeat(countMissing(above, view.cols)) + text;
      above.last = y;
    } else rows.push({ text, first: y, last: y });
  }
  const row = rows.findIndex(({ first, last }) => first <= view.cursor.y && view.cursor.y <= last);
  const column = view.cursor.x + (view.cursor.y - (rows[row]?.first ?? 0)) * view.cols;
  return { view, cols: view.cols, rows, cursor: { row, column, visible: view.cursor.visible } };
}

export function readSize({ view: { cols, rows } }: Page): { readonly cols: number; readonly rows: number } {
  return { cols, rows };
}

function countMissing(row: Row, cols: number): number {
  return Math.max(0, (row.last - row.first + 1) * cols - measureWidth(row.text));
}

export function readTextAt(page: Page, row: number): string {
  return page.rows[row]?.text ?? "";
}

export function readTexts({ rows }: Page, first: number, last: number): readonly string[] {
  return rows.slice(first, last + 1).map(({ text }) => text);
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Leading blanks, each one column. */
export function measureIndent(text: string): number {
  let at = 0;
  while (text[at] === " ") at++;
  return at;
}

const RULE_CHARACTERS = new Set("─━═╌╍┄┅┈┉▔▁");
/** Shorter runs are bullets and dashes. */
const RULE_LENGTH_MIN = 8;

/** Whether a row is only a horizontal line. Plain dashes count as text, since a command may contain them. */
export function isSeparator(text: string): boolean {
  const drawn = text.trim();
  const [first = ""] = drawn;
  if (drawn.length < RULE_LENGTH_MIN || !RULE_CHARACTERS.has(first)) return false;
  return [...drawn].every((character) => character === first);
}

/** Tools keep one or two columns free at the right edge. */
export const EDGE_COLUMNS = 2;

/**
 * Whether `next` continues the line of `row`: only if its first word had no room there. Tools fill rows before they wrap, so a word
 * that would have fitted begins a new line.
 */
export function isContinuedBy(row: string, next: string, cols: number): boolean {
  const [word = ""] = next.trimStart().split(" ", 1);
  return measureWidth(row) + 1 + measureWidth(word) > cols - EDGE_COLUMNS;
}

export function findScreenRows(
  page: Page,
  first: number,
  last = first,
): { firstRow: number; lastRow: number } {
  return { firstRow: page.rows[first]?.first ?? 0, lastRow: page.rows[last]?.last ?? 0 };
}

export function joinWrapped(rows: readonly string[], cols: number): string {
  let joined = "";
  let last = "";
  for (const row of rows) {
    joined += joined === "" ? row.trim() : chooseGap(last, row, cols) + row.trim();
    last = row;
  }
  return joined;
}

export function joinRows(page: Page, first: number, last: number): string {
  return joinWrapped(readTexts(page, first, last), page.cols);
}

/** A word longer than a row is broken anywhere, and some tools break at a hyphen: such halves are joined without a blank. */
export function chooseGap(row: string, next: string, cols: number): "" | " " {
  if (/[\p{L}\p{N}]-$/u.test(row) && /^\s*[\p{L}\p{N}]/u.test(next)) return "";
  const tail = row.slice(row.lastIndexOf(" ") + 1);
  const [head = ""] = next.trimStart().split(" ", 1);
  const isFull = measureWidth(row) >= cols - EDGE_COLUMNS;
  const room = cols - EDGE_COLUMNS - measureIndent(row);
  return isFull && measureWidth(tail) + measureWidth(head) > room ? "" : " ";
}

export interface Paragraph {
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

/** Rows between blank rows and separators, top to bottom, each joined to one line. */
export function readParagraphs(page: Page, top: number, bottom: number): Paragraph[] {
  const found: Paragraph[] = [];
  let start: number | null = null;
  for (let row = top; row <= bottom + 1; row++) {
    const text = row <= bottom ? readTextAt(page, row) : "";
    const ends = isBlank(text) || isSeparator(text);
    if (!ends) start ??= row;
    if (ends && start !== null) {
      found.push({ top: start, bottom: row - 1, text: joinRows(page, start, row - 1) });
      start = null;
    }
  }
  return found;
}

export function findLastDrawn(page: Page): number {
  let row = page.rows.length - 1;
  while (row >= 0 && isBlank(readTextAt(page, row))) row--;
  return row;
}

export function readStyle(page: Page, row: number, column: number): Style | null {
  const { first } = page.rows[row] ?? { first: 0 };
  const line = page.view.lines[first + Math.floor(column / page.cols)];
  const x = column % page.cols;
  return line?.runs().find(({ start, end }) => start <= x && x < end)?.style ?? null;
}
