/** A recorded screen as rows that can be edited, and a view of it again. Pure. */
import type { Style, StyledRun, View } from "../../../src/sdk/view.js";

export interface MutationRow {
  readonly runs: readonly StyledRun[];
  readonly wrapped: boolean;
}

export const PLAIN: Style = {
  foreground: null,
  background: null,
  bold: false,
  dim: false,
  inverse: false,
  underline: false,
  invisible: false,
  strikethrough: false,
};

export function rowsIn({ lines }: View): readonly MutationRow[] {
  return lines.map((line) => ({ runs: line.runs(), wrapped: line.wrapped }));
}

/** One character a column: what this page edits has no wide ones (`isNarrow`). */
export function plainRow(text: string): MutationRow {
  const runs = text === "" ? [] : [{ start: 0, end: text.length, text, style: PLAIN }];
  return { runs, wrapped: false };
}

export function readText({ runs }: MutationRow): string {
  let text = "";
  for (const run of runs) text = text.padEnd(run.start) + run.text;
  return text.trimEnd();
}

/** Every character takes one column, so that text can be cut and moved by its columns. */
export function isNarrow({ runs }: MutationRow): boolean {
  return runs.every(({ start, end, text }) => text.length === end - start);
}

/** The columns from `from` (inclusive) to `to`, moved to `at`. */
export function sliceRow({ runs }: MutationRow, from: number, to: number, at: number): readonly StyledRun[] {
  return runs.flatMap((run) => {
    const [start, end] = [Math.max(run.start, from), Math.min(run.end, to)];
    if (start >= end) return [];
    const text = run.text.slice(start - run.start, end - run.start);
    return [{ start: start - from + at, end: end - from + at, text, style: run.style }];
  });
}

/** `text` in the place of as many columns, in the style of the first of them. */
export function overwrite(row: MutationRow, column: number, text: string): MutationRow {
  const end = column + text.length;
  const style = row.runs.find((run) => run.start <= column && column < run.end)?.style ?? PLAIN;
  const runs = [
    ...sliceRow(row, 0, column, 0),
    { start: column, end, text, style },
    ...sliceRow(row, end, Infinity, end),
  ];
  return { ...row, runs };
}

export interface Edited {
  readonly rows: readonly MutationRow[];
  /** Row of the cursor after the edit, before it is fitted into the screen. */
  readonly cursorRow: number;
  readonly cursorColumn?: number;
}

/** The last rows count where there are more than the screen has: those above are scrolled away, as a terminal does it. */
export function viewWith(view: View, { rows, cursorRow, cursorColumn }: Edited): View {
  const over = Math.max(0, rows.length - view.rows);
  const missing = Math.max(0, view.rows - rows.length);
  const shown = [...rows.slice(over), ...Array.from({ length: missing }, () => plainRow(""))];
  const gone = rows.slice(0, over).map(readText);
  return {
    ...view,
    lines: shown.map((row) => ({ text: readText(row), wrapped: row.wrapped, runs: () => row.runs })),
    cursor: { ...view.cursor, x: cursorColumn ?? view.cursor.x, y: Math.max(0, cursorRow - over) },
    scrollback: view.modes.alternateScreen ? [] : [...view.scrollback, ...gone],
  };
}
