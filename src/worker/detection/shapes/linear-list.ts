/**
 * A list in the words of a screen reader: nothing is aligned or drawn, each row begins at the edge. Either the cursor stands behind a row
 * that asks for a number or a letter (`[1-4]`, `y/n`), or words say which row Enter takes (`(checked) 1. Yes`, `Current selection: 1. Yes`).
 */
import {
  measureIndent,
  isBlank,
  isContinuedBy,
  joinWrapped,
  findLastDrawn,
  readTextAt,
  type Page,
} from "../layout/layout.js";

export interface LinearItem {
  readonly label: string;
  /** What stands below it, set in like the label or above the next item. */
  readonly detail?: string;
  /** What is typed for it. */
  readonly value: string;
  readonly first: number;
  readonly last: number;
}

export interface LinearList {
  readonly items: readonly LinearItem[];
  readonly top: number;
  readonly bottom: number;
  /** `number` and `letter` are typed behind the row that asks; a marked row is taken by Enter. */
  readonly takes: "number" | "letter" | "enter";
  /** 0-based; null: Enter alone takes none. */
  readonly highlighted: number | null;
  /** Somebody has begun to type there. */
  readonly hasDraft?: boolean;
}

const NUMBERED = /^ {0,3}(\d{1,2})\. {1,4}(\S.{0,1000})$/u;
const MARKED =
  /^ {0,3}(?:\((?:checked|selected|current|highlighted)\)|(?:current|selected)(?: selection| row)?:) {1,4}(\d{1,2})\. {1,4}(\S.{0,1000})$/iu;
const LETTERED = /^ {0,3}([yn])\. {1,4}(\S.{0,1000})$/u;
/** `Select with numbers [1-4]. Then Enter to submit:`, and numbers that somebody has typed behind it. */
const ASKS_NUMBER = /\[1 ?[-–] ?(\d{1,2})\].{0,200}[:?>](?: {1,2}(\d[\d, ]{0,20}))?$/u;
/** `Enter y/n:` */
const ASKS_LETTER = /\by ?\/ ?n\b.{0,3}[:?>]$/iu;

/** What asks is wrapped over at most so many rows. */
const ASKING_ROWS_MAX = 4;
/** Help, hints of the tool, and a sample of what is marked. */
const ROWS_BELOW_MAX = 8;
/** An item's further rows, and its description. */
const ITEM_ROWS_MAX = 8;
const ITEMS_MAX = 20;
/** `1. ` before a label. */
const MARK_COLUMNS = 3;
/** Columns between what asks and the cursor. */
const BLANKS_BEHIND_MAX = 1;
/** A tool that counts what asks as one row, and draws it on two, puts the cursor too far left. */
const MISCOUNTED_MAX = 8;

/** Answered by what is typed behind the row that asks. */
export function findAskedList(page: Page): LinearList | null {
  const { row, column, visible } = page.cursor;
  const blanks = column - readTextAt(page, row).length;
  if (!visible || row < 1 || blanks < -MISCOUNTED_MAX || blanks > BLANKS_BEHIND_MAX) return null;
  if (findLastDrawn(page) - row > ROWS_BELOW_MAX) return null;
  for (let top = row; top > 0 && row - top < ASKING_ROWS_MAX; top--) {
    const asking = joinWrapped(
      page.rows.slice(top, row + 1).map(({ text }) => text),
      page.cols,
    );
    const [, count, draft] = ASKS_NUMBER.exec(asking) ?? [];
    if (count !== undefined) {
      const items = readItemsAbove(page, top, NUMBERED);
      if (!isCounted(items) || items.length !== Number(count)) return null;
      return { ...buildList(items, row, "number"), hasDraft: draft !== undefined };
    }
    if (!ASKS_LETTER.test(asking)) continue;
    const items = readItemsAbove(page, top, LETTERED);
    return items.map(({ value }) => value).join("") === "yn" ? buildList(items, row, "letter") : null;
  }
  return null;
}

function buildList(items: readonly LinearItem[], bottom: number, takes: "number" | "letter"): LinearList {
  return { items, top: items[0]?.first ?? 0, bottom, takes, highlighted: null };
}

/** The items that end right above this row, from the first one on. */
function readItemsAbove(page: Page, end: number, item: RegExp): readonly LinearItem[] {
  const items: LinearItem[] = [];
  let last = end - 1;
  for (let row = last; row >= 0 && last - row < ITEM_ROWS_MAX && items.length < ITEMS_MAX; row--) {
    if (isBlank(readTextAt(page, row))) break;
    const [, value, label] = item.exec(readTextAt(page, row)) ?? [];
    if (value === undefined || label === undefined) continue;
    const further = page.rows.slice(row + 1, last + 1).map(({ text }) => text);
    items.unshift({ label: joinWrapped([label, ...further], page.cols), value, first: row, last });
    if (value === "1" || value === "y") break;
    last = row - 1;
  }
  return items;
}

function isCounted(items: readonly LinearItem[]): boolean {
  return items.length >= 2 && items.every(({ value }, index) => Number(value) === index + 1);
}

/** Exactly one row of the lowest run 1, 2, 3 … is marked. What else stands between two of its rows explains the upper one. */
export function findCheckedList(page: Page): LinearList | null {
  const marked = page.rows.flatMap(({ text }, row) => (MARKED.test(text) ? [row] : []));
  const [at] = marked;
  if (at === undefined || marked.length !== 1 || !isParked(page)) return null;
  const items = [...readItemsUpTo(page, at), ...readItemsFrom(page, at)];
  const bottom = items.at(-1)?.last ?? at;
  const below = page.rows.slice(bottom + 1).filter(({ text }) => !isBlank(text));
  if (!isCounted(items) || below.length > ROWS_BELOW_CHECKED_MAX || below.some(({ text }) => ASKS.test(text)))
    return null;
  const highlighted = items.findIndex(({ first }) => first === at);
  return { items, top: items[0]?.first ?? at, bottom, takes: "enter", highlighted };
}

/** The cursor is hidden, or was left where drawing ended; anywhere else somebody types there. */
export function isParked(page: Page): boolean {
  const { row, column, visible } = page.cursor;
  return !visible || (row === findLastDrawn(page) && column >= readTextAt(page, row).length);
}

const ROWS_BELOW_CHECKED_MAX = 12;
/** Such a row takes the keys itself. */
const ASKS = /\?$|[[(](?:[a-zA-Z]|[yY](?:es)?\/[nN]o?)[\])]|^ {0,3}> /u;

function readItem(page: Page, row: number): LinearItem | null {
  const text = readTextAt(page, row);
  const [, value, label] = MARKED.exec(text) ?? NUMBERED.exec(text) ?? [];
  if (value === undefined || label === undefined) return null;
  // A label goes on below where its row is full; whatever else stands there explains it.
  let last = row;
  while (last - row < ITEM_ROWS_MAX && goesOn(page, last)) last++;
  const labelled = joinRows(page, [label], row + 1, last);
  const column = text.length - label.length;
  let end = last;
  while (end - row < ITEM_ROWS_MAX && isDetail(page, end + 1, column)) end++;
  const detail = joinRows(page, [], last + 1, end);
  return { label: labelled, ...(detail !== "" && { detail }), value, first: row, last: end };
}

function joinRows(page: Page, before: readonly string[], first: number, last: number): string {
  return joinWrapped([...before, ...page.rows.slice(first, last + 1).map(({ text }) => text)], page.cols);
}

/** Set in as the label is, or followed by another item before any blank row. */
function isDetail(page: Page, row: number, column: number): boolean {
  const text = readTextAt(page, row);
  if (isBlank(text) || isItem(text)) return false;
  if (measureIndent(text) >= Math.min(column, MARK_COLUMNS) && measureIndent(text) > 0) return true;
  for (let next = row + 1; next - row < ITEM_ROWS_MAX; next++) {
    if (isBlank(readTextAt(page, next))) return false;
    if (isItem(readTextAt(page, next))) return true;
  }
  return false;
}

function isItem(text: string): boolean {
  return NUMBERED.test(text) || MARKED.test(text);
}

function goesOn(page: Page, row: number): boolean {
  const next = readTextAt(page, row + 1);
  if (isBlank(next) || isItem(next)) return false;
  return isContinuedBy(readTextAt(page, row), next, page.cols);
}

function readItemsUpTo(page: Page, marked: number): readonly LinearItem[] {
  const items: LinearItem[] = [];
  let next = readItem(page, marked);
  for (let row = marked - 1; row >= 0 && next && next.first - row < ITEM_ROWS_MAX; row--) {
    if (next.value === "1" || isBlank(readTextAt(page, row))) break;
    const item = readItem(page, row);
    if (item === null || Number(item.value) !== Number(next.value) - 1) continue;
    items.unshift(item);
    next = item;
  }
  return items;
}

function readItemsFrom(page: Page, marked: number): readonly LinearItem[] {
  const first = readItem(page, marked);
  const items = first ? [first] : [];
  for (let row = marked + 1; row < page.rows.length; row++) {
    const before = items.at(-1);
    if (!before || row - before.last > ITEM_ROWS_MAX || isBlank(readTextAt(page, row))) break;
    const item = readItem(page, row);
    if (item && Number(item.value) === Number(before.value) + 1) items.push(item);
  }
  return items;
}
