/** How the text of a page's rows is styled: bold, faint, underlined. */
import type { Style, StyledRun } from "../../../sdk/view.js";
import { readStyle, readTextAt, type Page } from "./layout.js";

/** Bright black: the grey of terminals. */
const GREY = 8;

export function isFaint(style: Style | null): boolean {
  return style !== null && (style.dim || style.foreground === GREY);
}

export function nameGround(style: Style | null): string {
  return `${style?.inverse ?? false} ${style?.background ?? null}`;
}

/** The styled runs of a row. Where the terminal wrapped it, columns continue over its screen rows. */
export function readRuns(page: Page, row: number): StyledRun[] {
  const { first, last } = page.rows[row] ?? { first: 0, last: -1 };
  return page.view.lines.slice(first, last + 1).flatMap((line, index) => {
    const offset = index * page.cols;
    return line.runs().map((run) => ({ ...run, start: run.start + offset, end: run.end + offset }));
  });
}

/** The column at which the faint end of a row begins; the row's length if it has none, or if it is faint from `column` on. */
export function findFaintEnd(page: Page, row: number, column: number): number {
  const text = readTextAt(page, row);
  if (isFaint(readStyle(page, row, column))) return text.length;
  let start = text.length;
  for (const run of readRuns(page, row).toReversed()) {
    if (run.start >= text.length || run.text.trim() === "") continue;
    if (!isFaint(run.style) || run.start <= column) break;
    start = run.start;
  }
  return start;
}

/** The bold text that begins within two columns of `column`; empty when nothing there is bold. */
export function readBold(page: Page, row: number, column: number): string {
  let text = "";
  for (const run of readRuns(page, row)) {
    if (run.end <= column) continue;
    const isBold = run.style.bold && !isFaint(run.style);
    if (text === "" ? run.start > column + 1 : !isBold && run.text.trim() !== "") break;
    if (isBold) text += run.text.slice(Math.max(0, column - run.start));
    else if (text !== "") break;
  }
  return text.trim();
}

/** Whether the tool draws any text in a colour. `NO_COLOR` and monochrome terminals switch them off. */
export function hasColours({ view }: Page): boolean {
  return view.lines.some((line) =>
    line.runs().some(({ style }) => style.foreground !== null || style.background !== null),
  );
}
