/**
 * A selection list: rows with a marked one. Numbered or not, ticked, wrapped, with second lines, cut by a separator, longer than
 * the screen. What makes it live is its place or its ink: the cursor stands on the marked row, is parked below, waits at the
 * question, or the row is drawn unlike the others; wording never does.
 */
import type { LiveProof } from "../../adapter-format/adapter-file.js";
import type { ListParameters } from "../../adapter-format/compiled/compiled.js";
import { textAt, type Page } from "../layout/layout.js";
import { matches } from "../../adapter-format/pattern.js";
import { leftText, textBeside } from "./beside.js";
import {
  drawnAnchor,
  findMark,
  isTight,
  litRows,
  MARK_COLUMNS,
  NUMBERED,
  tickAt,
  type Mark,
} from "./list-mark.js";
import { endOf, readRows, ROWS_MAX, rowText, type ListBlock, type ListRow } from "./list-rows.js";

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

function pointedList(
  page: Page,
  parameters: ListParameters,
  proof: Exclude<LiveProof, "highlight">,
): FoundList | null {
  const mark = findMark(page, parameters, proof);
  return mark && readList(page, mark, parameters, proof === "asked" ? page.cursor.row : -1);
}

/** With a mark the marked row must be lit; without one the only lit row is the marked one. */
function highlightedList(page: Page, parameters: ListParameters): FoundList | null {
  const anchor = drawnAnchor(page, parameters);
  const list = anchor && readList(page, anchor, parameters, -1);
  if (!list) return null;
  const lit = litRows(
    page,
    list.rows.map((row) => row.first),
    anchor.text,
  );
  const isMarked = parameters.glyphs.length > 0;
  if (isMarked ? !lit.includes(anchor.row) : lit.length !== 1) return null;
  const highlighted = isMarked ? list.highlighted : list.rows.findIndex((row) => row.first === lit[0]);
  const editing = hasField(page, parameters) && isInRow(page, list.rows[highlighted], anchor);
  // A cursor that is shown takes the input.
  return page.cursor.visible && !editing ? null : { ...list, editing, highlighted };
}

/** A hidden cursor may be anywhere: by itself it tells nothing of a text field. */
function hasField({ cursor }: Page, { fields }: ListParameters): boolean {
  return fields === (cursor.visible ? "shown" : "hidden");
}

function isInRow({ cursor }: Page, row: ListRow | undefined, { text }: Mark): boolean {
  return row !== undefined && cursor.row >= row.first && cursor.row <= row.last && cursor.column > text;
}

/** `above`: no row of the list stands above this one. */
function readList(page: Page, mark: Mark, parameters: ListParameters, above: number): FoundList | null {
  const anchor = anchorOf(page, mark, parameters);
  const begins = isTight(leftText(page, anchor), mark.column) ? mark.column + 1 : mark.text;
  const numbered = isNumbered(leftText(page, anchor).slice(begins), parameters);
  if (numbered === null) return null;
  const block = blockOf(page, mark, parameters, { anchor, numbered, above });
  const read = readRows(block);
  const count = numbered ? runOf(read, anchor) : read;
  const hidden = hiddenOf(block, count);
  const scrolled = hidden.above || hidden.below || hidden.torn;
  const isWhole = numbered ? count[0]?.number === 1 : true;
  const rows = [...count, ...extraRows(block, count.at(-1)?.last ?? anchor)];
  const highlighted = rows.findIndex((row) => row.first <= mark.row && mark.row <= row.last);
  const [first, last] = [rows[0], rows.at(-1)];
  if (highlighted < 0 || !first || !last) return null;
  if (!scrolled && (!isWhole || rows.length < parameters.rowsMin)) return null;
  const editing = isEditing(page, mark, parameters);
  const beside = textBeside(page, first.first);
  const top = first.first - (hidden.above ? 1 : 0);
  const bottom = endOf(block, last.last);
  const found = { rows, highlighted, editing, scrolled, top, bottom, beside };
  return parameters.order === "up" ? upwards(found) : found;
}

/** A label goes on over so many rows at most before the next glyph. */
const LABEL_ROWS_MAX = 6;

function blockOf(
  page: Page,
  mark: Mark,
  parameters: ListParameters,
  known: Pick<ListBlock, "anchor" | "numbered" | "above">,
): ListBlock {
  const glyphAt = (row: number): string => leftText(page, row)[mark.column] ?? "";
  const isOff = (distance: number): boolean =>
    [mark.row - distance, mark.row + distance].some((row) => parameters.unmarked.includes(glyphAt(row)));
  const eachMarked = Array.from({ length: LABEL_ROWS_MAX }, (_, index) => index + 1).some(isOff);
  const eachTicked = !known.numbered && tickAt(textAt(page, mark.row), mark.text, parameters.ticks) !== null;
  const columns = { markColumn: mark.column, labelColumn: mark.text };
  return { ...known, ...columns, page, parameters, eachMarked, eachTicked };
}

/** The cursor in the text of a marked row; elsewhere it only waits. */
function isEditing(page: Page, mark: Mark, { live, marks }: ListParameters): boolean {
  const pointsAtRows = live.includes("cursor") && !marks.includes("cursor");
  return pointsAtRows && page.cursor.row === mark.row && page.cursor.column > mark.column + MARK_COLUMNS;
}

/** Drawn from the bottom: the first choice is the lowest. */
function upwards(list: FoundList): FoundList {
  return { ...list, rows: list.rows.toReversed(), highlighted: list.rows.length - 1 - list.highlighted };
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
function hiddenOf({ page, parameters: { more, last } }: ListBlock, rows: readonly ListRow[]): Hidden {
  const [first, bottom] = [rows[0], rows.at(-1)];
  if (!first || !bottom) return { above: false, below: false, torn: false };
  const isMark = (row: number): boolean => more.some((pattern) => matches(pattern, textAt(page, row).trim()));
  const isTail = first.number !== null && first.number > 1;
  const isHead = rows.length > 1 && last !== null && !matches(last, bottom.label);
  const torn = last !== null && (isTail || isHead);
  // Said beside it, by a scroll bar, too.
  const isSaid = rows.some((row) => isMark(row.first));
  return { above: isMark(first.first - 1), below: isMark(bottom.last + 1) || isSaid, torn };
}

/** A row of the list proper: the marked one, or the nearest above it when an extra row is marked. */
function anchorOf(page: Page, { row: marked, text }: Mark, { extra }: ListParameters): number {
  const isExtra = extra.some((pattern) => matches(pattern, leftText(page, marked).slice(text)));
  if (!isExtra) return marked;
  for (let row = marked - 1; row >= 0 && marked - row < ROWS_MAX; row--) {
    if (NUMBERED.test(leftText(page, row).slice(text))) return row;
  }
  return marked;
}

/** Blank rows, a note and a separator may stand between a list and its extra rows. */
const EXTRA_DISTANCE_MAX = 12;

function extraRows(block: ListBlock, bottom: number): ListRow[] {
  const { extra } = block.parameters;
  if (extra.length === 0) return [];
  for (let row = bottom + 1; row <= bottom + EXTRA_DISTANCE_MAX; row++) {
    const label = rowText(block, row).slice(block.labelColumn).trim();
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
