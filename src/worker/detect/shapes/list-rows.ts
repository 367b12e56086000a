/** The rows of a list around a known one: labels joined over wraps, second lines, numbers, tick boxes. */
import type { ListParameters } from "../compiled.js";
import { continues, indentOf, isBlank, isSeparator, joinWrapped, type Page } from "../layout.js";
import { matches } from "../pattern.js";
import { leftText } from "./beside.js";
import { goesOn, NUMBERED } from "./list-mark.js";

export interface ListRow {
  /** As drawn, wraps joined; a tick box is cut off. */
  readonly label: string;
  readonly detail: string | null;
  /** Null when the row shows none. */
  readonly number: number | null;
  /** State of the tick box; null when the row has none. */
  readonly checked: boolean | null;
  /** Rows of the page. */
  readonly first: number;
  readonly last: number;
}

export interface Block {
  readonly page: Page;
  /** A row that is one of the list's. */
  readonly marked: number;
  readonly labelColumn: number;
  readonly numbered: boolean;
  readonly parameters: ListParameters;
}

/** No dialog has more; it bounds the work on a screen full of numbered text. */
export const ROWS_MAX = 60;

const TICK_BOX = /^\[([ xX✓✔*])\] ?/u;
/** Between a label and what is said of it in the same row. */
const COLUMN_GAP = / {2,}(?=\S)/u;

type RowKind = "start" | "more" | "separator" | "blank" | "other";

function kindOf({ page, marked, labelColumn, numbered }: Block, row: number): RowKind {
  const text = leftText(page, row);
  if (row === marked) return "start";
  if (isBlank(text)) return "blank";
  if (isSeparator(text)) return "separator";
  const indent = indentOf(text);
  if (!numbered) return indent === labelColumn ? "start" : indent > labelColumn ? "more" : "other";
  // Where a tool has too little room it swallows one blank of the indent.
  const start = Math.max(0, labelColumn - 1);
  if (indent >= start && indent <= labelColumn && NUMBERED.test(text.slice(start))) return "start";
  return indent > labelColumn ? "more" : "other";
}

export function readRows(block: Block): ListRow[] {
  const [top, bottom] = extentOf(block);
  const rows: ListRow[] = [];
  for (let row = top; row <= bottom; row++) {
    if (kindOf(block, row) !== "start") continue;
    let last = row;
    while (last < bottom && isMore(block, last + 1)) last++;
    rows.push(readRow(block, row, last));
  }
  return rows;
}

/** In a loose list the text may go on at the left edge, as the terminal itself would wrap it. */
function isMore(block: Block, row: number): boolean {
  const kind = kindOf(block, row);
  if (kind !== "other" || !block.parameters.loose) return kind === "more";
  const { page } = block;
  return (
    indentOf(leftText(page, row)) === 0 && continues(leftText(page, row - 1), leftText(page, row), page.cols)
  );
}

/**
 * The rows around the marked one that can belong to the list. What stands between two rows of it (a separator, in a loose list
 * a blank row) belongs, what follows the last one does not.
 */
function extentOf(block: Block): [number, number] {
  const { marked, page, parameters } = block;
  const stands = (kind: RowKind): boolean => kind === "separator" || (kind === "blank" && parameters.loose);
  let top = marked;
  for (let row = marked - 1; row >= 0 && marked - row < ROWS_MAX; row--) {
    const kind = kindOf(block, row);
    if (kind === "start") top = row;
    else if (!stands(kind) && !isMore(block, row)) break;
  }
  let bottom = marked;
  for (let row = marked + 1; row < page.rows.length && row - marked < ROWS_MAX; row++) {
    const kind = kindOf(block, row);
    if (kind === "start" || (isMore(block, row) && !stands(kindOf(block, row - 1)))) bottom = row;
    else if (!stands(kind)) break;
  }
  return [top, bottom];
}

function readRow(block: Block, first: number, last: number): ListRow {
  const { page, labelColumn } = block;
  // The mark itself is blanked, so that all rows look alike.
  const texts = [" ".repeat(labelColumn) + leftText(page, first).slice(labelColumn)];
  if (first !== block.marked) texts[0] = leftText(page, first);
  for (let row = first + 1; row <= last; row++) texts.push(leftText(page, row));
  const { label, details } =
    block.parameters.details === "beside" ? splitColumns(block, texts) : split(block, first, texts);
  const numbered = block.numbered ? NUMBERED.exec(label) : null;
  const body = numbered?.[2] ?? label;
  const tick = TICK_BOX.exec(body);
  return {
    label: body.slice(tick?.[0].length ?? 0).trim(),
    detail: details === "" ? null : details,
    number: numbered ? Number(numbered[1]) : null,
    checked: tick ? tick[1] !== " " : null,
    first,
    last,
  };
}

interface RowTexts {
  readonly label: string;
  readonly details: string;
}

/** Label, and below it what is said of it. */
function split({ page, parameters }: Block, first: number, texts: readonly string[]): RowTexts {
  const labelRows = countLabelRows(page, first, texts);
  const details = texts
    .slice(labelRows)
    .filter((text) => !parameters.buttons.some((button) => matches(button, text.trim())));
  return {
    label: joinWrapped(texts.slice(0, labelRows), page.cols),
    details: joinWrapped(details, page.cols),
  };
}

/** Label, and beside it what is said of it: two columns, each wrapped for itself. */
function splitColumns({ page }: Block, texts: readonly string[]): RowTexts {
  const head = texts[0] ?? "";
  const indent = indentOf(head);
  const gap = COLUMN_GAP.exec(head.slice(indent));
  const column = gap ? indent + gap.index + gap[0].length : Infinity;
  const part = (start: number, end: number): string =>
    joinWrapped(
      texts.map((text) => text.slice(start, end).trimEnd()).filter((text) => !isBlank(text)),
      page.cols,
    );
  return { label: part(0, column), details: gap ? part(column, Infinity) : "" };
}

/** Rows of the label: the next one had no room and goes on in the same ink. */
function countLabelRows(page: Page, first: number, texts: readonly string[]): number {
  let count = 1;
  while (count < texts.length) {
    const [row, next] = [texts[count - 1] ?? "", texts[count] ?? ""];
    if (!continues(row, next, page.cols) || !goesOn(page, first + count - 1, first + count)) break;
    count++;
  }
  return count;
}
