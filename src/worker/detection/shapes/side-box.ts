/** A box to the right of a list (a preview), which is no part of the list's rows. */
import { textAt, type Page } from "../layout/layout.js";

const FRAME = /[┌│└├╭╰┃┏┗]/u;
const LEFT_EDGE = /^[┌│└├╭╰┃┏┗] ?/u;
const RIGHT_EDGE = / ?[┐│┘┤╮╯┃┓┛]$/u;
const LINES = /[─━]/gu;

/** A row without the box beside it. */
export function textLeftOfBox(page: Page, row: number): string {
  const text = textAt(page, row);
  return text.slice(0, boxColumn(text)).trimEnd();
}

/** The text of the box beside the rows from `top` on. */
export function textBeside(page: Page, top: number): string[] {
  const rows: string[] = [];
  for (let row = top; row < page.rows.length; row++) {
    const box = textAt(page, row).slice(boxColumn(textAt(page, row)));
    if (box === "") break;
    const text = box.replace(LINES, "").replace(LEFT_EDGE, "").replace(RIGHT_EDGE, "").trimEnd();
    if (text !== "") rows.push(text);
  }
  return rows;
}

/** The box begins with two blanks and a frame line; without a box, the end of the text. */
function boxColumn(text: string): number {
  const column = text.search(FRAME);
  return column >= 2 && text.slice(column - 2, column) === "  " ? column : text.length;
}
