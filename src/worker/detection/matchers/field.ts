/** A rule with a text field, put on a view: a form's field, a reason, an API key. The candidate it makes, or why there is none. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { brokenCondition, contentOf, dialogAround, drawnContent, questionOf } from "../layout/dialog.js";
import { fingerprintOf } from "../layout/fingerprint.js";
import { isBlank, lastDrawn, sizeOf, textAt, type Page } from "../layout/layout.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches, matchOf } from "../../adapter-format/pattern.js";

interface Field {
  readonly top: number;
  readonly bottom: number;
  /** Column where its text begins. */
  readonly column: number;
}

/** A secret is never typed by us, so nothing has to prove where it would go. */
export function fieldCandidate(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const field = fieldOf(page, rule);
  if (!field || (rule.promptType !== "secret" && !takesInput(page, field))) return { missed: "field" };
  const dialog = dialogAround(page, rule, field.top, field.bottom);
  if (isNoMatch(dialog)) return dialog;
  const broken = brokenCondition(page, rule, dialog);
  if (broken) return broken;
  const question = questionOf(page, rule, dialog, field);
  if (!question) return { missed: "question", ...(rule.question !== null && { pattern: rule.question }) };
  const content = contentOf(page, rule, dialog, field.top - 1);
  const drawn = drawnContent(page, rule, dialog, field.top - 1);
  const known = { rule: rule.name, question: question.text, choices: [], drawn };
  return {
    ...known,
    content,
    listed: "",
    size: sizeOf(page),
    shape: rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    score: rule.score,
    highlighted: null,
    constraints: rule.promptType === "secret" ? {} : { maxLength: rule.textMax },
    region: { top: page.rows[dialog.top]?.first ?? 0, bottom: page.rows[dialog.bottom]?.last ?? 0 },
    fingerprint: fingerprintOf(known),
    textEntry: "paste",
    ...(page.cursor.column > field.column && { hasDraft: true as const }),
    ...(rule.deafMs > 0 && { deafMs: rule.deafMs }),
    committingKeys: ["\r", "\u001b"],
    endsTool: [],
  };
}

/** From the lowest row that begins a field, or goes on with one, to the last one before the footer. */
function fieldOf(page: Page, rule: CompiledRule): Field | null {
  if (rule.field === null) return null;
  const blank = blankField(page, rule.field);
  if (blank) return blank;
  for (let row = lastDrawn(page); row >= 0; row--) {
    const begin = beginOf(rule.field, textAt(page, row));
    if (begin === null) continue;
    let [top, bottom] = [row, row];
    while (beginOf(rule.field, textAt(page, top - 1)) === begin) top--;
    while (goesOn(page, rule, bottom + 1)) bottom++;
    return { top, bottom, column: begin };
  }
  return null;
}

/** The blank behind a field's mark is trimmed while it is empty. */
function beginOf(field: string, text: string): number | null {
  return matchOf(field, `${text} `)?.[0].length ?? null;
}

/** Nothing is drawn in it, not even a mark: the cursor stands where its text begins. */
function blankField(page: Page, field: string): Field | null {
  const { row, column, visible } = page.cursor;
  if (!visible || !isBlank(textAt(page, row))) return null;
  const begins = matchOf(field, " ".repeat(column))?.[0].length === column;
  return begins && column > 0 ? { top: row, bottom: row, column } : null;
}

/** A longer text is wrapped. */
function goesOn(page: Page, { footer }: CompiledRule, row: number): boolean {
  const text = textAt(page, row);
  return !isBlank(text) && !footer.some((pattern) => matches(pattern, text.trim()));
}

/** Some tools draw the cursor themselves; the hidden one stands there, too. */
function takesInput({ cursor }: Page, { top, bottom, column }: Field): boolean {
  return cursor.row >= top && cursor.row <= bottom && cursor.column >= column;
}
