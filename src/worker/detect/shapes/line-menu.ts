/** A numbered menu of plain lines, and a row of letters: `1) Build … Enter choice [1-3]:`, `Stage this hunk [y,n,q,?]?`. */
import { isBlank, textAt, type Page } from "../layout.js";

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
const LETTERS = /\[((?:[a-zA-Z?],){1,15}[a-zA-Z?])\]\??$/u;
/** A range at the end of the prompt is not an item: `[1-4]`, `(1-4)`. */
const RANGE = / ?[[(]?\d{1,2} ?[-–] ?\d{1,2}[\])]?[:?]? ?$/u;

/** The items above the prompt's row, or in it; null unless they count 1, 2, 3 … */
export function readLineMenu(page: Page, promptRow: number): LineMenu | null {
  const inline = itemsOf(textAt(page, promptRow).replace(RANGE, ""), promptRow, 1);
  if (inline.length >= 2) return { items: inline, top: promptRow };
  const bottom = rowAbove(page, promptRow);
  for (let top = bottom; top >= 0 && bottom - top < ITEMS_MAX; top--) {
    const first = itemsOf(textAt(page, top), top, 1)[0];
    if (first && /^\s*\(?1[).:\]]/u.test(textAt(page, top))) return countDown(page, top, bottom);
  }
  return null;
}

function rowAbove(page: Page, row: number): number {
  const above = row - 1;
  return isBlank(textAt(page, above)) ? above - 1 : above;
}

function countDown(page: Page, top: number, bottom: number): LineMenu | null {
  const items: MenuItem[] = [];
  for (let row = top; row <= bottom; row++) {
    const found = itemsOf(textAt(page, row), row, items.length + 1);
    if (found.length === 0) return null;
    items.push(...found);
  }
  return items.length >= 2 ? { items, top } : null;
}

/** Items of one row, counting on from `next`. */
function itemsOf(text: string, row: number, next: number): MenuItem[] {
  const marks: { index: number; end: number }[] = [];
  for (const match of text.matchAll(NUMBER)) {
    if (Number(match[1]) !== next + marks.length) continue;
    marks.push({ index: match.index, end: match.index + match[0].length });
  }
  if (marks[0] && !isBlank(text.slice(0, marks[0].index)) && marks.length < 2) return [];
  return marks.map(({ end }, index) => ({
    label: labelOf(text.slice(end, marks[index + 1]?.index)),
    value: String(next + index),
    row,
  }));
}

/** In a row with several items the last one is followed by the prompt, at least two blanks apart. */
function labelOf(text: string): string {
  return text.trim().split(/ {2,}/u, 1)[0] ?? "";
}

/** `Stage this hunk [y,n,q,a,d,e,?]? ` */
export function readLetterMenu(text: string, row: number): { items: MenuItem[]; question: string } | null {
  const match = LETTERS.exec(text.trim());
  if (!match?.[1]) return null;
  const items = match[1].split(",").map((letter) => ({ label: letter, value: letter, row }));
  return { items, question: text.trim().slice(0, match.index).trim() };
}
