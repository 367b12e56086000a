/**
 * Turns rows into text, without separator lines. Approved content keeps its rows, because the screen does not show whether the
 * tool wrapped a line or its command has a line break there (ADR 26).
 */
import { isContinuedBy, chooseGap, measureIndent, isBlank, isSeparator } from "./layout.js";
import { measureWidth } from "../../screen/widths.js";

/** ` 12 +text`: number, sign, text. */
const NUMBERED_ROW = /^( {0,6}\d{1,6} [ +-]?)(.*)$/u;
/** A command of several lines is drawn behind such a bar, where a new row may be a new line. */
const BAR = /^ {0,6}[│┃|] /u;

/** The text of the approved content: every row stays a line. */
export function joinContent(rows: readonly string[], cols: number): string {
  return trimLines(joinRows(rows, cols, false));
}

/** The text of prose: a full row is joined with the next one. */
export function joinProse(rows: readonly string[], cols: number): string {
  return trimLines(joinRows(rows, cols, true));
}

function trimLines(rows: readonly string[]): string {
  const kept = rows.filter((row) => !isSeparator(row));
  while (kept.length > 0 && isBlank(kept[0] ?? "")) kept.shift();
  while (kept.length > 0 && isBlank(kept.at(-1) ?? "")) kept.pop();
  const indent = Math.min(...kept.filter((row) => !isBlank(row)).map(measureIndent));
  return kept.map((row) => row.slice(indent).trimEnd()).join("\n");
}

function joinRows(rows: readonly string[], cols: number, isProse: boolean): string[] {
  const joined: string[] = [];
  let gutter: number | null = null;
  let previous = "";
  for (const row of rows) {
    const own = NUMBERED_ROW.exec(row)?.[1]?.length ?? null;
    const glue = findGlue(previous, row, { own, gutter, cols, isProse });
    if (glue === null) joined.push(row);
    else joined.push((joined.pop() ?? "") + glue);
    if (own !== null) gutter = own;
    else if (gutter !== null && !isInGutter(row, gutter)) gutter = null;
    previous = row;
  }
  return joined;
}

interface Gutter {
  /** Width of the line number in this row (`own`) and in the rows above (`gutter`); null where there is none. */
  readonly own: number | null;
  readonly gutter: number | null;
  readonly cols: number;
  readonly isProse: boolean;
}

/** Returns what to append to the line above, or null when the row begins a line. */
function findGlue(previous: string, row: string, { own, gutter, cols, isProse }: Gutter): string | null {
  if (own !== null || isBlank(row) || isBlank(previous) || isSeparator(row) || isSeparator(previous))
    return null;
  // Numbered code is cut at the edge, not at blanks; an empty gutter proves that the line continues.
  if (gutter !== null) {
    return isInGutter(row, gutter) && measureWidth(previous) >= cols - 2 ? row.slice(gutter) : null;
  }
  if (!isProse) return null;
  const sameBlock = measureIndent(row) === measureIndent(previous) && !BAR.test(row) && !BAR.test(previous);
  return sameBlock && isContinuedBy(previous, row, cols) ? chooseGap(previous, row, cols) + row.trim() : null;
}

function isInGutter(row: string, gutter: number): boolean {
  return row.length > gutter && isBlank(row.slice(0, gutter));
}
