/**
 * Replaces lines drawn around text by blanks. Rows and columns stay where they are, so that the inside of a box is read like any
 * screen.
 */
import { isBlank, readTextAt, type Page, type Row } from "./layout.js";
import { splitCells, measureWidth } from "../../screen/widths.js";

const SIDE = /[│┃║├┤┣┫╞╡╠╣]/u;
const TOP_LEFT = /[┌╭┏╔]/u;
const TOP_RIGHT = /[┐╮┓╗]/u;
const BOTTOM_LEFT = /[└╰┗╚]/u;
const LINE = /[─━═┄┅┈┉╌╍┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫╔╗╚╝╠╣│┃║]/gu;
/** A line character at a blank or at an end of the text. Between two other characters it belongs to the text. */
const INNER_LINE =
  /(?<![^\s─━═┄┅┈┉╌╍┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫╔╗╚╝╠╣│┃║])[─━═┄┅┈┉╌╍┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫╔╗╚╝╠╣│┃║]|[─━═┄┅┈┉╌╍┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫╔╗╚╝╠╣│┃║](?![^\s─━═┄┅┈┉╌╍┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫╔╗╚╝╠╣│┃║])/gu;

/** The page without the lines at the sides of its rows: `│  ● Vue`, `│ ❯ First    │`, `└`. */
export function withoutGutter(page: Page): Page {
  return { ...page, rows: page.rows.map(stripBorders) };
}

const LEFT_SIDE = /^ {0,40}[│┃║├└┌╭╰┗┏](?= |$|[─━═])/u;
/** A box may have no room between its sides and the text. */
const BOTH_SIDES = /^ {0,40}[│┃║](?=.{1,400}[│┃║]$)/u;
const RIGHT_SIDE = /[│┃║┤]$/u;

/** A tree has a gutter of its own inside the outer one. */
const SIDES_MAX = 2;

function stripBorders(row: Row): Row {
  let text = row.text;
  for (let sides = 0; sides < SIDES_MAX; sides++) {
    const left = (LEFT_SIDE.exec(text) ?? BOTH_SIDES.exec(text))?.[0];
    if (left === undefined) break;
    text = " ".repeat(left.length) + text.slice(left.length).replace(RIGHT_SIDE, "");
  }
  if (text === row.text) return row;
  return { ...row, text: isBlank(text.replace(LINE, "")) ? "" : text.trimEnd(), drawn: row.text };
}

const SCROLL_BAR = / {1,1000}[█▐▕│┃┆]$/u;

/** The page without a scroll bar in the last column, which tools draw only while something scrolls. */
export function withoutEdge(page: Page): Page {
  const rows = page.rows.map((row) => {
    if (row.first !== row.last || measureWidth(row.text) !== page.cols) return row;
    const text = row.text.replace(SCROLL_BAR, "");
    return { ...row, text, drawn: text };
  });
  return { ...page, rows };
}

const THUMB = / [█▐]$/u;

/** Whether a scroll bar is drawn in the last column: no side of a box has such a part. */
export function hasScrollBar(page: Page): boolean {
  return page.rows.some(
    ({ text, first, last }) => first === last && THUMB.test(text) && measureWidth(text) === page.cols,
  );
}

interface Corner {
  readonly row: number;
  readonly column: number;
}

/** The inside of the outermost box around the cursor; everything else of its page is blank. */
export function readBoxAroundCursor(page: Page): Page | null {
  const { row, column } = page.cursor;
  const cellsAt = cacheCells(page);
  const readCell = (at: number, x: number): string => cellsAt(at)[x] ?? "";
  const corner = findOutermost(findCornersAbove(readCell, row, column));
  if (!corner) return null;
  const last = findBottom(readCell, corner, page.rows.length);
  const right = cellsAt(corner.row).findLastIndex((cell) => TOP_RIGHT.test(cell));
  if (last === null || last <= row || right < column) return null;
  const cutInside = (at: number): string =>
    at > corner.row && at < last
      ? cellsAt(at)
          .map((cell, x) => (x > corner.column && x < right ? cell : " "))
          .join("")
          .trimEnd()
      : "";
  const rows = page.rows.map((each, at) => {
    const drawn = cutInside(at);
    return { ...each, text: drawn.replace(INNER_LINE, " ").trimEnd(), drawn };
  });
  const title = readTextAt(page, corner.row).replace(LINE, " ").replace(/[┤├|]/gu, " ").trim();
  return { ...page, rows, inside: { top: corner.row + 1, above: [], title, isTorn: false } };
}

/** Splits rows into cells on demand, because most screens have no box and the cursor's row alone shows that. */
function cacheCells(page: Page): (row: number) => readonly string[] {
  const known = new Map<number, readonly string[]>();
  return (row) => {
    let cells = known.get(row);
    if (!cells) known.set(row, (cells = splitCells(readTextAt(page, row))));
    return cells;
  };
}

/** Upper left corners from which a side runs down past the cursor's row, to the left of the cursor. */
function findCornersAbove(
  readCell: (row: number, column: number) => string,
  row: number,
  column: number,
): Corner[] {
  const corners: Corner[] = [];
  for (let x = 0; x <= column; x++) {
    let at = row;
    while (at >= 0 && SIDE.test(readCell(at, x))) at--;
    if (at >= 0 && at < row && TOP_LEFT.test(readCell(at, x))) corners.push({ row: at, column: x });
  }
  return corners;
}

function findOutermost(corners: readonly Corner[]): Corner | undefined {
  return corners.toSorted((a, b) => a.row - b.row || a.column - b.column)[0];
}

function findBottom(
  readCell: (row: number, column: number) => string,
  { row, column }: Corner,
  rows: number,
): number | null {
  let at = row + 1;
  while (at < rows && SIDE.test(readCell(at, column))) at++;
  return BOTTOM_LEFT.test(readCell(at, column)) ? at : null;
}
