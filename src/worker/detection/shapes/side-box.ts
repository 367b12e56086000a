/** A box to the right of a list (a preview) and the text below that box: neither is a part of the list's rows. */
import { isBlank, readTextAt, type Page } from "../layout/layout.js";

const FRAME = /[┌│└├╭╰┃┏┗]/u;
const TOP_CORNER = /[┌╭┏]/u;
const LEFT_EDGE = /^[┌│└├╭╰┃┏┗] ?/u;
const RIGHT_EDGE = / ?[┐│┘┤╮╯┃┓┛]$/u;
const LINES = /[─━]/gu;

export function readLeftOfBox(page: Page, row: number): string {
  return readTextAt(page, row).slice(0, listColumns(page)[row]).trimEnd();
}

const columns = new WeakMap<Page, readonly number[]>();

/** For each row, the column at which the list's part ends. */
function listColumns(page: Page): readonly number[] {
  let known = columns.get(page);
  if (!known) columns.set(page, (known = findColumns(page)));
  return known;
}

function findColumns(page: Page): number[] {
  let box = Infinity;
  return page.rows.map((_, row) => {
    const text = readTextAt(page, row);
    const column = findBoxColumn(text);
    if (TOP_CORNER.test(text[column] ?? "") && !isBlank(text.slice(0, column))) box = column;
    if (column < text.length) return column;
    // A row that crosses the column, such as a separator, ends the text below the box.
    if (!isBlank(text.slice(Math.max(0, box - 2), box))) box = Infinity;
    return box;
  });
}

export function readBeside(page: Page, top: number): string[] {
  const rows: string[] = [];
  for (let row = top; row < page.rows.length; row++) {
    const box = readTextAt(page, row).slice(findBoxColumn(readTextAt(page, row)));
    if (box === "") break;
    const text = box.replace(LINES, "").replace(LEFT_EDGE, "").replace(RIGHT_EDGE, "").trimEnd();
    if (text !== "") rows.push(text);
  }
  return rows;
}

/** The box begins with two blanks and a frame line; without a box, the end of the text. */
function findBoxColumn(text: string): number {
  const column = text.search(FRAME);
  return column >= 2 && text.slice(column - 2, column) === "  " ? column : text.length;
}
