/** A box drawn to the right of a list (a preview): it is no part of the rows. */
import { textAt, type Page } from "../layout/layout.js";

const FRAME = /[┌│└├╭╰┃┏┗]/u;
const LEFT_EDGE = /^[┌│└├╭╰┃┏┗] ?/u;
const RIGHT_EDGE = / ?[┐│┘┤╮╯┃┓┛]$/u;
const LINES = /[─━]/gu;

/** A row without the box beside it. */
export function leftText(page: Page, row: number): string {
  const text = textAt(page, row);
  return text.slice(0, boxColumn(text)).trimEnd();
}

/** What stands in the box beside the rows from `top` on. */
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

/** Two blanks and a frame begin the box; the end of the text where there is none. */
function boxColumn(text: string): number {
  const column = text.search(FRAME);
  return column >= 2 && text.slice(column - 2, column) === "  " ? column : text.length;
}
