/** Reads the rows around the marked one: where each begins and continues, and where the list ends. */
import type { ListParameters } from "../../adapter-format/compiled/compiled.js";
import { findFaintEnd, isFaint } from "../layout/text-style.js";
import {
  isContinuedBy,
  measureIndent,
  isBlank,
  isSeparator,
  joinWrapped,
  readStyle,
  type Page,
} from "../layout/layout.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";
import { splitColumns, type RowTexts } from "./list-columns.js";
import { readLeftOfBox } from "./side-box.js";
import { continuesInRow, NUMBERED, skipTick, tickAt } from "./list-mark.js";

export interface ListRow {
  /** The label as drawn, with joined wraps and without its tick box. */
  readonly label: string;
  readonly detail: string | null;
  /** Null when the row shows none. */
  readonly number: number | null;
  /** State of the tick box; null when the row has none. */
  readonly checked: boolean | null;
  readonly first: number;
  readonly last: number;
}

export interface ListBlock {
  readonly page: Page;
  readonly parameters: ListParameters;
  /** A row that certainly belongs to it. */
  readonly anchor: number;
  readonly markColumn: number;
  readonly labelColumn: number;
  readonly numbered: boolean;
  /** Every choice begins with a glyph, marked or not; a row without one continues the row above. */
  readonly eachMarked: boolean;
  /** Every choice begins with a tick box, at any indent. */
  readonly eachTicked: boolean;
  /** The list begins below this row. */
  readonly above: number;
}

/** No dialog has more; it bounds the work on a screen full of numbered text. */
export const ROWS_MAX = 60;

/** A number behind a tick box, which is no key of the row. */
const NUMBER = /^\d{1,2}\. /u;

/** Share of the columns: tools that wrap labels themselves leave some of them free. The narrowest recorded label takes 0.8. */
const WRAPPED_SHARE = 0.75;

type RowKind = "start" | "more" | "separator" | "blank" | "other";

/** An arrow between mark and text shows that the list scrolls. */
const MORE_ROWS = /[↑↓]/u;

/** A row's text without its mark and without a scroll bar, so that all rows look alike. */
export function readRowText({ page, parameters, markColumn, labelColumn }: ListBlock, row: number): string {
  let text = readLeftOfBox(page, row);
  const { glyphs, unmarked, chosen, edge } = parameters;
  const marks = [...glyphs, ...unmarked, ...chosen];
  const before = [...text.slice(0, labelColumn)].map((character, column) => {
    const isMark = column === markColumn && marks.includes(character);
    return isMark || (column > markColumn && MORE_ROWS.test(character)) ? " " : character;
  });
  text = before.join("") + text.slice(labelColumn);
  const bar = edge === null ? null : findMatch(edge, text);
  return bar ? text.slice(0, bar.index).trimEnd() : text;
}

function classifyRow(block: ListBlock, row: number): RowKind {
  const { page, parameters, anchor, above } = block;
  if (row === anchor) return "start";
  if (row <= above) return "other";
  const text = readRowText(block, row);
  if (isBlank(text)) return "blank";
  if (isSeparator(text)) return "separator";
  const trimmed = text.trim();
  if (parameters.skip.some((pattern) => matches(pattern, trimmed))) return "separator";
  if (parameters.plain && (readStyle(page, row, labelStart(block, row))?.foreground ?? null) !== null)
    return "other";
  if (parameters.ends.some((pattern) => matches(pattern, trimmed))) return "other";
  const kind = block.numbered ? classifyNumbered(block, text) : classifyPlain(block, row, text);
  if (kind !== "other") return kind;
  // A full row continues at the left edge of the screen.
  return parameters.wraps && isWrapped(block, row) ? "more" : "other";
}

function isWrapped(block: ListBlock, row: number): boolean {
  if (row < 1 || row - 1 <= block.above || !isBelowFull(block.page, row)) return false;
  return ["start", "more", "separator"].includes(classifyRow(block, row - 1));
}

/** Whether the row above had no room for the first word of this one. */
function isBelowFull(page: Page, row: number, cols = page.cols): boolean {
  return isContinuedBy(readLeftOfBox(page, row - 1), readLeftOfBox(page, row), cols);
}

/** Numbers of one or two digits, aligned at their dots. */
const PADDED = /^(?: \d|\d{2})\./u;

function classifyNumbered({ page, anchor, labelColumn }: ListBlock, text: string): RowKind {
  const indent = measureIndent(text);
  const isPadded = indent === labelColumn + 1 && PADDED.test(text.slice(labelColumn));
  if (isPadded && PADDED.test(readLeftOfBox(page, anchor).slice(labelColumn))) return "start";
  // On a narrow screen a tool omits one blank of the indent.
  const start = Math.max(0, labelColumn - 1);
  if (indent >= start && indent <= labelColumn && NUMBERED.test(text.slice(start))) return "start";
  return indent > labelColumn ? "more" : "other";
}

function classifyPlain(block: ListBlock, row: number, text: string): RowKind {
  const { page, parameters, markColumn, labelColumn } = block;
  const indent = measureIndent(text);
  if (block.eachMarked) {
    const glyph = readLeftOfBox(page, row)[markColumn] ?? "";
    if (parameters.unmarked.includes(glyph) || parameters.glyphs.includes(glyph)) return "start";
    if (indent >= labelColumn) return "more";
    // Some tools continue a label below its mark; text below a row with much room left is something else.
    const isFull = isBelowFull(page, row, Math.floor(page.cols * WRAPPED_SHARE));
    return indent >= markColumn && isFull ? "more" : "other";
  }
  if (block.eachTicked) {
    if (tickAt(text, indent, parameters.ticks) !== null || hasBlankTick(block, text)) return "start";
    return indent > labelColumn ? "more" : "other";
  }
  if (indent === labelColumn) return isNote(block, row) || isRestOfLabel(block, row) ? "more" : "start";
  return indent > labelColumn ? "more" : "other";
}

/** Where a tick is just a character, a row without it has a blank in its place. */
function hasBlankTick({ parameters, labelColumn }: ListBlock, text: string): boolean {
  return parameters.ticks.unticked.includes(" ") && measureIndent(text) === labelColumn + 1;
}

/** Labels begin with a capital, and the row above was too full for this one's first word: it is the end of that label. */
function isRestOfLabel(block: ListBlock, row: number): boolean {
  const isSmall = /^\s*\p{Ll}/u.test(readRowText(block, row));
  return isSmall && /^\s*\p{Lu}/u.test(readRowText(block, row - 1)) && isWrapped(block, row);
}

/** A faint row right below the marked one explains it. A struck-through row is a disabled choice instead. */
function isNote({ page, parameters, anchor, labelColumn }: ListBlock, row: number): boolean {
  if (!parameters.faint || row !== anchor + 1) return false;
  const style = readStyle(page, row, labelColumn);
  return isFaint(style) && style?.strikethrough === false;
}

export function readRows(block: ListBlock): ListRow[] {
  const [top, bottom] = findExtent(block);
  const rows: ListRow[] = [];
  for (let row = top; row <= bottom; row++) {
    if (classifyRow(block, row) !== "start") continue;
    let last = row;
    while (last < bottom && isMore(block, last + 1)) last++;
    rows.push(readRow(block, row, last));
  }
  return rows;
}

/** The lowest row that belongs to the list, which may end with rows that are no choices. */
export function findListEnd(block: ListBlock, last: number): number {
  let end = last;
  while (
    end - last < ROWS_MAX &&
    classifyRow(block, end + 1) === "separator" &&
    !isSeparator(readRowText(block, end + 1))
  )
    end++;
  return end;
}

/** In a loose list the text may continue at the left edge, as if the terminal had wrapped it. */
function isMore(block: ListBlock, row: number): boolean {
  const { page, parameters } = block;
  const kind = classifyRow(block, row);
  if (kind !== "other" || !parameters.loose) return kind === "more";
  return measureIndent(readLeftOfBox(page, row)) === 0 && isBelowFull(page, row);
}

/**
 * The first and last row of the list. Separators, and blank rows in a loose list, belong to it only between two of its rows.
 */
function findExtent(block: ListBlock): [number, number] {
  const { anchor, page, parameters } = block;
  const stands = (kind: RowKind): boolean => kind === "separator" || (kind === "blank" && parameters.loose);
  const follows = (row: number): boolean => !stands(classifyRow(block, row - 1)) || isWrapped(block, row);
  let top = anchor;
  for (let row = anchor - 1; row >= 0 && anchor - row < ROWS_MAX; row--) {
    const kind = classifyRow(block, row);
    if (kind === "start") top = row;
    else if (!stands(kind) && !isMore(block, row)) break;
  }
  let bottom = anchor;
  for (let row = anchor + 1; row < page.rows.length && row - anchor < ROWS_MAX; row++) {
    const kind = classifyRow(block, row);
    if (kind === "start" || (isMore(block, row) && follows(row))) bottom = row;
    else if (!stands(kind)) break;
  }
  return [top, bottom];
}

function readRow(block: ListBlock, first: number, last: number): ListRow {
  const { parameters } = block;
  const texts = Array.from({ length: last - first + 1 }, (_, index) => readRowText(block, first + index));
  const { label, details } =
    parameters.details === "beside" ? splitColumns(block.page, texts) : splitRows(block, first, texts);
  const numbered = block.numbered ? NUMBERED.exec(label) : null;
  const body = (numbered?.[2] ?? label).trimStart();
  const tick = tickAt(body, 0, parameters.ticks);
  return {
    label: tick === null ? body.trim() : body.slice(tick.length).trim().replace(NUMBER, ""),
    detail: details === "" ? null : details,
    number: numbered ? Number(numbered[1]) : null,
    checked: readTick(block, first, tick),
    first,
    last,
  };
}

function readTick(block: ListBlock, row: number, tick: string | null): boolean | null {
  if (tick !== null) return isTicked(block, row, tick);
  return block.eachTicked && block.parameters.ticks.unticked.includes(" ") ? false : null;
}

function splitRows(block: ListBlock, first: number, texts: readonly string[]): RowTexts {
  const { page, parameters } = block;
  const { text, note } = withoutNote(block, first, texts[0] ?? "");
  const isLabel = block.eachMarked || parameters.details === "none";
  const labelRows = note !== null ? 1 : isLabel ? texts.length : countLabelRows(page, first, texts);
  const below = texts
    .slice(labelRows)
    .filter((row) => !parameters.buttons.some((button) => matches(button, row.trim())));
  return {
    label: joinWrapped([withoutChosenSign(parameters, text), ...texts.slice(1, labelRows)], page.cols),
    details: joinWrapped(note === null ? below : [note, ...below], page.cols),
  };
}

/** The label without the sign behind it that marks the current choice. */
function withoutChosenSign({ chosenBehind }: ListParameters, text: string): string {
  const label = text.trimEnd();
  const isChosen = label.at(-2) === " " && chosenBehind.includes(label.at(-1) ?? "");
  return isChosen ? label.slice(0, -2).trimEnd() : text;
}

/** Where ticked and unticked rows have the same sign, the sign of an unticked row is faint. */
function isTicked({ page, parameters: { ticks } }: ListBlock, row: number, tick: string): boolean {
  if (!ticks.unticked.includes(tick)) return true;
  return (
    ticks.ticked.includes(tick) && !isFaint(readStyle(page, row, measureIndent(readLeftOfBox(page, row))))
  );
}

/** Splits off the faint end of a row, which explains it; tools draw it at the marked row only. */
function withoutNote(block: ListBlock, row: number, text: string): { text: string; note: string | null } {
  if (!block.parameters.faint) return { text, note: null };
  const from = findFaintEnd(block.page, row, labelStart(block, row));
  const note = text.slice(from).trim();
  return note === "" ? { text, note: null } : { text: text.slice(0, from), note };
}

export function labelStart(block: ListBlock, row: number): number {
  const text = readRowText(block, row);
  return skipTick(text, measureIndent(text), block.parameters.ticks);
}

/** Counts the rows of the label: each next one must continue a full row in the same colour. */
function countLabelRows(page: Page, first: number, texts: readonly string[]): number {
  let count = 1;
  while (count < texts.length) {
    const [row, next] = [texts[count - 1] ?? "", texts[count] ?? ""];
    if (!isContinuedBy(row, next, page.cols) || !continuesInRow(page, first + count - 1, first + count))
      break;
    count++;
  }
  return count;
}
