/** Where a list is that takes input: the row that its mark, or its ink, singles out. Wording never does. */
import { widthOf } from "../../screen/widths.js";
import type { Style } from "../../../sdk/view.js";
import type { ListParameters } from "../compiled.js";
import { indentOf, lastDrawn, styleAt, textAt, type Page } from "../layout.js";
import { leftText } from "./beside.js";

/** Columns between the mark and the label: the mark and one blank. */
export const MARK_COLUMNS = 2;
/** ` 1. label`; where room is short without its blank. */
export const NUMBERED = /^ ?(\d{1,2})\. ?(.*)$/u;

/** The row under the cursor, if it begins with the mark. In its text field the cursor is further right. */
export function markedByCursor(page: Page, { glyphs }: ListParameters): number | null {
  const { row, column } = page.cursor;
  const mark = markColumn(leftText(page, row), glyphs);
  return mark !== null && (column === mark || column > mark + MARK_COLUMNS) ? row : null;
}

/** The lowest marked row, if the hidden cursor is parked at the left edge below everything drawn. */
export function markedAndParked(page: Page, { glyphs }: ListParameters): number | null {
  const { row, column, visible } = page.cursor;
  return visible || column !== 0 ? null : lowestMarked(page, glyphs, row);
}

/** Where to look for a list whose highlight is drawn: its lowest row with the mark, or without marks with a number. */
export function drawnAnchor(page: Page, { glyphs }: ListParameters): number | null {
  if (page.cursor.visible) return null;
  const bottom = lastDrawn(page);
  if (glyphs.length > 0) return lowestMarked(page, glyphs, bottom);
  for (let row = bottom; row >= 0; row--) if (NUMBERED.test(leftText(page, row).trimStart())) return row;
  return null;
}

function lowestMarked(page: Page, glyphs: readonly string[], bottom: number): number | null {
  for (let row = bottom; row >= 0; row--) {
    if (markColumn(leftText(page, row), glyphs) !== null) return row;
  }
  return null;
}

/** Rows that begin with a mark, whether or not they take input. */
export function markedRows(page: Page, { glyphs }: Pick<ListParameters, "glyphs">): number[] {
  return page.rows.flatMap((_, row) => (markColumn(leftText(page, row), glyphs) === null ? [] : [row]));
}

/** Column of the mark: it is the first thing on its row and one plain blank follows (input boxes use other blanks). */
export function markColumn(text: string, glyphs: readonly string[]): number | null {
  const column = indentOf(text);
  return glyphs.includes(text[column] ?? "") && text[column + 1] === " " ? column : null;
}

/** Rows that are drawn unlike all others: inverse or on another ground, else in another ink. A highlight is one row. */
export function litRows(page: Page, rows: readonly number[], column: number): readonly number[] {
  const styles = rows.map((row) => styleAt(page, row, column));
  const ground = groundOf(page, rows[0] ?? 0, column);
  const lit = rows.filter((_, index) => isOnOtherGround(styles[index] ?? null, ground));
  // A single row has nothing to differ from.
  if (lit.length > 0 || rows.length === 1) return lit;
  return rows.filter((_, index) =>
    styles.every((style, other) => other === index || !sameInk(style, styles[index] ?? null)),
  );
}

/** The ground that the rows are drawn on: that of the row above them. */
function groundOf(page: Page, first: number, column: number): Style | null {
  return first > 0 ? styleAt(page, first - 1, column) : null;
}

function isOnOtherGround(style: Style | null, ground: Style | null): boolean {
  if (style?.inverse) return true;
  return style !== null && style.background !== null && style.background !== (ground?.background ?? null);
}

function sameInk(a: Style | null, b: Style | null): boolean {
  return (a?.foreground ?? null) === (b?.foreground ?? null) && (a?.bold ?? false) === (b?.bold ?? false);
}

/** Whether the label goes on in the next row: it is written in the same ink. Second lines are fainter. */
export function goesOn(page: Page, row: number, next: number): boolean {
  const width = widthOf(leftText(page, row));
  const end = styleAt(page, row, width - 1);
  const start = styleAt(page, next, indentOf(textAt(page, next)));
  if (end?.foreground !== start?.foreground || end?.dim !== start?.dim) return false;
  // A coloured line that is wrapped keeps the coloured blank it was broken at; one that ends there has none.
  const isColoured = end?.foreground !== null && end?.foreground !== undefined;
  return !isColoured || styleAt(page, row, width)?.foreground === end.foreground;
}
