/** Rows of code with a line-number gutter: a row with an empty gutter goes on with the one above (design §6 "join wraps"). */
import { endColumn } from "./layout.js";

/** ` 12 +text`: number, sign, text. */
const NUMBERED_ROW = /^( {0,6}\d{1,6} [ +-]?)(.*)$/u;

/**
 * Joins wrapped code lines where the gutter proves it. Such text is cut at the edge, not at blanks, so nothing is put between.
 * All other rows stay as they are drawn: a line feed that is none is better than a lost one.
 */
export function joinNumbered(rows: readonly string[], cols: number): string[] {
  const joined: string[] = [];
  let gutter: number | null = null;
  let previous = "";
  for (const row of rows) {
    const own = NUMBERED_ROW.exec(row)?.[1];
    if (own !== undefined) gutter = own.length;
    const goesOn: boolean =
      own === undefined && gutter !== null && fillsRow(previous, cols) && isGutter(row, gutter);
    if (goesOn) joined.push(`${joined.pop() ?? ""}${row.slice(gutter ?? 0)}`);
    else joined.push(row);
    if (!goesOn && own === undefined) gutter = null;
    previous = row;
  }
  return joined;
}

function fillsRow(row: string, cols: number): boolean {
  return endColumn(row) >= cols - 2;
}

function isGutter(row: string, gutter: number): boolean {
  return row.length > gutter && row.slice(0, gutter).trim() === "";
}
