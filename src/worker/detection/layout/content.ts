/**
 * Text from the rows that show it; nothing is ever left out but lines that only draw. What is being approved keeps its rows: whether a
 * tool wrapped a line there or its command goes on with a new one, no picture tells (ADR 26).
 */
import { isContinuedBy, gapBetween, indentOf, isBlank, isSeparator } from "./layout.js";
import { widthOf } from "../../screen/widths.js";

/** ` 12 +text`: number, sign, text. */
const NUMBERED_ROW = /^( {0,6}\d{1,6} [ +-]?)(.*)$/u;
/** Several lines of a command stand behind such a bar: there a new row may be a new line. */
const BAR = /^ {0,6}[│┃|] /u;

/** Of what is being approved. */
export function contentText(rows: readonly string[], cols: number): string {
  return linesOf(joinRows(rows, cols, false));
}

/** Of what a tool says: a row that was full goes on with the next one. */
export function proseText(rows: readonly string[], cols: number): string {
  return linesOf(joinRows(rows, cols, true));
}

function linesOf(rows: readonly string[]): string {
  const kept = rows.filter((row) => !isSeparator(row));
  while (kept.length > 0 && isBlank(kept[0] ?? "")) kept.shift();
  while (kept.length > 0 && isBlank(kept.at(-1) ?? "")) kept.pop();
  const indent = Math.min(...kept.filter((row) => !isBlank(row)).map(indentOf));
  return kept.map((row) => row.slice(indent).trimEnd()).join("\n");
}

function joinRows(rows: readonly string[], cols: number, isProse: boolean): string[] {
  const joined: string[] = [];
  let gutter: number | null = null;
  let previous = "";
  for (const row of rows) {
    const own = NUMBERED_ROW.exec(row)?.[1]?.length ?? null;
    const glue = glueOf(previous, row, { own, gutter, cols, isProse });
    if (glue === null) joined.push(row);
    else joined.push((joined.pop() ?? "") + glue);
    if (own !== null) gutter = own;
    else if (gutter !== null && !isInGutter(row, gutter)) gutter = null;
    previous = row;
  }
  return joined;
}

interface Gutter {
  /** Width of this row's line number, and of the ones above; null where there is none. */
  readonly own: number | null;
  readonly gutter: number | null;
  readonly cols: number;
  readonly isProse: boolean;
}

/** What to append to the line above, or null when the row begins a line. */
function glueOf(previous: string, row: string, { own, gutter, cols, isProse }: Gutter): string | null {
  if (own !== null || isBlank(row) || isBlank(previous) || isSeparator(row) || isSeparator(previous))
    return null;
  // Numbered code is cut at the edge, not at blanks; an empty gutter proves that the line goes on.
  if (gutter !== null) {
    return isInGutter(row, gutter) && widthOf(previous) >= cols - 2 ? row.slice(gutter) : null;
  }
  if (!isProse) return null;
  const sameBlock = indentOf(row) === indentOf(previous) && !BAR.test(row) && !BAR.test(previous);
  return sameBlock && isContinuedBy(previous, row, cols)
    ? gapBetween(previous, row, cols) + row.trim()
    : null;
}

function isInGutter(row: string, gutter: number): boolean {
  return row.length > gutter && isBlank(row.slice(0, gutter));
}
