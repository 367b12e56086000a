/**
 * A selection list: rows with a marked one. Numbered or not, wrapped, with second lines, cut by a separator. What makes it
 * live is its place: the cursor stands on the marked row, or is parked below; wording never does.
 */
import { widthOf } from "../../screen/widths.js";
import type { ListParameters } from "../compiled.js";
import { continues, indentOf, isBlank, isSeparator, joinWrapped, styleAt, type Page } from "../layout.js";
import { matches } from "../pattern.js";
import { leftText, textBeside } from "./beside.js";

export interface ListRow {
  /** As drawn, wraps joined; a tick box is cut off. */
  readonly label: string;
  readonly detail: string | null;
  /** Null when the row shows none. */
  readonly number: number | null;
  /** State of the tick box; null when the row has none. */
  readonly checked: boolean | null;
  /** Rows of the page. */
  readonly first: number;
  readonly last: number;
}

export interface FoundList {
  readonly rows: readonly ListRow[];
  /** 0-based index of the marked row. */
  readonly highlighted: number;
  /** The marked row is an open text field: the cursor stands in its text. */
  readonly editing: boolean;
  readonly top: number;
  readonly bottom: number;
  /** Text of a box beside the rows. */
  readonly beside: readonly string[];
}

/** Columns between the mark and the label: the mark and one blank. */
const MARK_COLUMNS = 2;
/** No dialog has more; it bounds the work on a screen full of numbered text. */
const ROWS_MAX = 60;

const NUMBERED = /^ ?(\d{1,2})\. ?(.*)$/u;
const TICK_BOX = /^\[([ xX✓✔*])\] ?/u;

export function findList(page: Page, parameters: ListParameters): FoundList | null {
  for (const proof of parameters.live) {
    const marked = proof === "cursor" ? markedByCursor(page, parameters) : markedAndParked(page, parameters);
    const found = marked === null ? null : readList(page, marked, parameters);
    if (found) return found;
  }
  return null;
}

/** The row under the cursor, if it begins with the mark. In its text field the cursor is further right. */
function markedByCursor(page: Page, { glyphs }: ListParameters): number | null {
  const { row, column } = page.cursor;
  const mark = markColumn(leftText(page, row), glyphs);
  return mark !== null && (column === mark || column > mark + MARK_COLUMNS) ? row : null;
}

/** The lowest marked row, if the hidden cursor is parked at the left edge below everything drawn. */
function markedAndParked(page: Page, { glyphs }: ListParameters): number | null {
  const { row, column, visible } = page.cursor;
  if (visible || column !== 0) return null;
  for (let at = row; at >= 0; at--) {
    if (markColumn(leftText(page, at), glyphs) !== null) return at;
  }
  return null;
}

/** Rows that begin with a mark, whether or not they take input. */
export function markedRows(page: Page, { glyphs }: Pick<ListParameters, "glyphs">): number[] {
  return page.rows.flatMap((_, row) => (markColumn(leftText(page, row), glyphs) === null ? [] : [row]));
}

/** Column of the mark: it is the first thing on its row and one plain blank follows (input boxes use other blanks). */
function markColumn(text: string, glyphs: readonly string[]): number | null {
  const column = indentOf(text);
  return glyphs.includes(text[column] ?? "") && text[column + 1] === " " ? column : null;
}

type RowKind = "start" | "more" | "separator" | "other";

interface Block {
  readonly page: Page;
  readonly marked: number;
  readonly labelColumn: number;
  readonly numbered: boolean;
  readonly buttons: readonly string[];
}

function readList(page: Page, marked: number, parameters: ListParameters): FoundList | null {
  const labelColumn = indentOf(leftText(page, marked)) + MARK_COLUMNS;
  const anchor = anchorOf(page, marked, labelColumn, parameters);
  const numbered = isNumbered(leftText(page, anchor).slice(labelColumn), parameters);
  if (numbered === null) return null;
  const block = { page, marked: anchor, labelColumn, numbered, buttons: parameters.buttons };
  const read = readRows(block);
  const count = numbered ? lastCount(read, anchor) : read;
  const rows = [...count, ...extraRows(block, count.at(-1)?.last ?? anchor, parameters.extra)];
  const highlighted = rows.findIndex((row) => row.first === marked);
  const [first, last] = [rows[0], rows.at(-1)];
  if (highlighted < 0 || !first || !last || rows.length < 2) return null;
  const editing = page.cursor.row === marked && page.cursor.column > labelColumn;
  const beside = textBeside(page, first.first);
  return { rows, highlighted, editing, top: first.first, bottom: last.last, beside };
}

/** A row of the list proper: the marked one, or the nearest above it when an extra row is marked. */
function anchorOf(page: Page, marked: number, labelColumn: number, { extra }: ListParameters): number {
  const isExtra = extra.some((pattern) => matches(pattern, leftText(page, marked).slice(labelColumn)));
  if (!isExtra) return marked;
  for (let row = marked - 1; row >= 0 && marked - row < ROWS_MAX; row--) {
    if (NUMBERED.test(leftText(page, row).slice(labelColumn))) return row;
  }
  return marked;
}

/** Blank rows, a note and a separator may stand between a list and its extra rows. */
const EXTRA_DISTANCE_MAX = 12;

function extraRows({ page, labelColumn }: Block, bottom: number, extra: readonly string[]): ListRow[] {
  if (extra.length === 0) return [];
  for (let row = bottom + 1; row <= bottom + EXTRA_DISTANCE_MAX; row++) {
    const label = leftText(page, row).slice(labelColumn).trim();
    if (!extra.some((pattern) => matches(pattern, label))) continue;
    return [{ label, detail: null, number: null, checked: null, first: row, last: row }];
  }
  return [];
}

function isNumbered(label: string, { numbers }: ListParameters): boolean | null {
  const numbered = NUMBERED.test(label);
  if (numbers === "either") return numbered;
  return numbered === (numbers === "required") ? numbered : null;
}

function kindOf({ page, marked, labelColumn, numbered }: Block, row: number): RowKind {
  const text = leftText(page, row);
  if (row === marked) return "start";
  if (isBlank(text)) return "other";
  if (isSeparator(text)) return "separator";
  const indent = indentOf(text);
  if (!numbered) return indent === labelColumn ? "start" : indent > labelColumn ? "more" : "other";
  // Where a tool has too little room it swallows one blank of the indent.
  if (indent >= labelColumn - 1 && indent <= labelColumn && NUMBERED.test(text.slice(labelColumn - 1)))
    return "start";
  return indent > labelColumn ? "more" : "other";
}

function readRows(block: Block): ListRow[] {
  const [top, bottom] = extentOf(block);
  const rows: ListRow[] = [];
  for (let row = top; row <= bottom; row++) {
    if (kindOf(block, row) !== "start") continue;
    let last = row;
    while (last < bottom && kindOf(block, last + 1) === "more") last++;
    rows.push(readRow(block, row, last));
  }
  return rows;
}

/** The rows around the marked one that can belong to the list; a separator belongs if a row of the list follows it. */
function extentOf(block: Block): [number, number] {
  const { marked, page } = block;
  let top = marked;
  for (let row = marked - 1; row >= 0 && marked - row < ROWS_MAX; row--) {
    const kind = kindOf(block, row);
    if (kind === "other") break;
    if (kind === "start") top = row;
  }
  let bottom = marked;
  for (let row = marked + 1; row < page.rows.length && row - marked < ROWS_MAX; row++) {
    const kind = kindOf(block, row);
    if (kind === "other" || (kind === "more" && kindOf(block, row - 1) === "separator")) break;
    if (kind !== "separator") bottom = row;
  }
  return [top, bottom];
}

function readRow(block: Block, first: number, last: number): ListRow {
  const { page, labelColumn } = block;
  // The mark itself is blanked, so that all rows look alike.
  const texts = [" ".repeat(labelColumn) + leftText(page, first).slice(labelColumn)];
  if (first !== block.marked) texts[0] = leftText(page, first);
  for (let row = first + 1; row <= last; row++) texts.push(leftText(page, row));
  const labelRows = countLabelRows(page, first, texts);
  const label = joinWrapped(texts.slice(0, labelRows), page.cols);
  const numbered = block.numbered ? NUMBERED.exec(label) : null;
  const body = numbered?.[2] ?? label;
  const tick = TICK_BOX.exec(body);
  const details = texts.slice(labelRows).filter((text) => !isButton(text, block.buttons));
  return {
    label: body.slice(tick?.[0].length ?? 0).trim(),
    detail: details.length > 0 ? joinWrapped(details, page.cols) : null,
    number: numbered ? Number(numbered[1]) : null,
    checked: tick ? tick[1] !== " " : null,
    first,
    last,
  };
}

function isButton(text: string, buttons: readonly string[]): boolean {
  return buttons.some((button) => matches(button, text.trim()));
}

/** Rows of the label: the next one had no room and goes on in the same ink. Second lines are fainter. */
function countLabelRows(page: Page, first: number, texts: readonly string[]): number {
  let count = 1;
  while (count < texts.length) {
    const [row, next] = [texts[count - 1] ?? "", texts[count] ?? ""];
    if (!continues(row, next, page.cols) || !sameInk(page, first + count - 1, first + count)) break;
    count++;
  }
  return count;
}

function sameInk(page: Page, row: number, next: number): boolean {
  const width = widthOf(leftText(page, row));
  const end = styleAt(page, row, width - 1);
  const start = styleAt(page, next, indentOf(leftText(page, next)));
  if (end?.foreground !== start?.foreground || end?.dim !== start?.dim) return false;
  // A coloured line that is wrapped keeps the coloured blank it was broken at; one that ends there has none.
  const isColoured = end?.foreground !== null && end?.foreground !== undefined;
  return !isColoured || styleAt(page, row, width)?.foreground === end.foreground;
}

/** The run 1, 2, 3 … that holds the marked row: text above a list may be numbered too. */
function lastCount(rows: readonly ListRow[], marked: number): ListRow[] {
  let start = rows.findIndex((row) => row.first === marked);
  while (start > 0 && rows[start]?.number !== 1) start--;
  const run: ListRow[] = [];
  for (const row of rows.slice(start)) {
    if (row.number !== run.length + 1) break;
    run.push(row);
  }
  return run;
}
