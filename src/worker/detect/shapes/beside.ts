/** A box drawn to the right of a list (a preview): it is no part of the rows. */
import { textAt, type Page } from "../layout.js";

/** Two blanks and a frame begin the box. */
const BOX = /^(.*?) {2,}([┌│└├╭╰┃┏┗].*)$/u;
const FRAME = /^[┌│└├╭╰┃┏┗] ?| ?[┐│┘┤╮╯┃┓┛]$/gu;
const LINES = /[─━]/gu;

/** A row without the box beside it. */
export function leftText(page: Page, row: number): string {
  const text = textAt(page, row);
  return BOX.exec(text)?.[1] ?? text;
}

/** What stands in the box beside the rows from `top` on. */
export function textBeside(page: Page, top: number): string[] {
  const rows: string[] = [];
  for (let row = top; row < page.rows.length; row++) {
    const box = BOX.exec(textAt(page, row))?.[2];
    if (box === undefined) break;
    const text = box.replace(LINES, "").replace(FRAME, "").trimEnd();
    if (text !== "") rows.push(text);
  }
  return rows;
}
