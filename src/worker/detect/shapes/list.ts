/**
 * A selection list: rows with a marked one. Numbered or not, wrapped, with second lines, cut by a separator. What makes it
 * live is its place: the cursor stands on the marked row, or is parked below; wording never does.
 */
import type { View } from "../../../sdk/view.js";
import type { ListParameters } from "../compiled.js";
import { continues, indentOf, isBlank, isSeparator, joinWrapped, textAt } from "../layout.js";

export interface ListRow {
  /** As drawn, wraps joined; a tick box is cut off. */
  readonly label: string;
  readonly detail: string | null;
  /** Null when the row shows none. */
  readonly number: number | null;
  /** State of the tick box; null when the row has none. */
  readonly checked: boolean | null;
  readonly firstRow: number;
  readonly lastRow: number;
}

export interface FoundList {
  readonly rows: readonly ListRow[];
  /** 0-based index of the marked row. */
  readonly highlighted: number;
  /** The marked row is an open text field: the cursor stands in its text. */
  readonly editing: boolean;
  readonly top: number;
  readonly bottom: number;
}

/** Columns between the mark and the label: the mark and one blank. */
const MARK_COLUMNS = 2;
/** No dialog has more; it bounds the work on a screen full of numbered text. */
const ROWS_MAX = 60;

const NUMBERED = /^(\d{1,2})\. ?(.*)$/u;
const TICK_BOX = /^\[([ xX✓✔*])\] ?/u;

export function findList(view: View, parameters: ListParameters): FoundList | null {
  for (const proof of parameters.live) {
    const marked = proof === "cursor" ? markedByCursor(view, parameters) : markedAndParked(view, parameters);
    const found = marked === null ? null : readList(view, marked, parameters);
    if (found) return found;
  }
  return null;
}

/** The row under the cursor, if it begins with the mark. In its text field the cursor is further right. */
function markedByCursor(view: View, { glyphs }: ListParameters): number | null {
  const { x, y } = view.cursor;
  const column = markColumn(textAt(view, y), glyphs);
  return column !== null && (x === column || x > column + MARK_COLUMNS) ? y : null;
}

/** The lowest marked row, if the hidden cursor is parked at the left edge below everything drawn. */
function markedAndParked(view: View, { glyphs }: ListParameters): number | null {
  const { x, y, visible } = view.cursor;
  if (visible || x !== 0) return null;
  for (let row = y; row >= 0; row--) {
    if (markColumn(textAt(view, row), glyphs) !== null) return row;
  }
  return null;
}

/** Column of the mark: it is the first thing on its row and one plain blank follows (input boxes use other blanks). */
function markColumn(text: string, glyphs: readonly string[]): number | null {
  const column = indentOf(text);
  return glyphs.includes(text[column] ?? "") && text[column + 1] === " " ? column : null;
}

type RowKind = "start" | "more" | "separator" | "other";

function readList(view: View, marked: number, parameters: ListParameters): FoundList | null {
  const labelColumn = indentOf(textAt(view, marked)) + MARK_COLUMNS;
  const numbered = isNumbered(textAt(view, marked).slice(labelColumn), parameters);
  if (numbered === null) return null;
  const kindOf = (y: number): RowKind =>
    y === marked ? "start" : rowKind(textAt(view, y), labelColumn, numbered);
  const [top, bottom] = blockAround(marked, view.rows, kindOf);
  const rows = readRows(view, { top, bottom, labelColumn, kindOf });
  const own = numbered ? lastCount(rows, marked) : rows;
  const highlighted = own.findIndex((row) => row.firstRow <= marked && marked <= row.lastRow);
  const [first, last] = [own[0], own.at(-1)];
  if (highlighted < 0 || !first || !last || own.length < 2) return null;
  return {
    rows: own,
    highlighted,
    editing: view.cursor.y === marked && view.cursor.x > labelColumn,
    top: first.firstRow,
    bottom: last.lastRow,
  };
}

function isNumbered(label: string, { numbers }: ListParameters): boolean | null {
  const numbered = NUMBERED.test(label);
  if (numbers === "either") return numbered;
  return numbered === (numbers === "required") ? numbered : null;
}

function rowKind(text: string, labelColumn: number, numbered: boolean): RowKind {
  if (isBlank(text)) return "other";
  if (isSeparator(text)) return "separator";
  const indent = indentOf(text);
  if (indent === labelColumn) return !numbered || NUMBERED.test(text.slice(labelColumn)) ? "start" : "other";
  return indent > labelColumn ? "more" : "other";
}

/** The rows around the marked one that can belong to the list; a separator belongs if a row of the list follows it. */
function blockAround(marked: number, rows: number, kindOf: (y: number) => RowKind): [number, number] {
  let top = marked;
  for (let y = marked - 1; y >= 0 && marked - y < ROWS_MAX; y--) {
    const kind = kindOf(y);
    if (kind === "other") break;
    if (kind === "start") top = y;
  }
  let bottom = marked;
  for (let y = marked + 1; y < rows && y - marked < ROWS_MAX; y++) {
    const kind = kindOf(y);
    if (kind === "other") break;
    if (kind !== "separator") {
      if (kind === "more" && kindOf(y - 1) === "separator") break;
      bottom = y;
    }
  }
  return [top, bottom];
}

interface Block {
  readonly top: number;
  readonly bottom: number;
  readonly labelColumn: number;
  readonly kindOf: (y: number) => RowKind;
}

function readRows(view: View, { top, bottom, labelColumn, kindOf }: Block): ListRow[] {
  const rows: ListRow[] = [];
  for (let y = top; y <= bottom; y++) {
    if (kindOf(y) !== "start") continue;
    let last = y;
    while (last < bottom && kindOf(last + 1) === "more") last++;
    rows.push(readRow(view, { first: y, last, labelColumn }));
  }
  return rows;
}

function readRow(view: View, place: { first: number; last: number; labelColumn: number }): ListRow {
  const { first, last, labelColumn } = place;
  // The mark itself is blanked, so that all rows look alike.
  const texts = [" ".repeat(labelColumn) + textAt(view, first).slice(labelColumn)];
  for (let y = first + 1; y <= last; y++) texts.push(textAt(view, y));
  let labelRows = 1;
  while (
    labelRows < texts.length &&
    continues(texts[labelRows - 1] ?? "", texts[labelRows] ?? "", view.cols)
  ) {
    labelRows++;
  }
  const label = joinWrapped(texts.slice(0, labelRows), view.cols);
  const numbered = NUMBERED.exec(label);
  const rest = numbered?.[2] ?? label;
  const tick = TICK_BOX.exec(rest);
  return {
    label: rest.slice(tick?.[0].length ?? 0).trim(),
    detail: texts.length > labelRows ? joinWrapped(texts.slice(labelRows), view.cols) : null,
    number: numbered ? Number(numbered[1]) : null,
    checked: tick ? tick[1] !== " " : null,
    firstRow: first,
    lastRow: last,
  };
}

/** The run 1, 2, 3 … that holds the marked row: text above a list may be numbered too. */
function lastCount(rows: readonly ListRow[], marked: number): ListRow[] {
  const at = rows.findIndex((row) => row.firstRow === marked);
  let start = at;
  while (start > 0 && rows[start]?.number !== 1) start--;
  const run: ListRow[] = [];
  for (const row of rows.slice(start)) {
    if (row.number !== run.length + 1) break;
    run.push(row);
  }
  return run;
}
