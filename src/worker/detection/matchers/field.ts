/** Matches rules for text fields known by their first row: a form's field, a reason, an API key. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { findDialog, readDialogParts, readQuestion } from "../layout/dialog.js";
import { isBlank, findLastDrawn, readTextAt, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";

interface Field {
  readonly top: number;
  readonly bottom: number;
  readonly column: number;
}

/** A secret is never typed by us, so the cursor need not prove that the field takes input. */
export function matchField(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const field = findField(page, rule);
  if (!field || (rule.promptType !== "secret" && !takesInput(page, field))) return { missed: "field" };
  const read = readQuestion(page, rule, findDialog(page, rule, field.top, field.bottom), field);
  if (isNoMatch(read)) return read;
  const { dialog, question } = read;
  const made = makeCandidate(rule, page, {
    question: question.text,
    constraints: rule.promptType === "secret" ? {} : { maxLength: rule.textMax },
    ...readDialogParts(page, rule, dialog, field.top - 1),
  });
  const hasDraft = page.cursor.column > field.column && { hasDraft: true as const };
  return { ...made, textEntry: "paste", ...hasDraft };
}

function findField(page: Page, rule: CompiledRule): Field | null {
  if (rule.field === null) return null;
  const blank = findBlankField(page, rule.field);
  if (blank) return blank;
  for (let row = findLastDrawn(page); row >= 0; row--) {
    const begin = findTextColumn(rule.field, readTextAt(page, row));
    if (begin === null) continue;
    let [top, bottom] = [row, row];
    while (findTextColumn(rule.field, readTextAt(page, top - 1)) === begin) top--;
    while (isContinued(page, rule, bottom + 1)) bottom++;
    return { top, bottom, column: begin };
  }
  return null;
}

/** The column where the field's text begins. A blank is appended, because the blank behind the mark of an empty field was trimmed. */
function findTextColumn(field: string, text: string): number | null {
  return findMatch(field, `${text} `)?.[0].length ?? null;
}

/** A field without any text, not even a mark: the cursor is where its text begins. */
function findBlankField(page: Page, field: string): Field | null {
  const { row, column, visible } = page.cursor;
  if (!visible || !isBlank(readTextAt(page, row))) return null;
  const begins = findMatch(field, " ".repeat(column))?.[0].length === column;
  return begins && column > 0 ? { top: row, bottom: row, column } : null;
}

function isContinued(page: Page, { footer }: CompiledRule, row: number): boolean {
  const text = readTextAt(page, row);
  return !isBlank(text) && !footer.some((pattern) => matches(pattern, text.trim()));
}

/** The cursor must be in the field. It may be hidden, because some tools draw a cursor themselves. */
function takesInput({ cursor }: Page, { top, bottom, column }: Field): boolean {
  return cursor.row >= top && cursor.row <= bottom && cursor.column >= column;
}
