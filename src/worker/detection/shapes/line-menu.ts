/** A menu of plain rows above the prompt's line, or in it: `1) Build`, `3: quit  4: help`, `   p   primary`. */
import { isBlank, readTextAt, type Page } from "../layout/layout.js";

export interface MenuItem {
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
  /** The sign before it: a star or a plus may mark the row that Enter alone takes. */
  readonly sign?: string;
  readonly row: number;
}

export interface LineMenu {
  readonly items: readonly MenuItem[];
  readonly top: number;
}

/** Longer menus do not fit a screen, so they are left to the person at the terminal. */
const ITEMS_MAX = 60;
const NUMBER = /(?:(?:^|\s)[[(]?(\d{1,2})[).:\]]|^\s{0,20}(\d{1,2}) [-=]>?) {1,4}(?=\S)/gu;
const NUMBERED_ROW = /^\s{0,20}[[(]?\d{1,2}(?:[).:\]]| [-=]>?) {1,4}\S/u;
/** A dash also begins rows that are sorted with the arrow keys. */
const PUNCTUATED_ROW = /^\s{0,20}[[(]?\d{1,2}[).:\]] {1,4}\S/u;
/** A range at the end of the prompt is not an item: `[1-4]`, `(1-4)`. */
const RANGE = / ?[[(]?\d{1,2} ?[-–] ?\d{1,2}[\])]?[:?]? ?$/u;
/**
 * `   p   primary`, `a) keep`, `m = back`, `* 0     /usr/bin/vi`: a letter or a number, apart from its meaning; the row with a
 * star is the default.
 */
const LETTERED_ROW =
  /^(?:([ *+]{1,3}) {0,8}([a-zA-Z]|\d{1,3})(?: {2,20}| = )|\s{0,20}[[(]?([a-zA-Z])[).\]] {1,4})(\S.{0,200})$/u;
/** Between rows and their question. */
export const RULED_ROW = /^[\s─━=_*-]{5,}$/u;

/** The items above the prompt's row, or in it; null unless they begin with 1 and 2 (later numbers may be missing). */
export function readLineMenu(page: Page, promptRow: number): LineMenu | null {
  const inline = readSequence(readTextAt(page, promptRow).replace(RANGE, ""), promptRow);
  if (inline.length >= 2) return { items: inline, top: promptRow };
  return findMenuAbove(page, findFirstPrompt(page, promptRow), NUMBERED);
}

/** Whether rows that count from one end right above this row. */
export function hasNumberedRowsAbove(page: Page, row: number): boolean {
  return findMenuAbove(page, row, NUMBERED) !== null;
}

/** The same for rows that begin with a letter. `asked`: the letters that the question itself names. */
export function readLetteredMenu(page: Page, row: number, asked: readonly string[] = []): LineMenu | null {
  return findMenuAbove(page, row, {
    row: LETTERED_ROW,
    readItems: readLetteredRow,
    selectMenu: (items) => requireLetters(items, asked),
  });
}

export function readMenuBelow(page: Page, promptRow: number): LineMenu | null {
  const top = promptRow + 1;
  const isLettered = LETTERED_ROW.test(readTextAt(page, top));
  const row = isLettered ? LETTERED_ROW : PUNCTUATED_ROW;
  let bottom = promptRow;
  while (bottom - promptRow < ITEMS_MAX && row.test(readTextAt(page, bottom + 1))) bottom++;
  const rows = Array.from({ length: bottom - promptRow }, (_, index) => top + index);
  const items = rows.flatMap((at) => (isLettered ? readLetteredRow : readColumns)(readTextAt(page, at), at));
  const selectMenu = isLettered ? requireLetters(items) : sortItems(items);
  return selectMenu && { items: selectMenu, top };
}

/** What a program may say before it asks again: `Invalid choice.` */
const AGAIN_ROWS_MAX = 3;
const OTHER_QUESTION = /[?:]\s*$|\b(?:type|enter|which|give|write)\b/iu;

/** A program that repeats its question does not print the menu again, so the menu is above the first question. */
function findFirstPrompt(page: Page, promptRow: number): number {
  const promptText = readTextAt(page, promptRow).trimEnd();
  let first = promptRow;
  for (let row = promptRow - 1; row >= 0 && first - row <= AGAIN_ROWS_MAX; row--) {
    const text = readTextAt(page, row);
    if (text.startsWith(promptText)) first = row;
    else if (NUMBERED_ROW.test(text) || OTHER_QUESTION.test(text)) break;
  }
  return first;
}

interface Block {
  readonly row: RegExp;
  readonly readItems: (text: string, row: number) => MenuItem[];
  readonly selectMenu: (items: MenuItem[]) => MenuItem[] | null;
}

const NUMBERED: Block = { row: NUMBERED_ROW, readItems: readColumns, selectMenu: sortItems };

function findMenuAbove(
  page: Page,
  promptRow: number,
  { row, readItems: itemsIn, selectMenu }: Block,
): LineMenu | null {
  const bottom = findRowAbove(page, promptRow);
  let top = bottom + 1;
  while (top > 0 && bottom - top < ITEMS_MAX && row.test(readTextAt(page, top - 1))) top--;
  // Text above a menu may be numbered, too: the menu is the lowest part that counts from one.
  for (; top <= bottom; top++) {
    const rows = Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
    const items = selectMenu(rows.flatMap((at) => itemsIn(readTextAt(page, at), at)));
    if (items) return isSecondList(page, top) ? null : { items, top };
  }
  return null;
}

/** Rows between two lists that count from one, of which the upper may be the menu. */
const BETWEEN_ROWS_MAX = 6;
/** `Your choice: 2`: the rows above belong to an earlier question. */
const ANSWERED_ROW = /[?:>)\]] {0,2}\S{1,40}$/u;

/** Whether another list counts from one above the one that begins at this row, and nobody has answered it. */
function isSecondList(page: Page, top: number): boolean {
  const readPair = (row: number): string => `${readTextAt(page, row)}\n${readTextAt(page, row + 1)}`;
  const pair = readPair(top);
  if (!FIRST_ROWS.test(pair)) return false;
  for (let row = top - 1, between = 0; row >= 0 && between <= BETWEEN_ROWS_MAX; row--) {
    // A menu that is printed again is the same one.
    if (FIRST_ROWS.test(readPair(row))) return readPair(row) !== pair;
    if (NUMBERED_ROW.test(readTextAt(page, row))) continue;
    if (ANSWERED_ROW.test(readTextAt(page, row))) return false;
    between++;
  }
  return false;
}

/** The rows 1 and 2 of a list without columns. */
const FIRST_ROWS = /^\s{0,20}[[(]?1(?:[).:\]]| [-=]>?) {1,4}\S.*\n\s{0,20}[[(]?2(?:[).:\]]| [-=]>?) {1,4}\S/u;

function findRowAbove(page: Page, row: number): number {
  const above = row - 1;
  const text = readTextAt(page, above);
  return isBlank(text) || RULED_ROW.test(text) ? above - 1 : above;
}

/** Sorts items by number, because columns count downwards. A zero in the last row stays there: `0 - Done`. */
function sortItems(items: MenuItem[]): MenuItem[] | null {
  const last = items.at(-1);
  if (last?.value === "0" && items.length > 2) {
    const others = sortItems(items.slice(0, -1));
    return others?.[0]?.value === "1" ? [...others, last] : null;
  }
  const sorted = items.toSorted((a, b) => Number(a.value) - Number(b.value));
  const counts = sorted.every(({ value }, index) => {
    const before = Number(sorted[index - 1]?.value ?? 0);
    const first = Number(sorted[0]?.value);
    return index < 2 ? Number(value) === index + first && first <= 1 : Number(value) > before;
  });
  return counts ? requireSeveral(sorted) : null;
}

/** Each has its own value, and those with a bracket, `a) keep`, count from a or are all that is asked for. */
function requireLetters(items: MenuItem[], asked: readonly string[] = []): MenuItem[] | null {
  const isApart = items.every(({ sign }) => sign !== undefined);
  const counts = items.every(
    ({ value }, index) => value.toLowerCase() === "abcdefghijklmnopqrstuvwxyz"[index],
  );
  const isDistinct = new Set(items.map(({ value }) => value)).size === items.length;
  const areAsked = items.map(({ value }) => value).join() === asked.join();
  return isDistinct && (isApart || counts || areAsked) ? requireSeveral(items) : null;
}

function requireSeveral(items: MenuItem[]): MenuItem[] | null {
  return items.length >= 2 ? items : null;
}

/** Items of one row. Further items need two blanks before them; otherwise the number belongs to a label. */
function readColumns(text: string, row: number): MenuItem[] {
  const marks = [...text.matchAll(NUMBER)].filter(
    ({ index }, place) => place === 0 || text.slice(index - 1, index + 1) === "  ",
  );
  return readItemsAt(text, row, marks);
}

/** Items of one row that count 1, 2, 3 …, however close together. */
function readSequence(text: string, row: number): MenuItem[] {
  const marks = [...text.matchAll(NUMBER)];
  let next = marks[0]?.[1] === "0" ? 0 : 1;
  return readItemsAt(
    text,
    row,
    marks.filter(([, number]) => Number(number) === next && ++next),
  );
}

function readItemsAt(text: string, row: number, marks: readonly RegExpExecArray[]): MenuItem[] {
  return marks.map((mark, index) => ({
    label: readLabel(text.slice(mark.index + mark[0].length, marks[index + 1]?.index)),
    value: mark[1] ?? mark[2] ?? "",
    row,
  }));
}

/** In a row with several items, the prompt follows the last label after at least two blanks. */
function readLabel(text: string): string {
  return text.trim().split(/ {2,}/u, 1)[0] ?? "";
}

function readLetteredRow(text: string, row: number): MenuItem[] {
  const [, sign = "", apart, marked, label = ""] = LETTERED_ROW.exec(text) ?? [];
  return [{ label, value: apart ?? marked ?? "", ...(apart !== undefined && { sign: sign.trim() }), row }];
}
