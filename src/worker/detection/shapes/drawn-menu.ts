/**
 * A menu as any program draws it: rows that begin in one column, of which one is set off, by a sign before it or by its ground. It says
 * that there is something to choose, not what: rules read lists.
 */
import type { Style } from "../../../sdk/view.js";
import { isBlank, styleAt, textAt, type Page } from "../layout/layout.js";

/** Before the marked row alone: a pointer, an arrow, a filled dot. */
const POINTED = /^([│┃|║ ]{0,24})([>❯›▸▶→➤➜»*●◉•‣☛]|->|=>|-->)( {1,3}|(?=[[(]))\S/u;
/** What may stand there in the other rows. A line of a log has its sign in the place of the gutter: that is no menu. */
const UNPOINTED = /^[ ○◯◌·-]*$/u;
const GUTTER = /^[ │┃|║]*$/u;
const ROWS_MIN = 2;
/** The status line and what is typed below it. */
const BAR_ROWS = 2;

/** Null where no row is set off from its neighbours. */
export function findDrawnMenu(page: Page): { readonly row: number } | null {
  for (let row = 0; row < page.rows.length; row++) {
    if (isBlank(textAt(page, row))) continue;
    const found = byPointer(page, row) ?? byGround(page, row);
    if (found && !isBar(page, row) && isFree(page, found, row)) return { row };
  }
  return null;
}

interface Rows {
  readonly top: number;
  readonly bottom: number;
}

function byPointer(page: Page, row: number): Rows | null {
  const [before, gutter = ""] = POINTED.exec(textAt(page, row)) ?? [];
  if (before === undefined) return null;
  const [from, column] = [gutter.length, before.length - 1];
  return neighbours(row, (other) => {
    const text = textAt(page, other);
    const isUnmarked = GUTTER.test(text.slice(0, from)) && UNPOINTED.test(text.slice(from, column));
    return isUnmarked && isLabel(text[column]);
  });
}

function isLabel(character: string | undefined): boolean {
  return character !== undefined && character !== " ";
}

/** Reverse video, or a ground of its own, under the text of this row and of no other one beside it. */
function byGround(page: Page, row: number): Rows | null {
  const column = labelColumn(page, row);
  const ground = groundOf(styleAt(page, row, column));
  if (ground === null) return null;
  return neighbours(row, (other) => {
    const isAligned = labelColumn(page, other) === column;
    return isAligned && groundOf(styleAt(page, other, column)) !== ground;
  });
}

function labelColumn(page: Page, row: number): number {
  return textAt(page, row).search(/[^\s│┃|║]/u);
}

function groundOf(style: Style | null): string | null {
  if (style === null || (!style.inverse && style.background === null)) return null;
  return style.inverse ? `inverse ${style.foreground} ${style.background}` : `ground ${style.background}`;
}

/** The rows around this one, as far as they are rows of the same menu. */
function neighbours(row: number, isRow: (other: number) => boolean): Rows | null {
  let [top, bottom] = [row, row];
  while (isRow(top - 1)) top--;
  while (isRow(bottom + 1)) bottom++;
  return bottom - top + 1 >= ROWS_MIN ? { top, bottom } : null;
}

/**
 * A cursor that is shown elsewhere stands where somebody types. On the main screen it may be a shell's: a coloured prompt with output
 * above it looks like a menu, and its cursor stands behind it.
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
