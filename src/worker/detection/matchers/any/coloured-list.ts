/** Lists that no rule describes and of which only colours tell the rows, or the one that is marked. */
import {
  isBlank,
  isSeparator,
  measureIndent,
  findLastDrawn,
  readStyle,
  readTextAt,
  type Page,
} from "../../layout/layout.js";
import { measureWidth } from "../../../screen/widths.js";
import type { Style } from "../../../../sdk/view.js";
import { nameGround, readRuns } from "../../layout/text-style.js";
import { findLitRows, findMarkedRows, NUMBERED, type Mark } from "../../shapes/list-mark.js";
import { readListAt, type FoundList } from "../../shapes/list.js";
import { findOfferedKeys, tells } from "../../shapes/offered-keys.js";
import { CURSORS } from "../../shapes/asked-list.js";
import { LIST } from "../any-list-rule.js";

export interface MarkedList {
  readonly list: FoundList;
  readonly mark: Mark;
}

/** With two rows it would be unknown which one is highlighted. */
const ROWS_MIN = 3;
const ARROWS = /[↑↓]|\barrows?\b/iu;
const TAKES = /^(?:submit|select|confirm|choose|accept|pick|continue)\b/iu;

/**
 * A numbered list above key help for moving in it and choosing a row. One row alone looks different, in its number and its label.
 */
export function findLitList(page: Page): MarkedList | null {
  if (page.cursor.visible) return null;
  const last = findLastDrawn(page);
  const row = page.rows.findLastIndex(({ text }) => NUMBERED.test(text.trimStart()));
  if (row < 0) return null;
  const column = measureIndent(readTextAt(page, row));
  const mark = { row, column, text: column };
  const list = readListAt(page, mark, { ...LIST, glyphs: [], unmarked: [] });
  if (list === null || list.rows.some(({ number, checked }) => number === null || checked !== null))
    return null;
  if (!takesRow(page, list.bottom + 1, last)) return null;
  const firsts = list.rows.map(({ first }) => first);
  const [lit, ...others] = findLitRows(page, firsts, column);
  const label = NUMBERED_LABEL.exec(readTextAt(page, row))?.[0].length ?? column;
  const [litLabel, ...otherLabels] = findLitRows(page, firsts, label);
  if (lit === undefined || lit !== litLabel || others.length > 0 || otherLabels.length > 0) return null;
  if (list.rows.length < ROWS_MIN && !hasOwnGround(page, firsts, column)) return null;
  return { list: { ...list, highlighted: firsts.indexOf(lit), editing: false }, mark };
}

const NUMBERED_LABEL = /^\s*\d{1,2}[.)] */u;

function takesRow(page: Page, top: number, bottom: number): boolean {
  const isMoved = page.rows.slice(top, bottom + 1).some(({ text }) => ARROWS.test(text));
  return isMoved && tells(findOfferedKeys(page, top, bottom), "enter", TAKES);
}

function hasOwnGround(page: Page, rows: readonly number[], column: number): boolean {
  const ground = (row: number): string => nameGround(readStyle(page, row, column));
  const above = ground((rows[0] ?? 0) - 1);
  return rows.filter((row) => ground(row) !== above).length === 1;
}

const BLANKS_MAX = 1;
const BLOCK_ROWS_MAX = 40;

/**
 * Choices that are each explained below, in their own column, in another colour. Every row explains or is a choice: all explanations
 * have one colour, all choices but the marked one another, and each choice is explained.
 */
export function findExplainedList(page: Page): MarkedList | null {
  const mark = findMarkedRows(page, { ...LIST, glyphs: CURSORS }).at(-1);
  if (mark === undefined || NUMBERED.test(readTextAt(page, mark.row).slice(mark.text))) return null;
  const [top, bottom] = findBlock(page, mark);
  const ink = (row: number): string => readInk(page, row, mark.text);
  const explains = ink(mark.row + 1);
  const rows = Array.from({ length: bottom - top + 1 }, (_, at) => top + at).filter(
    (row) => !isBlank(readTextAt(page, row)),
  );
  const choices = rows.filter((row) => row === mark.row || ink(row) !== explains);
  const inks = new Set(choices.filter((row) => row !== mark.row).map(ink));
  const isExplained = choices.every((row) => rows.includes(row + 1) && !choices.includes(row + 1));
  if (choices.length < 2 || choices[0] !== rows[0] || inks.size !== 1 || !isExplained) return null;
  // Where a short text was drawn over a longer one, a row has two colours and says neither.
  if (ink(mark.row) === explains || rows.some((row) => !hasOneInk(page, row, mark.text))) return null;
  const list = readListAt(shiftRows(page, [top, bottom], new Set(choices)), mark, { ...LIST, loose: true });
  return list && list.rows.length === choices.length && !list.editing ? { list, mark } : null;
}

/** Rows that begin in the column of the marked row's text, down from the first and up from the last one that begins elsewhere. */
function findBlock(page: Page, { row, text }: Mark): [number, number] {
  const stands = (at: number): boolean => {
    const drawn = readTextAt(page, at);
    return !isBlank(drawn) && !isSeparator(drawn) && measureIndent(drawn) === text;
  };
  const go = (by: 1 | -1): number => {
    let end = row;
    for (let at = row + by, blanks = 0; Math.abs(at - row) < BLOCK_ROWS_MAX; at += by) {
      if (at < 0 || at >= page.rows.length) break;
      if (stands(at)) [end, blanks] = [at, 0];
      else if (!isBlank(readTextAt(page, at)) || ++blanks > BLANKS_MAX) break;
    }
    return end;
  };
  return [go(-1), go(1)];
}

function readInk(page: Page, row: number, column: number): string {
  return describeInk(readStyle(page, row, column));
}

function describeInk(style: Style | null): string {
  return `${style?.foreground ?? null} ${style?.dim ?? false} ${style?.bold ?? false}`;
}

function hasOneInk(page: Page, row: number, column: number): boolean {
  const end = measureWidth(readTextAt(page, row));
  const runs = readRuns(page, row).filter(
    ({ start, end: behind, text }) => behind > column && start < end && !isBlank(text),
  );
  return new Set(runs.map(({ style }) => describeInk(style))).size === 1;
}

/** Every second row, from the one below the first on, has a colour that none of the others has: it explains the row above it. */
export function areExplanations(page: Page, { rows, highlighted }: FoundList, column: number): boolean {
  if (rows.length < 4 || rows.length % 2 === 1 || highlighted % 2 === 1) return false;
  const inks = rows.map(({ first }) => readInk(page, first, column));
  const choices = new Set(inks.filter((_, at) => at % 2 === 0));
  const others = new Set(inks.filter((_, at) => at % 2 === 1));
  return others.size === 1 && ![...others].some((ink) => choices.has(ink));
}

/**
 * Explanations are indented by one more column, as in lists whose rows are separated without colours; the surroundings of the
 * block are left out.
 */
function shiftRows(page: Page, [top, bottom]: readonly [number, number], choices: ReadonlySet<number>): Page {
  const rows = page.rows.map((row, at) => {
    if (at < top || at > bottom) return { ...row, text: "" };
    return choices.has(at) || isBlank(row.text) ? row : { ...row, text: ` ${row.text}` };
  });
  return { ...page, rows };
}
