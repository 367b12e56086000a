/**
 * Recognizes a menu of an unknown program: rows that begin in the same column, one of them with a pointer or another background.
 * It only detects a menu; rules read its choices.
 */
import { isBlank, readStyle, readTextAt, type Page } from "../layout/layout.js";
import { nameGround } from "../layout/text-style.js";

const POINTED = /^([│┃|║ ]{0,24})([>❯›▸▶→➤➜»*●◉•‣☛]|->|=>|-->)( {1,3}|(?=[[(]))\S/u;
/** What the other rows may have in that column. A log line has its sign in the gutter, so it is no menu. */
const UNPOINTED = /^[ ○◯◌·-]*$/u;
const GUTTER = /^[ │┃|║]*$/u;
const ROWS_MIN = 2;
/** The status line and an input line below it. */
const BAR_ROWS = 2;

export function showsDrawnMenu(page: Page): boolean {
  return page.rows.some(({ text }, row) => {
    const found = isBlank(text) ? null : (findByPointer(page, row) ?? findByGround(page, row));
    return found !== null && !isBar(page, row) && isFree(page, found, row);
  });
}

interface Rows {
  readonly top: number;
  readonly bottom: number;
}

function findByPointer(page: Page, row: number): Rows | null {
  const [before, gutter = ""] = POINTED.exec(readTextAt(page, row)) ?? [];
  if (before === undefined) return null;
  const [from, column] = [gutter.length, before.length - 1];
  return findNeighbours(row, (other) => {
    const text = readTextAt(page, other);
    const isUnmarked = GUTTER.test(text.slice(0, from)) && UNPOINTED.test(text.slice(from, column));
    return isUnmarked && !isBlank(text[column] ?? "");
  });
}

/** Reverse video or a background of its own under this row, and under none of its neighbours. */
function findByGround(page: Page, row: number): Rows | null {
  const column = labelColumn(page, row);
  const read = (other: number): string => nameGround(readStyle(page, other, column));
  const ground = read(row);
  if (ground === nameGround(null)) return null;
  return findNeighbours(row, (other) => labelColumn(page, other) === column && read(other) !== ground);
}

function labelColumn(page: Page, row: number): number {
  return readTextAt(page, row).search(/[^\s│┃|║]/u);
}

function findNeighbours(row: number, isRow: (other: number) => boolean): Rows | null {
  let [top, bottom] = [row, row];
  while (isRow(top - 1)) top--;
  while (isRow(bottom + 1)) bottom++;
  return bottom - top + 1 >= ROWS_MIN ? { top, bottom } : null;
}

/**
 * A visible cursor away from the menu shows that the input is elsewhere. On the main screen the marked row must not hold the cursor:
 * a coloured shell prompt with output above it looks like a menu.
 */
function isFree({ cursor, view }: Page, { top, bottom }: Rows, marked: number): boolean {
  if (!cursor.visible) return true;
  const isNear = cursor.row >= top && cursor.row <= bottom + 1;
  return isNear && (view.modes.alternateScreen || cursor.row !== marked);
}

/** A title at the top or a status line at the bottom, with text beside it: full screens of all kinds have them. */
function isBar({ view, rows }: Page, row: number): boolean {
  const line = rows[row]?.first ?? 0;
  return view.modes.alternateScreen && (line === 0 || line >= view.rows - BAR_ROWS);
}
