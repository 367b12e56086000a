/** How text is drawn, asked of a row of a page: what is set off, faint, underlined. */
import type { Style, StyledRun } from "../../../sdk/view.js";
import { styleAt, textAt, type Page } from "./layout.js";

/** Bright black: the grey of terminals. */
const GREY = 8;

export function isFaint(style: Style | null): boolean {
  return style !== null && (style.dim || style.foreground === GREY);
}

/** Styled runs of a row that may go on over several rows of the terminal; columns count on. */
export function runsOf(page: Page, row: number): StyledRun[] {
  const { first, last } = page.rows[row] ?? { first: 0, last: -1 };
  return page.view.lines.slice(first, last + 1).flatMap((line, index) => {
    const offset = index * page.cols;
    return line.runs().map((run) => ({ ...run, start: run.start + offset, end: run.end + offset }));
  });
}

/** Where a faint end of the row begins, if what stands before it from `column` on is not faint; else the row's length. */
export function faintFrom(page: Page, row: number, column: number): number {
  const text = textAt(page, row);
  if (isFaint(styleAt(page, row, column))) return text.length;
  let start = text.length;
  for (const run of runsOf(page, row).toReversed()) {
    if (run.start >= text.length || run.text.trim() === "") continue;
    if (!isFaint(run.style) || run.start <= column) break;
    start = run.start;
  }
  return start;
}

/** The bold text that begins within two columns of `column`; empty when nothing there is bold. */
export function boldAt(page: Page, row: number, column: number): string {
  let text = "";
  for (const run of runsOf(page, row)) {
    if (run.end <= column) continue;
    const isBold = run.style.bold && !isFaint(run.style);
    if (text === "" ? run.start > column + 1 : !isBold && run.text.trim() !== "") break;
    if (isBold) text += run.text.slice(Math.max(0, column - run.start));
    else if (text !== "") break;
  }
  return text.trim();
}
