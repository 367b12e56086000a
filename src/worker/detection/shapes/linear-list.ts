/**
 * A list in the words of a screen reader, without alignment or drawing: each row begins at the edge. Either the cursor is behind
 * a row that requests a number or a letter (`[1-4]`, `y/n`), or words say which row Enter takes (`(checked) 1. Yes`, `Current
 * selection: 1. Yes`).
 */
import {
  measureIndent,
  isBlank,
  isContinuedBy,
  joinRows,
  joinWrapped,
  findLastDrawn,
  readTextAt,
  readTexts,
  type Page,
} from "../layout/layout.js";
import { isLowest } from "./asked-list.js";

export interface LinearItem {
  readonly label: string;
  /** The text below it, indented like the label or above the next item. */
  readonly detail?: string;
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

/** `1. Yes`, `y. Yes`, or the one that Enter takes: `(checked) 1. Yes`, `Current selection: 1. Yes`. */
const ITEM =
  /^ {0,3}((?:\((?:checked|selected|current|highlighted)\)|(?:current|selected)(?: selection| row)?:) {1,4}(?=\d))?(\d{1,2}|[yn])\. {1,4}(\S.{0,1000})$/iu;
/** `Select with numbers [1-4]. Then Enter to submit:`, and numbers that somebody has typed behind it. */
const ASKS_NUMBER = /\[1 ?[-–] ?(\d{1,2})\].{0,200}[:?>](?: {1,2}(\d[\d, ]{0,20}))?$/u;
const ASKS_LETTER = /\by ?\/ ?n\b.{0,3}[:?>]$/iu;

const ASKING_ROWS_MAX = 4;
/** Help, hints of the tool, and a sample of the marked row. */
const ROWS_BELOW_MAX = 8;
/** An item's further rows, and its description. */
const ITEM_ROWS_MAX = 8;
/** `1. ` before a label. */
const MARK_COLUMNS = 3;
const BLANKS_BEHIND_MAX = 1;
/** A tool that counts what asks as one row, and draws it on two, puts the cursor too far left. */
const MISCOUNTED_MAX = 8;

export function findAskedList(page: Page): LinearList | null {
  const { row, column, visible } = page.cursor;
  const blanks = column - readTextAt(page, row).length;
  if (!visible || row < 1 || blanks < -MISCOUNTED_MAX || blanks > BLANKS_BEHIND_MAX) return null;
  if (findLastDrawn(page) - row > ROWS_BELOW_MAX) return null;
  for (let top = row; top > 0 && row - top < ASKING_ROWS_MAX; top--) {
    const asking = joinRows(page, top, row);
    const [, count, draft] = ASKS_NUMBER.exec(asking) ?? [];
    if (count === undefined && !ASKS_LETTER.test(asking)) continue;
    const items = readItemsAbove(page, top);
    const values = items.map(({ value }) => value).join(" ");
    if (values !== (count === undefined ? "y n" : countTo(Number(count)))) return null;
    const takes = count === undefined ? "letter" : "number";
    const first = items[0]?.first ?? 0;
    return { items, top: first, bottom: row, takes, highlighted: null, hasDraft: draft !== undefined };
  }
  return null;
}

/** `1 2 3`; a single row is no list. */
function countTo(count: number): string | null {
  return count < 2 ? null : Array.from({ length: count }, (_, index) => index + 1).join(" ");
}

/** The items that end right above this row. Tools wrap them at any width, so all rows there are part of a label. */
function readItemsAbove(page: Page, end: number): readonly LinearItem[] {
  let row = end - 1;
  while (end - row < ITEM_ROWS_MAX && !isBlank(readTextAt(page, row)) && readItem(page, row) === null) row--;
  const run = findRun(page, row).filter((first) => first < end);
  return run.flatMap((first, index) => {
    const [item, last] = [readItem(page, first), (run[index + 1] ?? end) - 1];
    const label = item && joinWrapped([item.label, ...readTexts(page, first + 1, last)], page.cols);
    return item && label && !item.isMarked ? [{ label, value: item.value, first, last }] : [];
  });
}

/** Exactly one row of the lowest run 1, 2, 3 … is marked. What else stands between two of its rows explains the upper one. */
export function findCheckedList(page: Page): LinearList | null {
  const marked = page.rows.flatMap((_, row) => (readItem(page, row)?.isMarked ? [row] : []));
  const [at] = marked;
  if (at === undefined || marked.length !== 1 || !isParked(page)) return null;
  const run = findRun(page, at);
  const items = run.flatMap((first, index) => explainItem(page, first, run[index + 1]) ?? []);
  const bottom = items.at(-1)?.last ?? at;
  const values = items.map(({ value }) => value).join(" ");
  if (values !== countTo(items.length) || !isLowest(page, bottom)) return null;
  const top = items[0]?.first ?? at;
  return { items, top, bottom, takes: "enter", highlighted: run.indexOf(at) };
}

/** The cursor is hidden, or was left where drawing ended; anywhere else somebody types there. */
export function isParked(page: Page): boolean {
  const { row, column, visible } = page.cursor;
  return !visible || (row === findLastDrawn(page) && column >= readTextAt(page, row).length);
}

function readItem(page: Page, row: number) {
  const text = readTextAt(page, row);
  const [, mark, value, label] = ITEM.exec(text) ?? [];
  if (value === undefined || label === undefined) return null;
  return { value, label, isMarked: mark !== undefined, column: text.length - label.length };
}

/** Where the items of the run 1, 2, 3 …, or y, n, begin that holds the one of this row. */
function findRun(page: Page, at: number): readonly number[] {
  const run = [at];
  const isNext = (above: number, below: number): boolean => {
    const [value, next] = [readItem(page, above)?.value, readItem(page, below)?.value];
    return value !== undefined && next === (value === "y" ? "n" : String(Number(value) + 1));
  };
  const isNear = (row: number, other: number): boolean =>
    Math.abs(row - other) < ITEM_ROWS_MAX && !isBlank(readTextAt(page, row));
  for (let [row, first] = [at - 1, at]; isNear(row, first); row--)
    if (isNext(row, first)) run.unshift((first = row));
  for (let [row, last] = [at + 1, at]; isNear(row, last); row++)
    if (isNext(last, row)) run.push((last = row));
  return run;
}

/** A label continues below if its row is full; other rows above the `next` item, or with the label's indentation, explain it. */
function explainItem(page: Page, first: number, next: number | undefined): LinearItem | null {
  const item = readItem(page, first);
  if (item === null) return null;
  let end = first;
  while (end - first < ITEM_ROWS_MAX && goesOn(page, end)) end++;
  const label = joinWrapped([item.label, ...readTexts(page, first + 1, end)], page.cols);
  let last = next === undefined ? end : next - 1;
  const indent = Math.min(item.column, MARK_COLUMNS);
  while (next === undefined && last - first < ITEM_ROWS_MAX && isSetIn(page, last + 1, indent)) last++;
  const detail = joinRows(page, end + 1, last);
  return { label, ...(detail !== "" && { detail }), value: item.value, first, last };
}

function isSetIn(page: Page, row: number, indent: number): boolean {
  const text = readTextAt(page, row);
  return !isBlank(text) && readItem(page, row) === null && measureIndent(text) >= indent;
}

function goesOn(page: Page, row: number): boolean {
  const next = readTextAt(page, row + 1);
  return (
    !isBlank(next) &&
    readItem(page, row + 1) === null &&
    isContinuedBy(readTextAt(page, row), next, page.cols)
  );
}
