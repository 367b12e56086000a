/** The dialog around a list: its first row, its question, its content, and whether all of that is visible. */
import type { PromptContent } from "../../../model/prompt.js";
import { measureWidth } from "../../screen/widths.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "./content.js";
import { readDrawnRows, joinDrawn } from "./drawn-rows.js";
import { findHeader, matchesLastRow, type Header } from "./header.js";
import {
  isContinuedBy,
  EDGE_COLUMNS,
  isBlank,
  isSeparator,
  joinRows,
  joinWrapped,
  findLastDrawn,
  readParagraphs,
  readTextAt,
  readTexts,
  type Page,
} from "./layout.js";
import { isNoMatch, type NoMatch } from "./no-match.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";

export interface Dialog {
  /** First row of the dialog: the one after its top line, or the one that begins it. */
  readonly top: number;
  /** Rows of it that scrolled off the screen; null when its top is not found. */
  readonly above: readonly string[] | null;
  readonly bottom: number;
  /** The row on which its question begins, where the rule has a `header`. */
  readonly header: Header | null;
}

/**
 * Dialogs have one or two footers, a sign-in page four, an open text field five. Each may be wrapped over FOOTER_ROWS_MAX rows, and
 * over more where a row has no room for the next word, since a path in it may have any length.
 */
const FOOTERS_MAX = 5;
const FOOTER_ROWS_MAX = 3;

/** Finds the dialog around rows `first`..`last`. Anything below it that is not its footer makes it no dialog. */
export function findDialog(page: Page, rule: CompiledRule, first: number, last: number): Dialog | NoMatch {
  const bottom = findFooterEnd(page, rule, last);
  if (typeof bottom !== "number") return bottom;
  if (rule.header !== null) return findBelowHeader(page, rule, first, bottom);
  return { ...findTop(page, rule, first), bottom, header: null };
}

function findBelowHeader(page: Page, rule: CompiledRule, first: number, bottom: number): Dialog | NoMatch {
  const header = findHeader(page, rule, first - 1);
  if (!header || (matchesLastRow(rule) && header.last !== first - 1)) return { missed: "header" };
  // The content may be drawn above the question.
  const begins = rule.top !== null || rule.start !== null;
  const place = begins ? findTop(page, rule, header.row) : { top: header.row, above: [] };
  return { ...place, bottom, header };
}

function findTop(page: Page, rule: CompiledRule, first: number): Pick<Dialog, "top" | "above"> {
  const { top, above } = page.inside ?? { top: 0, above: [] };
  const frame = { top, above };
  if (rule.top === null && rule.start === null) return frame;
  for (let row = first - 1; row >= frame.top; row--) {
    if (isStart(rule, readTextAt(page, row))) return { top: row, above: [] };
    if (isTop(rule, readTextAt(page, row))) return { top: row + 1, above: [] };
  }
  return { top: frame.top, above: readScrolledOff(page, rule) };
}

function isStart({ start }: CompiledRule, text: string): boolean {
  return start !== null && matches(start, text);
}

function isTop({ top }: CompiledRule, text: string): boolean {
  return top !== null && matches(top, text);
}

function findFooterEnd(page: Page, rule: CompiledRule, last: number): number | NoMatch {
  const bottom = findLastDrawn(page);
  if (rule.list?.note) return Math.max(bottom, last);
  let footers = 0;
  // Rows so far of a footer that may continue in this row; 0 when there is none.
  let open = 0;
  for (let row = last + 1; row <= bottom; row++) {
    const text = readTextAt(page, row).trim();
    const isMark = rule.list?.more.some((pattern) => matches(pattern, text)) ?? false;
    const begins = rule.footer.some((footer) => matches(footer, text));
    if (isBlank(text) || isMark) open = 0;
    else if (begins) [footers, open] = [footers + 1, 1];
    else if (
      open > 0 &&
      (open < FOOTER_ROWS_MAX || isContinuedBy(readTextAt(page, row - 1), text, page.cols))
    )
      open++;
    else return { missed: "footer", row };
  }
  return footers <= FOOTERS_MAX ? Math.max(bottom, last) : { missed: "footer", row: bottom };
}

export interface DialogExtent {
  readonly top: number;
  readonly bottom: number;
}

export interface DialogQuestion {
  readonly text: string;
  readonly top: number;
  readonly bottom: number;
  readonly isLast: boolean;
}

/** The question is the lowest paragraph that matches the rule's pattern; without a pattern, the lowest one above the list. */
function findQuestion(
  page: Page,
  rule: CompiledRule,
  dialog: Dialog,
  list: DialogExtent,
): DialogQuestion | null {
  const { header } = dialog;
  if (header) {
    const isMatch = rule.question === null || matches(rule.question, header.question);
    return isMatch ? { text: header.question, top: header.row, bottom: header.last, isLast: true } : null;
  }
  if (rule.list?.order === "up") return readQuestionBelow(page, rule, dialog, list.bottom);
  const above = readParagraphs(page, dialog.top, list.top - 1).reverse();
  for (const [index, { top, bottom, text }] of above.entries()) {
    const questionText = rule.question === null ? text : extractQuestion(rule.question, text);
    if (questionText !== null) {
      const first =
        rule.question === null
          ? top
          : findFirstQuestionRow(page, rule.question, { top, bottom, questionText });
      return { text: questionText.trim(), top: first, bottom, isLast: index === 0 };
    }
  }
  return null;
}

function extractQuestion(question: string, text: string): string | null {
  const match = findMatch(question, text);
  return match && (match[1] ?? match[0]);
}

/** A tool may draw its question right below the content, without a blank row: the rows above the question are content. */
function findFirstQuestionRow(
  page: Page,
  question: string,
  { top, bottom, questionText }: DialogExtent & { readonly questionText: string },
): number {
  let row = bottom;
  while (row > top && extractQuestion(question, joinRows(page, row, bottom).trim()) !== questionText) row--;
  return row;
}

/** For a list drawn upwards: the text between the list and its filter line, else the filter line itself. */
function readQuestionBelow(
  page: Page,
  rule: CompiledRule,
  dialog: Dialog,
  listBottom: number,
): DialogQuestion {
  const heading = page.rows.slice(listBottom + 1, dialog.bottom).flatMap(({ text }) => {
    const isHelp = rule.footer.some((footer) => matches(footer, text.trim()));
    return isHelp || isBlank(text) ? [] : [text];
  });
  const text = heading.length > 0 ? joinWrapped(heading, page.cols) : readTextAt(page, dialog.bottom).trim();
  return { text, top: listBottom + 1, bottom: dialog.bottom, isLast: false };
}

/** The dialog with its question, or the first of the rule's conditions that it breaks. */
export function readQuestion(
  page: Page,
  rule: CompiledRule,
  dialog: Dialog | NoMatch,
  list: DialogExtent,
): { readonly dialog: Dialog; readonly question: DialogQuestion } | NoMatch {
  if (isNoMatch(dialog)) return dialog;
  const broken = findBrokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = findQuestion(page, rule, dialog, list);
  if (question) return { dialog, question };
  return { missed: "question", ...(rule.question !== null && { pattern: rule.question }) };
}

/** Returns the first of `requires` and `forbids` that the dialog breaks, or null. */
export function findBrokenCondition(page: Page, rule: CompiledRule, { top, bottom }: Dialog): NoMatch | null {
  const findRow = (pattern: string): number | null => {
    for (let row = top; row <= bottom; row++) if (matches(pattern, readTextAt(page, row))) return row;
    return null;
  };
  const absent = rule.requires.find((pattern) => findRow(pattern) === null);
  if (absent !== undefined) return { missed: "requires", pattern: absent };
  for (const pattern of rule.forbids) {
    const row = findRow(pattern);
    if (row !== null) return { missed: "forbids", pattern, row };
  }
  return null;
}

/**
 * Reads the approved content, from the dialog's top to `end`, and notes whether a part is missing. Rows that scrolled off the
 * main screen are taken from the scrollback.
 */
export function readContent(page: Page, rule: CompiledRule, dialog: Dialog, end: number): PromptContent {
  if (rule.content === "none") return { text: "", cut: null };
  const title = page.inside?.title ? [page.inside.title] : [];
  const rows = [...title, ...(dialog.above ?? []), ...readTexts(page, dialog.top, end)];
  const text = joinContent(rows, page.cols);
  return { text, cut: findCut(page, rule, dialog, end) };
}

/** What a candidate takes from the dialog, whose content ends at `end`. */
export function readDialogParts(page: Page, rule: CompiledRule, dialog: Dialog, end: number) {
  return {
    content: readContent(page, rule, dialog, end),
    drawn: readDrawnContent(page, rule, dialog, end),
    top: dialog.top,
    bottom: dialog.bottom,
  };
}

/** The dialog down to `end`, split at its separator lines; parts without text are left out. */
export function splitParts(page: Page, dialog: Dialog, end: number): string[] {
  const parts: string[][] = [[]];
  for (let row = dialog.top; row <= end; row++) {
    const text = readTextAt(page, row);
    if (isSeparator(text)) parts.push([]);
    else parts.at(-1)?.push(text);
  }
  return parts.map((rows) => joinContent(rows, page.cols)).filter((text) => text !== "");
}

/** The rows that `readContent` reads, exactly as they are drawn. */
export function readDrawnContent(page: Page, rule: CompiledRule, dialog: Dialog, end: number): string {
  if (rule.content === "none") return "";
  const title = page.inside?.title ? [page.inside.title] : [];
  const off = dialog.above ?? [];
  const above = off.length > 0 ? (page.inside?.drawnAbove ?? off) : [];
  // The question is compared by its words: behind it a library draws a hint, which goes with the first key.
  const begins = rule.list && dialog.header?.row === dialog.top ? dialog.header.last + 1 : dialog.top;
  const rows = [...title, ...above, ...readDrawnRows(page, begins, end)];
  return joinDrawn(isTopKnown(rule, dialog) ? rows : rows.map(stopBlinking));
}

function isTopKnown({ top, start }: CompiledRule, { above, header }: Dialog): boolean {
  return header !== null || ((top !== null || start !== null) && above !== null);
}

/** Signs of a step in progress; no list uses them to mark a choice. */
const BLINKING = /^( {0,4})[•◦⏺\u2800-\u28ff◐◓◑◒✢✳✶✻✽](?= )/u;

/** If the dialog's top is unknown, its content includes the tool's steps above it, and their signs blink while it waits. */
function stopBlinking(row: string): string {
  return row.replace(BLINKING, "$1•");
}

function readScrolledOff(page: Page, rule: CompiledRule): readonly string[] | null {
  const scrollback = page.inside ? page.inside.above : page.view.scrollback;
  if (scrollback === null) return null;
  for (let at = scrollback.length - 1; at >= 0; at--) {
    if (isStart(rule, scrollback[at] ?? "")) return scrollback.slice(at);
    if (isTop(rule, scrollback[at] ?? "")) return scrollback.slice(at + 1);
  }
  return null;
}

/** Content is cut when the tool says so, when its top is not found, or when a row breaks off at the right edge. */
function findCut(page: Page, rule: CompiledRule, dialog: Dialog, end: number): PromptContent["cut"] {
  const rows = page.rows.slice(dialog.top, end + 1);
  return (
    findMissingRows(page, rule, dialog) ?? (rows.some(({ text }) => breaksOff(text, page.cols)) ? {} : null)
  );
}

/** Whether whole rows are missing, and how many if the tool says so. A row that breaks off at the edge is not missing. */
export function findMissingRows(page: Page, rule: CompiledRule, dialog: Dialog): PromptContent["cut"] {
  for (let row = dialog.top; row <= dialog.bottom; row++) {
    for (const pattern of rule.cut) {
      const match = findMatch(pattern, readTextAt(page, row));
      if (match) return match[1] === undefined ? {} : { missing: match[1] };
    }
  }
  return dialog.above === null || page.inside?.isTorn === true ? {} : null;
}

function breaksOff(text: string, cols: number): boolean {
  return text.endsWith("…") && measureWidth(text) >= cols - EDGE_COLUMNS;
}
