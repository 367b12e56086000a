/** A box to the right of a list (a preview), which is no part of the list's rows. */
import { readTextAt, type Page } from "../layout/layout.js";

const FRAME = /[┌│└├╭╰┃┏┗]/u;
const LEFT_EDGE = /^[┌│└├╭╰┃┏┗] ?/u;
const RIGHT_EDGE = / ?[┐│┘┤╮╯┃┓┛]$/u;
const LINES = /[─━]/gu;

/** A row without the box beside it. */
export function readLeftOfBox(page: Page, row: number): string {
  const text = readTextAt(page, row);
  return text.slice(0, findBoxColumn(text)).trimEnd();
}

/** The text of the box beside the rows from `top` on. */
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
