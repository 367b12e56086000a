/**
 * Finds a selection list: rows of which one is marked, with or without numbers, ticks, wraps, second lines, separators and scrolling.
 * The cursor's position or the style of the marked row must prove that the list is live; wording never does.
 */
import type { LiveProof } from "../../adapter-format/adapter-file.js";
import type { ListParameters } from "../../adapter-format/compiled/compiled.js";
import { readStyle, readTextAt, type Page } from "../layout/layout.js";
import { hasColours } from "../layout/text-style.js";
import { matches } from "../../adapter-format/pattern.js";
import { readLeftOfBox, readBeside } from "./side-box.js";
import {
  findDrawnAnchor,
  DISABLED,
  findMark,
  isTight,
  findLitRows,
  MARK_COLUMNS,
  ROWS_BELOW_MAX,
  NUMBERED,
  tickAt,
  type Mark,
} from "./list-mark.js";
import {
  findListEnd,
  labelStart,
  readRows,
  ROWS_MAX,
  readRowText,
  type ListBlock,
  type ListRow,
} from "./list-rows.js";

export interface FoundList {
  readonly rows: readonly ListRow[];
  /** 0-based index of the marked row. */
  readonly highlighted: number;
  /** The marked row is an open text field with the cursor in it. */
  readonly editing: boolean;
  /** The list is longer than its viewport, so some rows are not drawn. */
  readonly scrolled: boolean;
  /** Some of the rows that are not drawn are above those that are. */
  readonly hidesAbove: boolean;
  readonly top: number;
  readonly bottom: number;
  readonly beside: readonly string[];
}

export function findList(page: Page, parameters: ListParameters): FoundList | null {
  // Only colours distinguish such rows from their surroundings.
  if (parameters.plain && !hasColours(page)) return null;
  for (const proof of parameters.live) {
    const found =
      proof === "highlight"
        ? findHighlightedList(page, parameters)
        : findPointedList(page, parameters, proof);
    if (found) return found;
  }
  return null;
}

/** If labels are further from the mark, the explanation of the marked row may be below it, in their column, and only fainter. */
const NARROW_MARK_COLUMNS = 2;

function findPointedList(
  page: Page,
  parameters: ListParameters,
  proof: Exclude<LiveProof, "highlight">,
): FoundList | null {
  const mark = findMark(page, parameters, proof);
  if (mark && parameters.faint && !hasColours(page) && mark.text - mark.column > NARROW_MARK_COLUMNS)
    return null;
  if (proof !== "asked") return mark && readListAt(page, mark, parameters);
  const list = mark && readListAt(page, mark, parameters, page.cursor.row);
  return list && list.top <= page.cursor.row + ROWS_BELOW_MAX ? list : null;
}

/** With glyphs the marked row must also be highlighted by style; without glyphs the only highlighted row is the marked one. */
function findHighlightedList(page: Page, parameters: ListParameters): FoundList | null {
  const anchor = findDrawnAnchor(page, parameters);
  const list = anchor && readListAt(page, anchor, parameters);
  if (!list) return null;
  const lit = findLitRows(
    page,
    list.rows.map((row) => row.first),
    anchor.text,
  );
  const isMarked = parameters.glyphs.length > 0;
  if (isMarked ? !lit.includes(anchor.row) : lit.length !== 1) return null;
  const highlighted = isMarked ? list.highlighted : list.rows.findIndex((row) => row.first === lit[0]);
  const editing = hasField(page, parameters) && isInRow(page, list.rows[highlighted], anchor);
  // A visible cursor shows that the input is elsewhere.
  return page.cursor.visible && !editing ? null : { ...list, editing, highlighted };
}

/** Whether the cursor's position tells of a text field. A hidden cursor may be anywhere, so the adapter must say so. */
function hasField({ cursor }: Page, { fields }: ListParameters): boolean {
  return fields === (cursor.visible ? "shown" : "hidden");
}

function isInRow({ cursor }: Page, row: ListRow | undefined, { text }: Mark): boolean {
  return row !== undefined && cursor.row >= row.first && cursor.row <= row.last && cursor.column > text;
}

/** A sign in a row itself, before its number or its text. */
const SAYS_ABOVE = /^\s*[↑▲]/u;

/** The list around this marked row, whether or not it takes input. `above`: it begins below this row. */
export function readListAt(page: Page, mark: Mark, parameters: ListParameters, above = -1): FoundList | null {
  const anchor = findAnchor(page, mark, parameters);
  const begins = isTight(readLeftOfBox(page, anchor), mark.column) ? mark.column + 1 : mark.text;
  const numbered = isNumbered(readLeftOfBox(page, anchor).slice(begins), parameters);
  if (numbered === null) return null;
  const block = makeBlock(page, mark, parameters, { anchor, numbered, above });
  const read = readRows(block);
  const count = numbered ? findNumberRun(read, anchor) : read;
  const hidden = findHidden(block, count);
  const isWhole = numbered ? count[0]?.number === 1 : true;
  const rows = [...count, ...readExtraRows(block, count.at(-1)?.last ?? anchor)];
  const highlighted = rows.findIndex((row) => row.first <= mark.row && mark.row <= row.last);
  const [first, last] = [rows[0], rows.at(-1)];
  if (highlighted < 0 || !first || !last) return null;
  if (!hidden.any && (!isWhole || rows.length < parameters.rowsMin)) return null;
  const editing = isEditing(page, mark, parameters);
  const beside = readBeside(page, first.first);
  const top = first.first - (hidden.above ? 1 : 0);
  const bottom = findListEnd(block, last.last);
  const hidesAbove =
    hidden.above || !isWhole || rows.some((row) => SAYS_ABOVE.test(readTextAt(page, row.first)));
  const whole = { rows, highlighted, editing, scrolled: hidden.any, hidesAbove, top, bottom, beside };
  const found = withoutDisabled(block, whole);
  if (parameters.order === "down") return found;
  // Drawn from the bottom, the lowest row is the first choice.
  return { ...found, rows: found.rows.toReversed(), highlighted: found.rows.length - 1 - found.highlighted };
}

/** Without rows that cannot be chosen. While the mark is on one, it counts as between the choices, the nearer to the next the lower it is. */
function withoutDisabled(block: ListBlock, list: FoundList): FoundList {
  if (!block.parameters.faint) return list;
  const marked = list.rows[list.highlighted];
  const isDim = (row: ListRow, column: number): boolean =>
    readStyle(block.page, row.first, column)?.dim === true;
  const isOff = (row: ListRow): boolean =>
    DISABLED.test(row.label) ||
    (row === marked && isDim(row, block.markColumn) && isDim(row, labelStart(block, row.first)));
  const rows = list.rows.filter((row) => !isOff(row));
  if (!marked || rows.length === 0 || rows.length === list.rows.length) return list;
  if (rows.includes(marked)) return { ...list, rows, highlighted: rows.indexOf(marked) };
  const above = rows.filter(({ first }) => first < marked.first);
  const distance = marked.first - (above.at(-1)?.first ?? list.top - 1);
  return { ...list, rows, highlighted: above.length - 1 / (distance + 1) };
}

/** The most rows that a label takes before the next glyph. */
const LABEL_ROWS_MAX = 6;

function makeBlock(
  page: Page,
  mark: Mark,
  parameters: ListParameters,
  known: Pick<ListBlock, "anchor" | "numbered" | "above">,
): ListBlock {
  const readGlyph = (row: number): string => readLeftOfBox(page, row)[mark.column] ?? "";
  const isOff = (distance: number): boolean =>
    [mark.row - distance, mark.row + distance].some((row) => parameters.unmarked.includes(readGlyph(row)));
  const eachMarked = Array.from({ length: LABEL_ROWS_MAX }, (_, index) => index + 1).some(isOff);
  const eachTicked =
    !known.numbered && tickAt(readTextAt(page, mark.row), mark.text, parameters.ticks) !== null;
  const columns = { markColumn: mark.column, labelColumn: mark.text };
  return { ...known, ...columns, page, parameters, eachMarked, eachTicked };
}

function isEditing(page: Page, mark: Mark, { live, marks }: ListParameters): boolean {
  const pointsAtRows = live.includes("cursor") && !marks.includes("cursor");
  return pointsAtRows && page.cursor.row === mark.row && page.cursor.column > mark.column + MARK_COLUMNS;
}

/** The run 1, 2, 3 … that holds the marked row: text above a list may be numbered too. */
function findNumberRun(rows: readonly ListRow[], marked: number): ListRow[] {
  let start = rows.findIndex((row) => row.first === marked);
  const readNumber = (index: number): number => rows[index]?.number ?? NaN;
  while (start > 0 && readNumber(start) !== 1 && readNumber(start - 1) === readNumber(start) - 1) start--;
  let end = start + 1;
  while (end < rows.length && readNumber(end) === readNumber(end - 1) + 1) end++;
  return rows.slice(start, end);
}

/** Whether rows are not drawn above, or anywhere, as far as the adapter says how its lists show that. */
function findHidden({ page, parameters: { more, last } }: ListBlock, rows: readonly ListRow[]) {
  const [first, bottom] = [rows[0], rows.at(-1)];
  if (!first || !bottom) return { above: false, any: false };
  const isMark = (row: number): boolean =>
    more.some((pattern) => matches(pattern, readTextAt(page, row).trim()));
  const isTail = first.number !== null && first.number > 1;
  const isHead = rows.length > 1 && last !== null && !matches(last, bottom.label);
  // The first or last row that this list always has is missing.
  const isTorn = last !== null && (isTail || isHead);
  // A scroll bar beside the rows counts, too.
  const isSaid = rows.some((row) => isMark(row.first));
  const above = isMark(first.first - 1);
  return { above, any: above || isMark(bottom.last + 1) || isSaid || isTorn };
}

/** A numbered row of the list: the marked one, or the nearest above it when an extra row is marked. */
function findAnchor(page: Page, { row: marked, text }: Mark, { extra }: ListParameters): number {
  const isExtra = extra.some((pattern) => matches(pattern, readLeftOfBox(page, marked).slice(text)));
  if (!isExtra) return marked;
  for (let row = marked - 1; row >= 0 && marked - row < ROWS_MAX; row--) {
    if (NUMBERED.test(readLeftOfBox(page, row).slice(text))) return row;
  }
  return marked;
}

/** Blank rows, a note and a separator may come between a list and its extra rows. */
const EXTRA_DISTANCE_MAX = 12;

function readExtraRows(block: ListBlock, bottom: number): ListRow[] {
  const { extra } = block.parameters;
  if (extra.length === 0) return [];
  for (let row = bottom + 1; row <= bottom + EXTRA_DISTANCE_MAX; row++) {
    const label = readRowText(block, row).slice(block.labelColumn).trim();
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
