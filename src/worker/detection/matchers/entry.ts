/** Matches rules for text fields that a tool draws itself: behind the question, below it, or under the cursor in a box. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { EntryPlace } from "../../adapter-format/adapter-file.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "../layout/content.js";
import { readContent, findDialog, readQuestion } from "../layout/dialog.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import { findHeader, type Header } from "../layout/header.js";
import { isFaint, readRuns } from "../layout/text-style.js";
import { measureIndent, isBlank, findLastDrawn, readTextAt, readTexts, type Page } from "../layout/layout.js";
import { makeCandidate, type CandidateParts } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";

export function matchEntry(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const found = rule.entry.includes("cursor") ? findInBox(rule, page) : findAtHeader(rule, page);
  if (isNoMatch(found)) return found;
  const constraints = rule.promptType === "secret" ? {} : { maxLength: rule.textMax, allowEmpty: true };
  const made = makeCandidate(rule, page, { ...found.parts, constraints });
  if (rule.promptType === "secret") return made;
  const field = { text: found.text, ...(rule.clear !== null && { clear: rule.clear }) };
  return { ...made, textEntry: "typed", field };
}

interface FoundEntry {
  readonly parts: Pick<CandidateParts, "question" | "content" | "drawn" | "top" | "bottom">;
  readonly text: string;
}

function findAtHeader(rule: CompiledRule, page: Page): FoundEntry | NoMatch {
  const bottom = findLastDrawn(page);
  const place = findFirstPlace(rule, page, bottom);
  if (!place) return { missed: "line" };
  const { header, text } = place;
  if (rule.question !== null && !matches(rule.question, header.question))
    return { missed: "question", pattern: rule.question, row: header.row };
  const content = { text: joinContent(readTexts(page, header.row, bottom), page.cols), cut: null };
  // Typed text, an error or a suggestion may be drawn behind and below the question, so none of it counts as drawn content.
  return { parts: { question: header.question, content, drawn: "", top: header.row, bottom }, text };
}

interface SearchedPlace {
  readonly header: Header;
  readonly text: string;
}

type EntryFinder = (rule: CompiledRule, page: Page, bottom: number) => SearchedPlace | null;

const PLACES: Readonly<Record<EntryPlace, EntryFinder>> = {
  header: findBehind,
  below: findBelow,
  label,
  cursor: () => null,
};

function findFirstPlace(rule: CompiledRule, page: Page, bottom: number): SearchedPlace | null {
  for (const name of rule.entry) {
    const place = PLACES[name](rule, page, bottom);
    if (place) return place;
  }
  return null;
}

const MARK = /^[›‣…»>] ?/u;

/** The cursor is behind the question, or the tool draws one there; a secret may have neither. */
function findBehind(rule: CompiledRule, page: Page, bottom: number): SearchedPlace | null {
  const { row, visible } = page.cursor;
  const header = findHeader(page, rule, visible ? row : bottom);
  if (!header) return null;
  const rest = header.rest.replace(MARK, "");
  const begins = readTextAt(page, header.last).length - rest.length;
  if (rule.promptType === "secret") return row === header.last ? { header, text: "" } : null;
  const hasCursor = visible ? row === header.last : findDrawnCursor(page, header.last, begins) !== null;
  if (!hasCursor) return null;
  return { header, text: isSuggestion(page, header.last, begins) ? "" : rest };
}

/** Rows below the field: an error, or the end of its frame. */
const ROWS_BELOW_MAX = 3;

/** The tool draws a cursor on the row below the question, behind a line at its side. Rows without such a line belong to a form. */
function findBelow(rule: CompiledRule, page: Page, bottom: number): SearchedPlace | null {
  if (page.cursor.visible) return null;
  for (let row = bottom; row > bottom - ROWS_BELOW_MAX; row--) {
    const begins = measureIndent(readTextAt(page, row));
    const cursor = findDrawnCursor(page, row, begins);
    const header = cursor === null ? null : findHeader(page, rule, row - 1);
    const hasSide = page.rows[row]?.text !== page.view.lines[page.rows[row]?.first ?? 0]?.text;
    if (cursor !== null && hasSide && header?.last === row - 1)
      return { header, text: readText(page, row, begins, cursor) };
  }
  return null;
}

/** The tool draws a cursor on the last row, behind a label. */
function label(rule: CompiledRule, page: Page, bottom: number): SearchedPlace | null {
  const text = readTextAt(page, bottom);
  const match = rule.header === null ? null : findMatch(rule.header, text);
  if (!match || page.cursor.visible || page.cursor.column !== 0) return null;
  const begins = match.index + match[0].length;
  const cursor = findDrawnCursor(page, bottom, begins);
  if (cursor === null) return null;
  const question = (match[1] ?? match[0]).trim();
  return {
    header: { row: bottom, last: bottom, question, rest: "" },
    text: readText(page, bottom, begins, cursor),
  };
}

function readText(page: Page, row: number, begins: number, cursor: number): string {
  const text = readTextAt(page, row);
  const own = text.slice(begins).trim();
  if (isSuggestion(page, row, begins) || own === "_") return "";
  return text[cursor] === "█" ? (text.slice(begins, cursor) + text.slice(cursor + 1)).trim() : own;
}

/** The column of a block drawn as a cursor; null when there is none from `from` on. */
function findDrawnCursor(page: Page, row: number, from: number): number | null {
  const block = readTextAt(page, row).indexOf("█", from);
  if (block >= 0) return block;
  const run = readRuns(page, row).find(
    ({ start, end, style }) =>
      start >= from && end - start === 1 && (style.inverse || style.background !== null),
  );
  return run?.start ?? null;
}

/** Faint text behind the first character is a suggestion; a drawn cursor may be on that character. */
function isSuggestion(page: Page, row: number, begins: number): boolean {
  const runs = readRuns(page, row).filter(
    ({ start, end, text }) => end > begins && start >= begins && !isBlank(text),
  );
  const own = runs.length > 1 ? runs.slice(1) : runs;
  return own.length > 0 && own.every(({ style }) => isFaint(style));
}

/** The field is the cursor's row between two blank rows; the text of the box is above it, its buttons below. */
function findInBox(rule: CompiledRule, page: Page): FoundEntry | NoMatch {
  const { row, visible } = page.cursor;
  if (!visible || !isBlank(readTextAt(page, row - 1)) || !isBlank(readTextAt(page, row + 1)))
    return { missed: "line" };
  const read = readQuestion(page, rule, findDialog(page, rule, row, row), { top: row, bottom: row });
  if (isNoMatch(read)) return read;
  const { dialog, question } = read;
  const content = readContent(page, rule, dialog, dialog.bottom);
  const { top, bottom } = dialog;
  const drawn = joinDrawn([...readDrawnRows(page, top, row - 1), ...readDrawnRows(page, row + 1, bottom)]);
  const parts = { question: question.text, content, drawn, top, bottom };
  return {
    parts,
    text: readTextAt(page, row)
      .trim()
      .replace(/_{1,400}$/u, ""),
  };
}
