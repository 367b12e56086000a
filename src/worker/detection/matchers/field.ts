/** Matches rules for text fields known by their first row: a form's field, a reason, an API key. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import {
  findBrokenCondition,
  readContent,
  findDialog,
  readDrawnContent,
  findQuestion,
} from "../layout/dialog.js";
import { computeFingerprint } from "../layout/fingerprint.js";
import { isBlank, findLastDrawn, readSize, readTextAt, type Page } from "../layout/layout.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";

interface Field {
  readonly top: number;
  readonly bottom: number;
  /** Column where its text begins. */
  readonly column: number;
}

/** A secret is never typed by us, so the cursor need not prove that the field takes input. */
export function matchField(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const field = findField(page, rule);
  if (!field || (rule.promptType !== "secret" && !takesInput(page, field))) return { missed: "field" };
  const dialog = findDialog(page, rule, field.top, field.bottom);
  if (isNoMatch(dialog)) return dialog;
  const broken = findBrokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = findQuestion(page, rule, dialog, field);
  if (!question) return { missed: "question", ...(rule.question !== null && { pattern: rule.question }) };
  const content = readContent(page, rule, dialog, field.top - 1);
  const drawn = readDrawnContent(page, rule, dialog, field.top - 1);
  const known = { rule: rule.name, question: question.text, choices: [], drawn };
  return {
    ...known,
    content,
    listed: "",
    size: readSize(page),
    shape: rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    score: rule.score,
    highlighted: null,
    constraints: rule.promptType === "secret" ? {} : { maxLength: rule.textMax },
    region: { top: page.rows[dialog.top]?.first ?? 0, bottom: page.rows[dialog.bottom]?.last ?? 0 },
    fingerprint: computeFingerprint(known),
    textEntry: "paste",
    ...(page.cursor.column > field.column && { hasDraft: true as const }),
    ...(rule.dropsKeysMs > 0 && { dropsKeysMs: rule.dropsKeysMs }),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** The lowest field: from its first row to the last one before the footer. */
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

/** Whether a wrapped text continues in this row. */
function isContinued(page: Page, { footer }: CompiledRule, row: number): boolean {
  const text = readTextAt(page, row);
  return !isBlank(text) && !footer.some((pattern) => matches(pattern, text.trim()));
}

/** The cursor must be in the field. It may be hidden, because some tools draw a cursor themselves. */
function takesInput({ cursor }: Page, { top, bottom, column }: Field): boolean {
  return cursor.row >= top && cursor.row <= bottom && cursor.column >= column;
}
