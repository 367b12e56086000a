/** A rule for a text field that a tool draws itself: behind its question, below it, or under the cursor in a box. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { EntryPlace } from "../../adapter-format/adapter-file.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { contentText } from "../layout/content.js";
import { brokenCondition, contentOf, dialogAround, questionOf } from "../layout/dialog.js";
import { drawnRows, drawnText } from "../layout/drawn-rows.js";
import { headerAt, type Header } from "../layout/header.js";
import { isFaint, runsOf } from "../layout/ink.js";
import { indentOf, isBlank, lastDrawn, textAt, type Page } from "../layout/layout.js";
import { makeCandidate, type CandidateParts } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches, matchOf } from "../../adapter-format/pattern.js";

export function entryCandidate(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const found = rule.entry.includes("cursor") ? inBox(rule, page) : atHeader(rule, page);
  if (isNoMatch(found)) return found;
  const constraints = rule.promptType === "secret" ? {} : { maxLength: rule.textMax, allowEmpty: true };
  const asked: CandidateParts = { ...found.asked, choices: [], highlighted: null, constraints };
  const made = makeCandidate(rule, page, asked);
  if (rule.promptType === "secret") return made;
  const field = { text: found.text, ...(rule.clear !== null && { clear: rule.clear }) };
  return { ...made, textEntry: "typed", field };
}

interface Found {
  readonly asked: Pick<CandidateParts, "question" | "content" | "drawn" | "top" | "bottom">;
  /** What stands in the field, suggestions left out. */
  readonly text: string;
}

function atHeader(rule: CompiledRule, page: Page): Found | NoMatch {
  const bottom = lastDrawn(page);
  const place = firstPlace(rule, page, bottom);
  if (!place) return { missed: "line" };
  const { header, text } = place;
  if (rule.question !== null && !matches(rule.question, header.question))
    return { missed: "question", pattern: rule.question, row: header.row };
  const rows = page.rows.slice(header.row, bottom + 1).map((row) => row.text);
  const content = { text: contentText(rows, page.cols), cut: null };
  // What is typed, an error or a suggestion may stand behind the question and below it.
  return { asked: { question: header.question, content, drawn: "", top: header.row, bottom }, text };
}

interface Place {
  readonly header: Header;
  readonly text: string;
}

type Finder = (rule: CompiledRule, page: Page, bottom: number) => Place | null;

const PLACES: Readonly<Record<EntryPlace, Finder>> = { header: behind, below, label, cursor: () => null };

function firstPlace(rule: CompiledRule, page: Page, bottom: number): Place | null {
  for (const name of rule.entry) {
    const place = PLACES[name](rule, page, bottom);
    if (place) return place;
  }
  return null;
}

/** Marks between a question and its field. */
const MARK = /^[›‣…»>] ?/u;

/** The cursor stands behind the question, or the tool draws one there; a secret may have neither. */
function behind(rule: CompiledRule, page: Page, bottom: number): Place | null {
  const { row, visible } = page.cursor;
  const header = headerAt(page, rule, visible ? row : bottom);
  if (!header) return null;
  const rest = header.rest.replace(MARK, "");
  const begins = textAt(page, header.last).length - rest.length;
  if (rule.promptType === "secret") return row === header.last ? { header, text: "" } : null;
  const hasCursor = visible ? row === header.last : drawnCursor(page, header.last, begins) !== null;
  if (!hasCursor) return null;
  return { header, text: isSuggestion(page, header.last, begins) ? "" : rest };
}

/** Below it the tool says what is wrong, or draws the end of its frame. */
const ROWS_BELOW_MAX = 3;

/** The tool draws a cursor on the row below the question, behind a line at its side: rows without one are a form. */
function below(rule: CompiledRule, page: Page, bottom: number): Place | null {
  if (page.cursor.visible) return null;
  for (let row = bottom; row > bottom - ROWS_BELOW_MAX; row--) {
    const begins = indentOf(textAt(page, row));
    const cursor = drawnCursor(page, row, begins);
    const header = cursor === null ? null : headerAt(page, rule, row - 1);
    const hasSide = page.rows[row]?.text !== page.view.lines[page.rows[row]?.first ?? 0]?.text;
    if (cursor !== null && hasSide && header?.last === row - 1)
      return { header, text: textIn(page, row, begins, cursor) };
  }
  return null;
}

/** The tool draws a cursor on the last row, behind a label. */
function label(rule: CompiledRule, page: Page, bottom: number): Place | null {
  const text = textAt(page, bottom);
  const match = rule.header === null ? null : matchOf(rule.header, text);
  if (!match || page.cursor.visible || page.cursor.column !== 0) return null;
  const begins = match.index + match[0].length;
  const cursor = drawnCursor(page, bottom, begins);
  if (cursor === null) return null;
  const question = (match[1] ?? match[0]).trim();
  return {
    header: { row: bottom, last: bottom, question, rest: "" },
    text: textIn(page, bottom, begins, cursor),
  };
}

/** What stands in a field from `begins` on, in which a cursor is drawn. */
function textIn(page: Page, row: number, begins: number, cursor: number): string {
  const text = textAt(page, row);
  const own = text.slice(begins).trim();
  if (isSuggestion(page, row, begins) || own === "_") return "";
  return text[cursor] === "█" ? (text.slice(begins, cursor) + text.slice(cursor + 1)).trim() : own;
}

/** Column of a block that a tool draws in place of a cursor; null when there is none from `from` on. */
function drawnCursor(page: Page, row: number, from: number): number | null {
  const block = textAt(page, row).indexOf("█", from);
  if (block >= 0) return block;
  const run = runsOf(page, row).find(
    ({ start, end, style }) =>
      start >= from && end - start === 1 && (style.inverse || style.background !== null),
  );
  return run?.start ?? null;
}

/** Faint behind its first character, on which a drawn cursor may stand. */
function isSuggestion(page: Page, row: number, begins: number): boolean {
  const runs = runsOf(page, row).filter(
    ({ start, end, text }) => end > begins && start >= begins && !isBlank(text),
  );
  const own = runs.length > 1 ? runs.slice(1) : runs;
  return own.length > 0 && own.every(({ style }) => isFaint(style));
}

/** The row under the cursor, apart from all others; above it the text of the box, below it its buttons. */
function inBox(rule: CompiledRule, page: Page): Found | NoMatch {
  const { row, visible } = page.cursor;
  if (!visible || !isBlank(textAt(page, row - 1)) || !isBlank(textAt(page, row + 1)))
    return { missed: "line" };
  const dialog = dialogAround(page, rule, row, row);
  if (isNoMatch(dialog)) return dialog;
  const broken = brokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = questionOf(page, rule, dialog, { top: row, bottom: row });
  if (!question) return { missed: "question", ...(rule.question !== null && { pattern: rule.question }) };
  const content = contentOf(page, rule, dialog, dialog.bottom);
  const { top, bottom } = dialog;
  const drawn = drawnText([...drawnRows(page, top, row - 1), ...drawnRows(page, row + 1, bottom)]);
  const asked = { question: question.text, content, drawn, top, bottom };
  return {
    asked,
    text: textAt(page, row)
      .trim()
      .replace(/_{1,400}$/u, ""),
  };
}
