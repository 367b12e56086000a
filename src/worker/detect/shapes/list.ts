/**
 * A selection list: rows with a marked one. Numbered or not, wrapped, with second lines, cut by a separator, longer than the
 * screen. What makes it live is its place or its ink: the cursor stands on the marked row, or is parked below, or the row is
 * drawn unlike the others; wording never does.
 */
import type { ListParameters } from "../compiled.js";
import { indentOf, textAt, type Page } from "../layout.js";
import { matches } from "../pattern.js";
import { leftText, textBeside } from "./beside.js";
import {
  drawnAnchor,
  litRows,
  MARK_COLUMNS,
  markColumn,
  markedAndParked,
  markedByCursor,
  NUMBERED,
} from "./list-mark.js";
import { readRows, ROWS_MAX, type Block, type ListRow } from "./list-rows.js";

export interface FoundList {
  readonly rows: readonly ListRow[];
  /** 0-based index of the marked row. */
  readonly highlighted: number;
  /** The marked row is an open text field: the cursor stands in its text. */
  readonly editing: boolean;
  /** Rows of it are not drawn: it is longer than its place. */
  readonly scrolled: boolean;
  readonly top: number;
  readonly bottom: number;
  /** Text of a box beside the rows. */
  readonly beside: readonly string[];
}

export function findList(page: Page, parameters: ListParameters): FoundList | null {
  for (const proof of parameters.live) {
    const found =
      proof === "highlight" ? highlightedList(page, parameters) : pointedList(page, parameters, proof);
    if (found) return found;
  }
  return null;
}

function pointedList(page: Page, parameters: ListParameters, proof: "cursor" | "parked"): FoundList | null {
  const marked = proof === "cursor" ? markedByCursor(page, parameters) : markedAndParked(page, parameters);
  return marked === null ? null : readList(page, marked, parameters);
}

/** With a mark the marked row must be lit; without one the only lit row is the marked one. */
function highlightedList(page: Page, parameters: ListParameters): FoundList | null {
  const anchor = drawnAnchor(page, parameters);
  const list = anchor === null ? null : readList(page, anchor, parameters);
  if (!list || anchor === null) return null;
  const column = labelColumnOf(page, anchor, parameters);
  const lit = litRows(
    page,
    list.rows.map((row) => row.first),
    column,
  );
  // The cursor is hidden and may be anywhere: it tells nothing of a text field.
  if (parameters.glyphs.length > 0) return lit.includes(anchor) ? { ...list, editing: false } : null;
  if (lit.length !== 1) return null;
  return { ...list, editing: false, highlighted: list.rows.findIndex((row) => row.first === lit[0]) };
}

function labelColumnOf(page: Page, marked: number, { glyphs }: ListParameters): number {
  const text = leftText(page, marked);
  return indentOf(text) + (markColumn(text, glyphs) === null ? 0 : MARK_COLUMNS);
}

function readList(page: Page, marked: number, parameters: ListParameters): FoundList | null {
  const labelColumn = labelColumnOf(page, marked, parameters);
  const anchor = anchorOf(page, marked, labelColumn, parameters);
  const numbered = isNumbered(leftText(page, anchor).slice(labelColumn), parameters);
  if (numbered === null) return null;
  const block = { page, marked: anchor, labelColumn, numbered, parameters };
  const read = readRows(block);
  const count = numbered ? runOf(read, anchor) : read;
  const hidden = hiddenOf(block, count);
  const scrolled = hidden.above || hidden.below || hidden.torn;
  const isWhole = numbered ? count[0]?.number === 1 : true;
  const rows = [...count, ...extraRows(block, count.at(-1)?.last ?? anchor)];
  const highlighted = rows.findIndex((row) => row.first === marked);
  const [first, last] = [rows[0], rows.at(-1)];
  if (highlighted < 0 || !first || !last) return null;
  if (!scrolled && (!isWhole || rows.length < 2)) return null;
  const editing = page.cursor.row === marked && page.cursor.column > labelColumn;
  const beside = textBeside(page, first.first);
  const top = first.first - (hidden.above ? 1 : 0);
  return { rows, highlighted, editing, scrolled, top, bottom: last.last, beside };
}

/** The run 1, 2, 3 … that holds the marked row: text above a list may be numbered too. */
function runOf(rows: readonly ListRow[], marked: number): ListRow[] {
  let start = rows.findIndex((row) => row.first === marked);
  const number = (index: number): number => rows[index]?.number ?? NaN;
  while (start > 0 && number(start) !== 1 && number(start - 1) === number(start) - 1) start--;
  let end = start + 1;
  while (end < rows.length && number(end) === number(end - 1) + 1) end++;
  return rows.slice(start, end);
}

interface Hidden {
  /** A mark above or below says that more rows follow there. */
  readonly above: boolean;
  readonly below: boolean;
  /** It does not begin or end as this list always does. */
  readonly torn: boolean;
}

/** Rows that are not drawn. Only where the adapter says how its lists show that. */
function hiddenOf({ page, parameters: { more, last } }: Block, rows: readonly ListRow[]): Hidden {
  const [first, bottom] = [rows[0], rows.at(-1)];
  if (!first || !bottom) return { above: false, below: false, torn: false };
  const isMark = (row: number): boolean => more.some((pattern) => matches(pattern, textAt(page, row).trim()));
  const isTail = first.number !== null && first.number > 1;
  const isHead = rows.length > 1 && last !== null && !matches(last, bottom.label);
  const torn = last !== null && (isTail || isHead);
  return { above: isMark(first.first - 1), below: isMark(bottom.last + 1), torn };
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

function extraRows({ page, labelColumn, parameters: { extra } }: Block, bottom: number): ListRow[] {
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
