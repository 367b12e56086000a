/** The frame around a list: where the dialog begins, what it asks, what it is about, and whether all of that is drawn. */
import type { PromptContent } from "../../../model/prompt.js";
import { widthOf } from "../../screen/widths.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { contentText } from "./content.js";
import { drawnRows, drawnText } from "./drawn-rows.js";
import { headerAt, isFoundByItsEnd, type Header } from "./header.js";
import {
  isContinuedBy,
  EDGE_COLUMNS,
  isBlank,
  isSeparator,
  joinWrapped,
  lastDrawn,
  paragraphs,
  textAt,
  type Page,
} from "./layout.js";
import type { NoMatch } from "./no-match.js";
import { matches, matchOf } from "../../adapter-format/pattern.js";

export interface Dialog {
  /** First row of the dialog: the one after its top line, or the one that begins it. */
  readonly top: number;
  /** Rows of it that left the screen above; null when its top is nowhere to be found. */
  readonly above: readonly string[] | null;
  readonly bottom: number;
  /** The row on which its question begins, where the rule knows it by that. */
  readonly header: Header | null;
}

/**
 * Footers are one or two lines, four on a page to sign in, five around an open text field. Each may take so many rows however it is
 * broken, and more where the row above had no room for the next word: a path in it may be of any length.
 */
const FOOTERS_MAX = 5;
const FOOTER_ROWS_MAX = 3;

/** The dialog around rows `first`..`last`, or what stands below it that is not its footer. */
export function dialogAround(page: Page, rule: CompiledRule, first: number, last: number): Dialog | NoMatch {
  const bottom = footerEnd(page, rule, last);
  if (typeof bottom !== "number") return bottom;
  if (rule.header !== null) return belowHeader(page, rule, first, bottom);
  return { ...topOf(page, rule, first), bottom, header: null };
}

function belowHeader(page: Page, rule: CompiledRule, first: number, bottom: number): Dialog | NoMatch {
  const header = headerAt(page, rule, first - 1);
  if (!header || (isFoundByItsEnd(rule) && header.last !== first - 1)) return { missed: "header" };
  // What is asked about may stand above the question.
  const begins = rule.top !== null || rule.start !== null;
  const place = begins ? topOf(page, rule, header.row) : { top: header.row, above: [] };
  return { ...place, bottom, header };
}

function topOf(page: Page, rule: CompiledRule, first: number): Pick<Dialog, "top" | "above"> {
  const { top, above } = page.inside ?? { top: 0, above: [] };
  const frame = { top, above };
  if (rule.top === null && rule.start === null) return frame;
  for (let row = first - 1; row >= frame.top; row--) {
    if (isStart(rule, textAt(page, row))) return { top: row, above: [] };
    if (isTop(rule, textAt(page, row))) return { top: row + 1, above: [] };
  }
  return { top: frame.top, above: scrolledOff(page, rule) };
}

function isStart({ start }: CompiledRule, text: string): boolean {
  return start !== null && matches(start, text);
}

function isTop({ top }: CompiledRule, text: string): boolean {
  return top !== null && matches(top, text);
}

function footerEnd(page: Page, rule: CompiledRule, last: number): number | NoMatch {
  const bottom = lastDrawn(page);
  if (rule.list?.note) return Math.max(bottom, last);
  let footers = 0;
  // Rows of the footer that may go on in this one; 0 when none is open.
  let open = 0;
  for (let row = last + 1; row <= bottom; row++) {
    const text = textAt(page, row).trim();
    const isMark = rule.list?.more.some((pattern) => matches(pattern, text)) ?? false;
    const begins = rule.footer.some((footer) => matches(footer, text));
    if (isBlank(text) || isMark) open = 0;
    else if (begins) [footers, open] = [footers + 1, 1];
    else if (open > 0 && (open < FOOTER_ROWS_MAX || isContinuedBy(textAt(page, row - 1), text, page.cols)))
      open++;
    else return { missed: "footer", row };
  }
  return footers <= FOOTERS_MAX ? Math.max(bottom, last) : { missed: "footer", row: bottom };
}

/** Rows that are chosen from, or typed into. */
export interface DialogExtent {
  readonly top: number;
  readonly bottom: number;
}

export interface DialogQuestion {
  readonly text: string;
  /** First and last row of its paragraph. */
  readonly top: number;
  readonly bottom: number;
  /** Nothing stands between it and the list. */
  readonly isLast: boolean;
}

/** The paragraph that asks: the lowest one that matches, or without a pattern the lowest one above the list. */
export function questionOf(
  page: Page,
  rule: CompiledRule,
  dialog: Dialog,
  list: DialogExtent,
): DialogQuestion | null {
  const { header } = dialog;
  if (header) {
    const isAsked = rule.question === null || matches(rule.question, header.question);
    return isAsked ? { text: header.question, top: header.row, bottom: header.last, isLast: true } : null;
  }
  if (rule.list?.order === "up") return questionBelow(page, rule, dialog, list.bottom);
  const above = paragraphs(page, dialog.top, list.top - 1).reverse();
  for (const [index, { top, bottom, text }] of above.entries()) {
    const asked = rule.question === null ? text : wordsOf(rule.question, text);
    if (asked !== null) {
      const first = rule.question === null ? top : firstAsking(page, rule.question, { top, bottom, asked });
      return { text: asked.trim(), top: first, bottom, isLast: index === 0 };
    }
  }
  return null;
}

function wordsOf(question: string, text: string): string | null {
  const match = matchOf(question, text);
  return match && (match[1] ?? match[0]);
}

/** A tool may draw its question right below what it is about: the rows above the words that ask are content. */
function firstAsking(
  page: Page,
  question: string,
  { top, bottom, asked }: DialogExtent & { readonly asked: string },
): number {
  let row = bottom;
  while (row > top && wordsOf(question, textOf(page, row, bottom)) !== asked) row--;
  return row;
}

function textOf(page: Page, top: number, bottom: number): string {
  const rows = page.rows.slice(top, bottom + 1).map(({ text }) => text);
  return joinWrapped(rows, page.cols).trim();
}

/** Of a list that is drawn upwards: text between it and the line that filters it, else what stands on that line. */
function questionBelow(page: Page, rule: CompiledRule, dialog: Dialog, listBottom: number): DialogQuestion {
  const heading = page.rows.slice(listBottom + 1, dialog.bottom).flatMap(({ text }) => {
    const isHelp = rule.footer.some((footer) => matches(footer, text.trim()));
    return isHelp || isBlank(text) ? [] : [text];
  });
  const text = heading.length > 0 ? joinWrapped(heading, page.cols) : textAt(page, dialog.bottom).trim();
  return { text, top: listBottom + 1, bottom: dialog.bottom, isLast: false };
}

/** What keeps the rows of the dialog from being as the rule wants them, or null. */
export function brokenCondition(page: Page, rule: CompiledRule, { top, bottom }: Dialog): NoMatch | null {
  const rowOf = (pattern: string): number | null => {
    for (let row = top; row <= bottom; row++) if (matches(pattern, textAt(page, row))) return row;
    return null;
  };
  const absent = rule.requires.find((pattern) => rowOf(pattern) === null);
  if (absent !== undefined) return { missed: "requires", pattern: absent };
  for (const pattern of rule.forbids) {
    const row = rowOf(pattern);
    if (row !== null) return { missed: "forbids", pattern, row };
  }
  return null;
}

/**
 * What is being approved, from the dialog's top to `end`, and whether something of it is missing. Nothing is ever left out;
 * a part that scrolled off the main screen is fetched back from there.
 */
export function contentOf(page: Page, rule: CompiledRule, dialog: Dialog, end: number): PromptContent {
  if (rule.content === "none") return { text: "", cut: null };
  const rows = Array.from({ length: Math.max(0, end - dialog.top + 1) }, (_, i) =>
    textAt(page, dialog.top + i),
  );
  const title = page.inside?.title ? [page.inside.title] : [];
  const text = contentText([...title, ...(dialog.above ?? []), ...rows], page.cols);
  return { text, cut: cutOf(page, rule, dialog, end) };
}

/** The dialog down to `end`, cut at the lines that it draws across; parts without any text are left out. */
export function partsOf(page: Page, dialog: Dialog, end: number): string[] {
  const parts: string[][] = [[]];
  for (let row = dialog.top; row <= end; row++) {
    const text = textAt(page, row);
    if (isSeparator(text)) parts.push([]);
    else parts.at(-1)?.push(text);
  }
  return parts.map((rows) => contentText(rows, page.cols)).filter((text) => text !== "");
}

/** What `contentOf` reads, exactly as it is drawn. */
export function drawnContent(page: Page, rule: CompiledRule, dialog: Dialog, end: number): string {
  if (rule.content === "none") return "";
  const title = page.inside?.title ? [page.inside.title] : [];
  const off = dialog.above ?? [];
  const above = off.length > 0 ? (page.inside?.drawnAbove ?? off) : [];
  return drawnText([...title, ...above, ...drawnRows(page, dialog.top, end)]);
}

/** Rows of the dialog above the screen, or null if its top is nowhere to be found. */
function scrolledOff(page: Page, rule: CompiledRule): readonly string[] | null {
  const scrollback = page.inside ? page.inside.above : page.view.scrollback;
  if (scrollback === null) return null;
  for (let at = scrollback.length - 1; at >= 0; at--) {
    if (isStart(rule, scrollback[at] ?? "")) return scrollback.slice(at);
    if (isTop(rule, scrollback[at] ?? "")) return scrollback.slice(at + 1);
  }
  return null;
}

/** Said by the tool, or seen: a row that breaks off at the right edge, a top that is nowhere. */
function cutOf(page: Page, rule: CompiledRule, dialog: Dialog, end: number): PromptContent["cut"] {
  const rows = page.rows.slice(dialog.top, end + 1);
  return missingRows(page, rule, dialog) ?? (rows.some(({ text }) => breaksOff(text, page.cols)) ? {} : null);
}

/** Whole rows that are missing, and how many if the tool says so. One that breaks off at the edge is there. */
export function missingRows(page: Page, rule: CompiledRule, dialog: Dialog): PromptContent["cut"] {
  for (let row = dialog.top; row <= dialog.bottom; row++) {
    for (const pattern of rule.cut) {
      const match = matchOf(pattern, textAt(page, row));
      if (match) return match[1] === undefined ? {} : { missing: match[1] };
    }
  }
  return dialog.above === null || page.inside?.isTorn === true ? {} : null;
}

function breaksOff(text: string, cols: number): boolean {
  return text.endsWith("…") && widthOf(text) >= cols - EDGE_COLUMNS;
}
