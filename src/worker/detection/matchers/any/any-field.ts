/**
 * A text field without a rule: below a question, and right above the keys that submit the text and leave the field. The cursor
 * must be in it. Words are pasted, and Enter follows only once they are visible there; the score is the lowest, so no policy
 * answers it.
 */
import type { Candidate } from "../../../../sdk/candidate.js";
import type { CompiledRule } from "../../../adapter-format/compiled/compiled.js";
import { readDrawnRows, joinDrawn } from "../../layout/drawn-rows.js";
import { findHeadline, isListRow } from "../../layout/headline.js";
import {
  isBlank,
  isSeparator,
  measureIndent,
  readStyle,
  readTextAt,
  type Page,
} from "../../layout/layout.js";
import { withoutMotion } from "../../layout/looks.js";
import { isFaint, readRuns } from "../../layout/text-style.js";
import { NUMBERED } from "../../shapes/list-mark.js";
import { findKeysRow, isEdge, tells } from "../../shapes/offered-keys.js";
import { ANY_LIST_RULE } from "../any-list-rule.js";
import { readFramed } from "../any-list.js";
import { makeCandidate } from "../make-candidate.js";

export const ANY_FIELD = "any_field";

const RULE: CompiledRule = { ...ANY_LIST_RULE, name: ANY_FIELD, shape: "field", promptType: "free_text" };

/** "Send" and "stop" are said of an agent's own input box. */
const GIVES = /^(?:submit|accept|confirm|continue|save|done|next|finish|answer)\b/iu;
const LEAVES = /^(?:cancel|dismiss|decline|reject|skip|close|abort|go back|back)\b/iu;

/** `unread`: the candidate for the same screen if it is not read. */
export function matchAnyField(whole: Page, unread: Candidate): Candidate | null {
  const told = unread.constraints.keys ?? [];
  const isField = tells(told, "enter", GIVES) && tells(told, "esc", LEAVES);
  return isField ? readFramed(whole, (page) => readField(page, unread)) : null;
}

/** What somebody types into such a field is never for a chat. */
const SECRET =
  /\b(?:pass(?:word|phrase|code)|api[- ]?key|secret|token|credentials?|pin|otp|(?:verification|one-time|security) code)\b/iu;

function readField(page: Page, unread: Candidate): Candidate | null {
  const field = findField(page);
  if (field === null) return null;
  const top = findQuestionTop(page, field.row);
  const rows = page.rows.slice(top, field.row).map(({ text }) => text);
  // It may be the filter of a list.
  if (rows.some((text) => isListRow(text) || SECRET.test(text))) return null;
  const question = findHeadline(page, top, field.row - 1);
  if (question === null) return null;
  const drawn = joinDrawn(readDrawnRows(page, top, field.row - 1).map(withoutMotion));
  const made = makeCandidate(RULE, page, {
    question,
    constraints: { maxLength: field.room },
    content: unread.content,
    top,
    bottom: field.row,
    drawn,
  });
  const draft = field.hasText ? ({ hasDraft: true } as const) : {};
  return { ...made, ...draft, region: unread.region, textEntry: "paste" };
}

interface FoundField {
  readonly row: number;
  readonly hasText: boolean;
  /** Columns that a text has before it would take a second row. */
  readonly room: number;
}

const ROWS_BETWEEN_MAX = 4;
const SIDE = /^\s*[│┃|]/u;
const MARK = /^ *[❯›>»](?= |$)/u;
/** Keys may stand at the right end of the field's own row. */
const KEYS_BESIDE = /^ {3,}(?=\S)/u;
const EDGE_COLUMNS = 4;

function findField(page: Page): FoundField | null {
  const { row, column, visible } = page.cursor;
  const keys = findKeysRow(page);
  if (row < 1 || row > keys || keys - row > ROWS_BETWEEN_MAX) return null;
  if (page.rows.slice(row + 1, keys).some(({ text }) => !isEdge(text))) return null;
  const whole = readTextAt(page, row);
  const beside = row === keys ? KEYS_BESIDE.exec(whole.slice(column)) : null;
  if (row === keys && beside === null) return null;
  const text = beside ? whole.slice(0, column) : whole;
  // It is read without the frame around it, or not at all.
  if (SIDE.test(text)) return null;
  const isMarked = MARK.test(text);
  const begins = isMarked ? measureIndent(text) + 2 : isBlank(text) ? column : measureIndent(text);
  if (!isMarked && begins !== measureIndent(findTextAbove(page, row))) return null;
  if (column < begins || NUMBERED.test(text.slice(begins))) return null;
  if (!visible && !(isMarked && isDrawnCursor(page, row, column))) return null;
  const isEmpty = column === begins && (isBlank(text.slice(begins)) || isSuggestion(page, row, begins, keys));
  // A row that begins at the cursor may be one of a list.
  if (!isMarked && column === begins && !isEmpty) return null;
  const room = beside ? beside[0].length + column - begins : page.cols - begins - EDGE_COLUMNS;
  return { row, hasText: !isEmpty, room };
}

/** Without a mark a text begins in the column of the question. */
function findTextAbove(page: Page, row: number): string {
  return page.rows.slice(0, row).findLast(({ text }) => !isEdge(text))?.text ?? "";
}

function isDrawnCursor(page: Page, row: number, column: number): boolean {
  const isInverse = (at: number): boolean => readStyle(page, row, at)?.inverse === true;
  return isInverse(column) && !isInverse(column + 1) && !isInverse(column - 1);
}

/** Text behind the cursor that is as faint as the keys below is what the tool suggests. The cursor may be drawn on its first character. */
function isSuggestion(page: Page, row: number, begins: number, keys: number): boolean {
  const inks = new Set(readRuns(page, keys).map(({ style }) => style.foreground));
  const behind = readRuns(page, row).filter(({ end, text }) => end > begins + 1 && !isBlank(text));
  const own = behind.filter(({ start, end }) => start >= begins && end <= page.cols - 1);
  return (
    own.length > 0 &&
    own.every(({ style }) => isFaint(style) || (style.foreground !== null && inks.has(style.foreground)))
  );
}

const QUESTION_ROWS = 8;

/** Down to the last line across the screen that is not the field's own. */
function findQuestionTop(page: Page, row: number): number {
  const first = Math.max(0, row - QUESTION_ROWS);
  for (let at = row - 2; at >= first; at--) if (isSeparator(readTextAt(page, at))) return at + 1;
  return first;
}
