import type { Constraints, PromptContent } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import type { ListReader } from "../detection.js";
import {
  readContent,
  findDialog,
  readDrawnContent,
  findMissingRows,
  splitParts,
  readQuestion,
  type Dialog,
} from "../layout/dialog.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import { computeFingerprint, takesAnyText } from "../layout/fingerprint.js";
import { findScreenRows, joinWrapped, type Page } from "../layout/layout.js";
import { makeCandidate } from "./make-candidate.js";
import { isNoMatch, type NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";
import { findChoiceRule } from "../../adapter-format/compiled/choice-rule.js";
import type { FoundList } from "../shapes/list.js";
import type { ListRow } from "../shapes/list-rows.js";

/** Rows above nine have no key of their own. */
const DIGIT_MAX = 9;
const ENTER = "\r";
const ESCAPE = "\u001b";

export function matchList(rule: CompiledRule, page: Page, lists: ListReader): Candidate | NoMatch {
  const list = rule.list && lists(rule.list, page);
  if (!list) return { missed: "list" };
  const hasTicks = rule.shape !== "list";
  if (list.rows.some(({ checked }) => checked !== null) !== hasTicks)
    return { missed: "shape", row: list.top };
  const read = readQuestion(page, rule, findDialog(page, rule, list.top, list.bottom), list);
  if (isNoMatch(read)) return read;
  const { dialog, question } = read;
  const rows = hasTicks ? list.rows.filter((row) => row.checked !== null) : list.rows;
  const note = readNote(page, rule, list, dialog);
  const drawn = rows.map((row, index) => {
    const isMarked = row === list.rows[list.highlighted];
    const explained = isMarked && note !== "" ? { ...row, detail: joinDetail(row.detail, note) } : row;
    return makeChoice(rule, page, { row: explained, index, editing: list.editing && isMarked });
  });
  const choices = list.scrolled ? withHidden(rule, drawn) : drawn;
  const asksBelow = rule.content === "body" && question.isLast;
  const end = asksBelow ? question.top - 1 : list.top - 1;
  const shown = readContent(page, rule, dialog, end);
  const body = list.scrolled ? { ...shown, cut: shown.cut ?? {} } : shown;
  const drawnAll = readDrawnContent(page, rule, dialog, Math.max(end, list.top - 1));
  const drawnRows = hasTicks ? withoutTicks(drawnAll) : drawnAll;
  const { highlighted, at } = findMarked(rule, list, rows);
  const made = makeCandidate(rule, page, {
    question: question.text,
    choices,
    highlighted,
    constraints: makeConstraints(rule, choices.length),
    content: rule.content === "dialog" ? withDetails(body, choices, list.beside) : body,
    top: dialog.top,
    bottom: dialog.bottom,
    drawn: drawnRows,
    listed: joinListed(page, list, note, choices),
  });
  return {
    ...made,
    parts: splitParts(page, dialog, end),
    ...(rule.hasTitleAboveLine && { hasTitleAboveLine: true as const }),
    ...(at !== undefined && { at }),
    region: { ...made.region, top: findTopLine(page, rule, dialog.top) },
    ...(choices.some((choice) => choice.takesText) && { textEntry: "paste" as const }),
    ...(rule.checkList && { checkList: rule.checkList }),
    committingKeys: list.editing ? [ENTER, ESCAPE] : listCommittingKeys(rule, choices),
    endsTool: choices.flatMap((choice, index) =>
      findChoiceRule(rule, choice.label)?.endsTool ? [index + 1] : [],
    ),
    ...(list.scrolled && { torn: computeFingerprint({ ...made, choices: [] }) }),
    ...(!list.scrolled && findMissingRows(page, rule, dialog) === null && { hasAllRows: true as const }),
  };
}

/** A row of tabs with ticks, which change when rows below are ticked. */
const TABS = /^[ ←]{0,8}[☐☑☒✓✔] .{0,1000}$/gmu;

function withoutTicks(drawn: string): string {
  return drawn.replace(TABS, (row) => row.replace(/[☐☑☒✓✔](?= )/gu, "☐"));
}

/** All rows of the list except text fields, whose text changes when somebody types. */
function joinListed(
  page: Page,
  { top, bottom }: FoundList,
  note: string,
  choices: readonly CandidateChoice[],
): string {
  const fields = choices.filter(takesAnyText);
  const isField = (row: number): boolean => {
    const first = readFirstLine(page, row);
    return fields.some(({ firstRow, lastRow }) => firstRow <= first && first <= lastRow);
  };
  const rows = Array.from({ length: bottom - top + 1 }, (_, index) => top + index);
  return joinDrawn([...rows.flatMap((row) => (isField(row) ? [] : readDrawnRows(page, row, row))), note]);
}

/** Adds the rule's `if_hidden` choice: its key works even while rows of the list are not drawn. */
function withHidden(
  { ifHidden }: CompiledRule,
  drawn: readonly CandidateChoice[],
): readonly CandidateChoice[] {
  const last = drawn.at(-1);
  if (ifHidden === null || !last) return drawn;
  const { label, intent, key, textTo } = ifHidden;
  const { firstRow, lastRow } = last;
  const words = textTo && ({ takesText: "optional", textTo } as const);
  return [...drawn, { label, intent, ...words, answer: { by: "key", key }, firstRow, lastRow }];
}

/** In a radio list Enter takes the ticked row, wherever the highlight is. */
function findMarked(
  rule: CompiledRule,
  list: FoundList,
  rows: readonly ListRow[],
): Pick<Candidate, "highlighted" | "at"> {
  const at = list.highlighted < rows.length ? list.highlighted + 1 : null;
  if (at !== null && !Number.isInteger(at)) return { highlighted: null, at };
  if (rule.shape !== "radio_list" || at === null) return { highlighted: at };
  const chosen = rows.findIndex(({ checked }) => checked);
  return { highlighted: chosen < 0 ? null : chosen + 1, at };
}

/** The text below a list and above its footer, which explains the marked row. */
function readNote(page: Page, rule: CompiledRule, list: FoundList, { bottom }: Dialog): string {
  if (!rule.list?.note || rule.list.order === "up") return "";
  const rows = page.rows.slice(list.bottom + 1, bottom + 1).map(({ text }) => text);
  const help = rows.findIndex((text) => rule.footer.some((footer) => matches(footer, text.trim())));
  return joinWrapped(help < 0 ? rows : rows.slice(0, help), page.cols);
}

function joinDetail(detail: string | null, note: string): string {
  return detail === null ? note : `${detail} ${note}`;
}

/** Adds the second lines of choices to the content, except for text fields, where they may be typed text. */
function withDetails(
  body: PromptContent,
  choices: readonly CandidateChoice[],
  beside: readonly string[],
): PromptContent {
  const details = choices.flatMap(({ label, detail, takesText }) =>
    detail === undefined || takesText !== undefined ? [] : [`${label}\n  ${detail}`],
  );
  return { ...body, text: [body.text, ...details, ...beside].join("\n") };
}

/** Rows between the queue's counter and the dialog: its frame and a blank row. */
const QUEUE_ROWS_MAX = 3;

/** The region starts at the queue's counter, so that its position changes with the next dialog of the queue, even if both are equal. */
function findTopLine(page: Page, { queue }: CompiledRule, row: number): number {
  const top = readFirstLine(page, row);
  if (queue === null) return top;
  for (let line = top - 1; line >= Math.max(0, top - QUEUE_ROWS_MAX); line--)
    if (matches(queue, (page.view.lines[line]?.text ?? "").trim())) return line;
  return top;
}

function readFirstLine(page: Page, row: number): number {
  return page.rows[row]?.first ?? 0;
}

interface PlacedRow {
  readonly row: ListRow;
  readonly index: number;
  readonly editing: boolean;
}

function makeChoice(rule: CompiledRule, page: Page, { row, index, editing }: PlacedRow): CandidateChoice {
  const known = findChoiceRule(rule, row.label);
  // A row that holds the cursor is an open text field, even if typed text has replaced its label.
  const takesText = known?.takesText ?? (editing ? "required" : undefined);
  return {
    label: row.label,
    intent: known?.intent ?? "other",
    ...(row.detail !== null && { detail: row.detail }),
    ...(takesText && { takesText }),
    ...(known?.textKeys && { textKeys: known.textKeys }),
    ...(known?.textTo && { textTo: known.textTo }),
    answer: known?.key === undefined ? chooseAnswer(rule, row, index + 1) : { by: "key", key: known.key },
    ...findScreenRows(page, row.first, row.last),
    ...(row.checked !== null && { checked: row.checked }),
  };
}

function chooseAnswer(rule: CompiledRule, row: ListRow, index: number): ChoiceAnswer {
  if (rule.answer === "line") return { by: "line", text: String(row.number ?? index) };
  const hasDigit = rule.answer === "digit" && row.number !== null && row.number <= DIGIT_MAX;
  return hasDigit ? { by: "key", key: String(row.number) } : { by: "arrows" };
}

function makeConstraints(rule: CompiledRule, count: number): Constraints {
  return { minChoice: 1, maxChoice: count, ...(rule.shape === "check_list" && { multi: true }) };
}

/** Keys that answer the prompt at the keyboard. Ticking a box or opening a text row answers nothing. */
function listCommittingKeys(rule: CompiledRule, choices: readonly CandidateChoice[]): string[] {
  const digits = choices.flatMap(({ answer, takesText }) =>
    answer.by === "key" && takesText !== "required" && rule.shape === "list" ? [answer.key] : [],
  );
  return [ENTER, ESCAPE, ...digits];
}
