/** Finds the marked row of a list, and proves by the cursor's position that the list takes input. */
import type { LiveProof, MarkKind } from "../../adapter-format/adapter-file.js";
import type { ListParameters } from "../../adapter-format/compiled/compiled.js";
import { isFaint } from "../layout/text-style.js";
import {
  measureIndent,
  isBlank,
  isSeparator,
  findLastDrawn,
  readStyle,
  readTextAt,
  type Page,
} from "../layout/layout.js";
import { measureWidth } from "../../screen/widths.js";
import { readLeftOfBox } from "./side-box.js";

export interface Mark {
  readonly row: number;
  /** Column of the glyph, or of the row's text where a style marks it. */
  readonly column: number;
  /** Where the row's own text begins, its tick box included. */
  readonly text: number;
}

/** Columns between the mark and the label: the mark and one blank. */
export const MARK_COLUMNS = 2;
const BLANKS_BEHIND_MAX = 4;
/** A filter line and its count may be between the cursor and the list. */
export const ROWS_BELOW_MAX = 3;

/** ` 1. label` or ` 1) label`; on a narrow screen without the blank. */
export const NUMBERED = /^ ?(\d{1,2})[.)] ?(.*)$/u;

/** `❯1. label`: on a narrow screen a tool omits the blank behind the mark. */
export function isTight(text: string, markColumn: number): boolean {
  return /^[^\s\d]\d{1,2}[.)] /u.test(text.slice(markColumn));
}

export function findMark(
  page: Page,
  parameters: ListParameters,
  proof: Exclude<LiveProof, "highlight">,
): Mark | null {
  const { row, column, visible } = page.cursor;
  const findMarks = (): Mark[] => findMarkedRows(page, parameters);
  switch (proof) {
    case "cursor":
      return findMarkUnderCursor(page, parameters);
    case "parked":
      return !visible && column === 0 ? (findMarks().findLast((mark) => mark.row <= row) ?? null) : null;
    case "hidden":
      return !visible && (isBehindText(page) || row > findLastDrawn(page))
        ? (findMarks().at(-1) ?? null)
        : null;
    case "asked":
      return isBehindText(page) ? (findMarks().find((mark) => mark.row > row) ?? null) : null;
    case "below":
      return visible && row === findLastDrawn(page) && isBehindText(page)
        ? (findMarks().findLast((mark) => mark.row < row) ?? null)
        : null;
    case "entry":
      return isInEntry(page, parameters) ? (findMarks().findLast((mark) => mark.row < row) ?? null) : null;
    case "button":
      return isOnButton(page) ? (findMarks().find((mark) => mark.row < row) ?? null) : null;
  }
}

/** Rows that are marked, whether or not they take input. */
export function findMarkedRows(
  page: Page,
  parameters: Pick<ListParameters, "glyphs" | "marks" | "ticks">,
): Mark[] {
  const kinds = parameters.marks.filter((kind) => kind !== "cursor");
  return page.rows.flatMap((_, row) => {
    for (const kind of kinds) {
      const mark = MARKED_BY[kind](page, row, parameters);
      if (mark) return [mark];
    }
    return [];
  });
}

/** The row under the cursor, if it is marked. In an open text field the cursor is further right. */
function findMarkUnderCursor(page: Page, parameters: ListParameters): Mark | null {
  const { row, column } = page.cursor;
  if (parameters.marks.includes("cursor")) return findTickedRow(page, parameters);
  const mark = findByGlyph(page, row, parameters);
  return mark && (column === mark.column || column > mark.column + MARK_COLUMNS) ? mark : null;
}

/** A visible cursor may also be in a text field, so only a tick box proves that it is on a row of the list. */
function findTickedRow(page: Page, { ticks }: ListParameters): Mark | null {
  const mark = markAtText(page, page.cursor.row);
  if (!mark || !page.cursor.visible) return mark;
  return tickAt(readTextAt(page, mark.row), mark.text, ticks) === null ? null : mark;
}

/** Whether the cursor is right behind the text of its screen row, side lines included. */
function isBehindText({ view }: Page): boolean {
  const { x, y } = view.cursor;
  const text = view.lines[y]?.text ?? "";
  const blanks = x - measureWidth(text);
  // A library that does not reckon with a wrapped question puts it at the edge.
  return !isBlank(text) && blanks >= 0 && (blanks <= BLANKS_BEHIND_MAX || x >= view.cols - 1);
}

/** Whether the cursor is in the lowest row that is no separator, behind a glyph of the list. */
function isInEntry(page: Page, { glyphs }: ListParameters): boolean {
  const { row, column, visible } = page.cursor;
  let lowest = findLastDrawn(page);
  while (lowest > row && isSeparator(readTextAt(page, lowest))) lowest--;
  const text = readTextAt(page, row);
  const mark = measureIndent(text);
  return visible && row === lowest && column > mark && glyphs.includes(text[mark] ?? "");
}

const BUTTONS = /^<[^<>]{1,40}>(?: {1,40}<[^<>]{1,40}>){0,4}$/u;

function isOnButton(page: Page): boolean {
  return BUTTONS.test(readTextAt(page, page.cursor.row).trim());
}

type MarkFinder = (
  page: Page,
  row: number,
  parameters: Pick<ListParameters, "glyphs" | "ticks">,
) => Mark | null;

const MARKED_BY: Readonly<Record<Exclude<MarkKind, "cursor">, MarkFinder>> = {
  glyph: findByGlyph,
  underline: findByUnderline,
  bright: findByBrightness,
  background: findByBackground,
};

/** The mark is the first thing on its row, and one plain blank or a tick box follows (input boxes use other blanks). */
function findByGlyph(page: Page, row: number, { glyphs, ticks }: Parameters<MarkFinder>[2]): Mark | null {
  const text = readLeftOfBox(page, row);
  const column = measureIndent(text);
  if (!glyphs.includes(text[column] ?? "")) return null;
  if (tickAt(text, column + 1, ticks) !== null) return { row, column, text: column + 1 };
  if (isTight(text, column)) return { row, column, text: column + MARK_COLUMNS };
  if (text[column + 1] !== " ") return null;
  const apart = measureIndent(text.slice(column + 1)) + 1;
  // A number may be set in by one blank more than its neighbours.
  const begins = /^ {1,2}\d{1,2}[.)]/u.test(text.slice(column + 1)) ? MARK_COLUMNS : apart;
  return { row, column, text: column + begins };
}

function findByUnderline(page: Page, row: number, { ticks }: Parameters<MarkFinder>[2]): Mark | null {
  const mark = markAtText(page, row);
  return mark && readStyle(page, row, labelColumn(page, mark, ticks))?.underline === true ? mark : null;
}

/** `- two (not yet)`, `two (disabled)`: rows that cannot be chosen. */
export const DISABLED = /^- |\(disabled\)$/iu;

/** The one row with a tick box whose label is not faint. */
function findByBrightness(page: Page, row: number, { ticks }: Parameters<MarkFinder>[2]): Mark | null {
  const readFaintness = (at: number): boolean | null => {
    const text = readTextAt(page, at);
    const mark = markAtText(page, at);
    if (!mark || tickAt(text, mark.column, ticks) === null) return null;
    const label = labelColumn(page, mark, ticks);
    return DISABLED.test(text.trim()) ? null : isFaint(readStyle(page, at, label));
  };
  const beside = [readFaintness(row - 1), readFaintness(row + 1)];
  const isOddOne = readFaintness(row) === false && beside.includes(true) && !beside.includes(false);
  return isOddOne ? markAtText(page, row) : null;
}

/** The row's text has another background than the cell to its left. */
function findByBackground(page: Page, row: number): Mark | null {
  const mark = markAtText(page, row);
  if (!mark || mark.column === 0) return null;
  const [own, beside] = [readStyle(page, row, mark.column), readStyle(page, row, mark.column - 1)];
  return own && beside && own.background !== beside.background ? mark : null;
}

function markAtText(page: Page, row: number): Mark | null {
  const text = readTextAt(page, row);
  if (isBlank(text)) return null;
  const column = measureIndent(text);
  return { row, column, text: column };
}

function labelColumn(page: Page, { row, text }: Mark, ticks: ListParameters["ticks"]): number {
  return skipTick(readTextAt(page, row), text, ticks);
}

/** Where the label begins: behind the tick box at this column, if there is one. */
export function skipTick(text: string, column: number, ticks: ListParameters["ticks"]): number {
  const label = column + (tickAt(text, column, ticks)?.length ?? 0);
  return label === column ? column : label + measureIndent(text.slice(label));
}

export function tickAt(text: string, column: number, ticks: ListParameters["ticks"]): string | null {
  return [...ticks.ticked, ...ticks.unticked].find((box) => text.startsWith(box, column)) ?? null;
}

/** Where to look for a list that shows its highlight by style: the lowest marked row or, without marks, the lowest numbered row. */
export function findDrawnAnchor(page: Page, parameters: ListParameters): Mark | null {
  if (page.cursor.visible && parameters.fields !== "shown") return null;
  if (parameters.glyphs.length > 0) return findMarkedRows(page, parameters).at(-1) ?? null;
  const row = page.rows.findLastIndex((_, at) => NUMBERED.test(readLeftOfBox(page, at).trimStart()));
  return row < 0 ? null : markAtText(page, row);
}

/** Rows with inverse video or another background; if there are none, the row whose colour or weight differs from all others. */
export function findLitRows(page: Page, rows: readonly number[], column: number): readonly number[] {
  const styles = rows.map((row) => readStyle(page, row, column));
  const first = rows[0] ?? 0;
  // The background of the list, taken from the row above it.
  const ground = (first > 0 ? readStyle(page, first - 1, column)?.background : null) ?? null;
  const lit = rows.filter((_, at) => {
    const style = styles[at];
    return style?.inverse === true || (style?.background ?? ground) !== ground;
  });
  // A single row has nothing to differ from.
  if (lit.length > 0 || rows.length === 1) return lit;
  const inks = styles.map((style) => `${style?.foreground ?? null} ${style?.bold ?? false}`);
  return rows.filter((_, at) => inks.filter((ink) => ink === inks[at]).length === 1);
}

/** Whether the label continues in the next row, which then has the same colour. Second lines are fainter. */
export function continuesInRow(page: Page, row: number, next: number): boolean {
  const width = measureWidth(readLeftOfBox(page, row));
  const end = readStyle(page, row, width - 1);
  const start = readStyle(page, next, measureIndent(readTextAt(page, next)));
  if (end?.foreground !== start?.foreground || end?.dim !== start?.dim) return false;
  // A wrapped coloured line keeps its coloured blank at the break; a line that ends there has none.
  const isColoured = end?.foreground !== null && end?.foreground !== undefined;
  return !isColoured || width >= page.cols || readStyle(page, row, width)?.foreground === end.foreground;
}
