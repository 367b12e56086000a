/** A menu of plain rows above the line that asks, or in it: `1) Build`, `3: quit  4: help`, `   p   primary`. */
import { isBlank, textAt, type Page } from "../layout/layout.js";

export interface MenuItem {
  readonly label: string;
  /** What to type. */
  readonly value: string;
  readonly row: number;
}

export interface LineMenu {
  readonly items: readonly MenuItem[];
  /** First row of the items. */
  readonly top: number;
}

/** Menus longer than a screen are read at the terminal. */
const ITEMS_MAX = 60;
const NUMBER = /(?:^|\s)\(?(\d{1,2})[).:\]] {1,4}(?=\S)/gu;
const NUMBERED_ROW = /^\s{0,20}\(?\d{1,2}[).:\]] {1,4}\S/u;
/** A range at the end of the prompt is not an item: `[1-4]`, `(1-4)`. */
const RANGE = / ?[[(]?\d{1,2} ?[-–] ?\d{1,2}[\])]?[:?]? ?$/u;
/** `   p   primary`: one character, apart from what it means. */
const LETTERED_ROW = /^ {1,8}([a-zA-Z0-9]) {2,8}(\S.{0,200})$/u;

/** The items above the prompt's row, or in it; null unless they count 1, 2, 3 …; later numbers may be left out. */
export function readLineMenu(page: Page, promptRow: number): LineMenu | null {
  const inline = inSequence(textAt(page, promptRow).replace(RANGE, ""), promptRow);
  if (inline.length >= 2) return { items: inline, top: promptRow };
  return blockAbove(page, firstAsked(page, promptRow), {
    row: NUMBERED_ROW,
    itemsIn: inColumns,
    whole: inOrder,
  });
}

/** The same with a letter before each row. */
export function readLetteredMenu(page: Page, promptRow: number): LineMenu | null {
  return blockAbove(page, promptRow, { row: LETTERED_ROW, itemsIn: lettered, whole: severalOf });
}

/** The items right below a row that asks. */
export function readMenuBelow(page: Page, askedRow: number): LineMenu | null {
  const top = askedRow + 1;
  const isLettered = LETTERED_ROW.test(textAt(page, top));
  const row = isLettered ? LETTERED_ROW : NUMBERED_ROW;
  let bottom = askedRow;
  while (bottom - askedRow < ITEMS_MAX && row.test(textAt(page, bottom + 1))) bottom++;
  const rows = Array.from({ length: bottom - askedRow }, (_, index) => top + index);
  const items = rows.flatMap((at) => (isLettered ? lettered : inColumns)(textAt(page, at), at));
  const whole = isLettered ? severalOf(items) : inOrder(items);
  return whole && { items: whole, top };
}

/** A menu is not drawn anew when its question is asked again: it stands above the first time. */
function firstAsked(page: Page, promptRow: number): number {
  const asked = textAt(page, promptRow).trimEnd();
  let first = promptRow;
  for (let row = promptRow - 1; row >= 0 && promptRow - row < ITEMS_MAX; row--) {
    if (NUMBERED_ROW.test(textAt(page, row))) break;
    if (textAt(page, row).startsWith(asked)) first = row;
  }
  return first;
}

interface Block {
  readonly row: RegExp;
  readonly itemsIn: (text: string, row: number) => MenuItem[];
  /** The items in order, or null when they are no menu. */
  readonly whole: (items: MenuItem[]) => MenuItem[] | null;
}

function blockAbove(page: Page, promptRow: number, { row, itemsIn, whole }: Block): LineMenu | null {
  const bottom = rowAbove(page, promptRow);
  let top = bottom + 1;
  while (top > 0 && bottom - top < ITEMS_MAX && row.test(textAt(page, top - 1))) top--;
  // Text above a menu may be numbered, too: the menu is the lowest part that counts from one.
  for (; top <= bottom; top++) {
    const rows = Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
    const items = whole(rows.flatMap((at) => itemsIn(textAt(page, at), at)));
    if (items) return { items, top };
  }
  return null;
}

function rowAbove(page: Page, row: number): number {
  const above = row - 1;
  return isBlank(textAt(page, above)) ? above - 1 : above;
}

/** By their numbers, for columns are read downwards. */
function inOrder(items: MenuItem[]): MenuItem[] | null {
  const sorted = items.toSorted((a, b) => Number(a.value) - Number(b.value));
  const counts = sorted.every(({ value }, index) => {
    const before = Number(sorted[index - 1]?.value ?? 0);
    return index < 2 ? Number(value) === index + 1 : Number(value) > before;
  });
  return counts ? severalOf(sorted) : null;
}

function severalOf(items: MenuItem[]): MenuItem[] | null {
  return items.length >= 2 ? items : null;
}

/** Items of a row that begins with one; others follow after two blanks at least, else it is a label with a number in it. */
function inColumns(text: string, row: number): MenuItem[] {
  const marks = [...text.matchAll(NUMBER)].filter(
    ({ index }, place) => place === 0 || text.slice(index - 1, index + 1) === "  ",
  );
  return itemsAt(text, row, marks);
}

/** Items of one row that count on from one, however close together. */
function inSequence(text: string, row: number): MenuItem[] {
  let next = 1;
  return itemsAt(
    text,
    row,
    [...text.matchAll(NUMBER)].filter(([, number]) => Number(number) === next && next++),
  );
}

function itemsAt(text: string, row: number, marks: readonly RegExpExecArray[]): MenuItem[] {
  return marks.map((mark, index) => ({
    label: labelOf(text.slice(mark.index + mark[0].length, marks[index + 1]?.index)),
    value: mark[1] ?? "",
    row,
  }));
}

/** In a row with several items the last one is followed by the prompt, at least two blanks apart. */
function labelOf(text: string): string {
  return text.trim().split(/ {2,}/u, 1)[0] ?? "";
}

function lettered(text: string, row: number): MenuItem[] {
  const [, value = "", label = ""] = LETTERED_ROW.exec(text) ?? [];
  return [{ label, value, row }];
}
