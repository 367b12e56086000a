/** A rule with a list, put on a view: the candidate it makes, or null. */
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../sdk/candidate.js";
import type { Constraints } from "../../model/prompt.js";
import type { View } from "../../sdk/view.js";
import type { CompiledChoice, CompiledRule } from "./compiled.js";
import type { ListReader } from "./detect.js";
import { conditionsHold, contentOf, dialogAround, questionOf } from "./dialog.js";
import { fingerprintOf } from "./fingerprint.js";
import { matches } from "./pattern.js";
import type { FoundList, ListRow } from "./shapes/list.js";

/** Rows above nine have no key of their own. */
const DIGIT_MAX = 9;
const ENTER = "\r";
const ESCAPE = "\u001b";

export function listCandidate(rule: CompiledRule, view: View, lists: ListReader): Candidate | null {
  const list = rule.list && lists(rule.list);
  if (!list || isCheckList(list) !== (rule.shape === "check_list")) return null;
  const dialog = dialogAround(view, rule, list.top, list.bottom);
  if (!dialog || !conditionsHold(view, rule, dialog)) return null;
  const question = questionOf(view, rule, dialog, list.top);
  if (!question) return null;
  const rows = rule.shape === "check_list" ? list.rows.filter((row) => row.checked !== null) : list.rows;
  const choices = rows.map((row, index) =>
    choiceOf(rule, row, index, list.editing && index === list.highlighted),
  );
  const end = rule.content === "dialog" ? list.bottom : question.isLast ? question.top - 1 : list.top - 1;
  const content = contentOf(view, rule, dialog, end);
  const known = { rule: rule.name, question: question.text, choices, content };
  return {
    ...known,
    shape: rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    score: rule.score,
    highlighted: list.highlighted < rows.length ? list.highlighted + 1 : null,
    constraints: constraintsOf(rule, choices.length),
    region: { top: dialog.top, bottom: dialog.bottom },
    fingerprint: fingerprintOf(known),
    ...(choices.some((choice) => choice.takesText) && { textEntry: "paste" as const }),
    committingKeys: list.editing ? [ENTER, ESCAPE] : committingKeys(rule, choices),
    endsTool: choices.flatMap((choice, index) => (rowRule(rule, choice.label)?.endsTool ? [index + 1] : [])),
  };
}

function isCheckList(list: FoundList): boolean {
  return list.rows.some((row) => row.checked !== null);
}

function rowRule(rule: CompiledRule, label: string): CompiledChoice | undefined {
  return rule.choices.find((choice) => matches(choice.label, label));
}

function choiceOf(rule: CompiledRule, row: ListRow, index: number, editing: boolean): CandidateChoice {
  const known = rowRule(rule, row.label);
  // A row that holds the cursor is an open text field, whatever has been typed over its label.
  const takesText = known?.takesText ?? (editing ? "required" : undefined);
  return {
    label: row.label,
    intent: known?.intent ?? "other",
    ...(row.detail !== null && { detail: row.detail }),
    ...(takesText && { takesText }),
    answer: answerOf(rule, row, index + 1),
    firstRow: row.firstRow,
    lastRow: row.lastRow,
    ...(row.checked !== null && { checked: row.checked }),
  };
}

function answerOf(rule: CompiledRule, row: ListRow, index: number): ChoiceAnswer {
  if (rule.answer === "line") return { by: "line", text: String(row.number ?? index) };
  const hasDigit = rule.answer === "digit" && row.number !== null && row.number <= DIGIT_MAX;
  return hasDigit ? { by: "key", key: String(row.number) } : { by: "arrows" };
}

function constraintsOf(rule: CompiledRule, count: number): Constraints {
  return { minChoice: 1, maxChoice: count, ...(rule.shape === "check_list" && { multi: true }) };
}

/** Keys that settle the question at the keyboard. Ticking a box or opening a text row settles nothing. */
function committingKeys(rule: CompiledRule, choices: readonly CandidateChoice[]): string[] {
  const digits = choices.flatMap(({ answer, takesText }) =>
    answer.by === "key" && !takesText && rule.shape === "list" ? [answer.key] : [],
  );
  return [ENTER, ESCAPE, ...digits];
}
