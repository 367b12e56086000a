/** A rule for plain lines, put on a view: the candidate it makes, or null. */
import type { ChoiceIntent, Constraints } from "../../model/prompt.js";
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../sdk/candidate.js";
import type { Signals } from "../../sdk/view.js";
import type { CompiledRule } from "./compiled.js";
import { contentText } from "./content.js";
import { fingerprintOf } from "./fingerprint.js";
import { isBlank, textAt, type Page } from "./layout.js";
import type { Miss } from "./miss.js";
import { matches, matchOf } from "./pattern.js";
import { readLetterMenu, readLineMenu, type MenuItem } from "./shapes/line-menu.js";
import { waitingLine, type WaitingLine } from "./shapes/waiting-line.js";
import { readYesNo } from "./shapes/yes-no.js";

const ENTER = "\r";
/** Rows of the block above a question that belong to it: a small box, a host key, a menu. */
const CONTEXT_ROWS_MAX = 20;

/** What a shape read out of the line. */
interface Reading {
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  readonly highlighted: number | null;
  readonly constraints: Constraints;
  /** First row that belongs to the prompt. */
  readonly top: number;
}

export function lineCandidate(rule: CompiledRule, page: Page, signals: Signals): Candidate | Miss {
  const line = waitingLine(page, signals);
  if (!line) return { missed: "line" };
  const asked = withoutTail(page, rule, line);
  const broken = brokenCondition(page, rule, asked);
  if (broken) return broken;
  const reading = read(rule, page, asked, signals);
  if (!reading) return unread(rule, asked);
  const secret = rule.promptType === "secret";
  const top = secret ? asked.row : contextTop(page, reading.top);
  const rows = Array.from({ length: asked.row - top + 1 }, (_, index) => textAt(page, top + index));
  const content = { text: secret || rule.content === "none" ? "" : contentText(rows, page.cols), cut: null };
  const choices = reading.choices.map((choice) => onView(page, choice));
  const known = { rule: rule.name, question: reading.question, choices, content };
  return {
    ...known,
    shape: rule.shape,
    promptType: rule.promptType,
    safetyClass: rule.safetyClass,
    score: rule.score,
    highlighted: reading.highlighted,
    constraints: reading.constraints,
    region: { top: page.rows[top]?.first ?? 0, bottom: page.rows[line.row]?.last ?? 0 },
    fingerprint: fingerprintOf(known),
    ...(rule.promptType === "free_text" && { textEntry: "line" as const }),
    committingKeys: [
      ENTER,
      ...reading.choices.flatMap(({ answer }) => (answer.by === "key" ? [answer.key] : [])),
    ],
    endsTool: [],
  };
}

function onView(page: Page, choice: CandidateChoice): CandidateChoice {
  const row = page.rows[choice.firstRow];
  return { ...choice, firstRow: row?.first ?? 0, lastRow: row?.last ?? 0 };
}

/** Rows that may stand between the question and the cursor: the command it is about. */
function withoutTail(page: Page, rule: CompiledRule, line: WaitingLine): WaitingLine {
  let { row } = line;
  while (row > 0 && rule.tail !== null && matches(rule.tail, textAt(page, row))) row--;
  return { ...line, row, text: textAt(page, row) };
}

function brokenCondition(page: Page, rule: CompiledRule, { row, text }: WaitingLine): Miss | null {
  const near = Array.from({ length: CONTEXT_ROWS_MAX }, (_, index) => textAt(page, row - index));
  const absent = rule.requires.find((pattern) => !near.some((each) => matches(pattern, each)));
  if (absent !== undefined) return { missed: "requires", pattern: absent };
  const forbidden = rule.forbids.find((pattern) => matches(pattern, text));
  return forbidden === undefined ? null : { missed: "forbids", pattern: forbidden, row };
}

function unread({ question }: CompiledRule, { row, text }: WaitingLine): Miss {
  const isAsked = question === null || matches(question, text.trim());
  return isAsked ? { missed: "spelling", row } : { missed: "question", pattern: question, row };
}

function read(rule: CompiledRule, page: Page, line: WaitingLine, signals: Signals): Reading | null {
  switch (rule.shape) {
    case "yes_no":
      return yesNo(rule, page, line);
    case "press_enter":
      return plain(rule, line, {});
    case "line":
      return plain(rule, line, { maxLength: rule.textMax, allowEmpty: true });
    case "secret":
      return isSecret(rule, line, signals) ? withoutChoices(line.text.trim(), line.row, {}) : null;
    case "line_menu":
      return menu(rule, page, line);
    case "list":
    case "check_list":
    case "page":
    case "field":
      return null;
  }
}

function plain(rule: CompiledRule, { text, row }: WaitingLine, constraints: Constraints): Reading | null {
  const match = rule.question === null ? null : matchOf(rule.question, text.trim());
  return match ? withoutChoices((match[1] ?? text).trim(), row, constraints) : null;
}

function withoutChoices(question: string, top: number, constraints: Constraints): Reading {
  return { question, choices: [], highlighted: null, constraints, top };
}

/** No echo on a line is a password, whatever it is called; with echo unknown or on, only the words tell. */
function isSecret(rule: CompiledRule, { text }: WaitingLine, { echo, canonical }: Signals): boolean {
  if (echo === false && canonical === true) return true;
  return rule.question !== null && matches(rule.question, text.trim());
}

/** A rule with its own question needs no spelling: `rm: remove regular file 'x'? `. */
function yesNo(rule: CompiledRule, page: Page, line: WaitingLine): Reading | null {
  const text = line.text.trim();
  const found = readYesNo(text);
  const own = rule.question === null ? null : matchOf(rule.question, text);
  if (rule.question !== null ? !own : !found) return null;
  const { yes, no, byDefault } = found ?? { yes: "y", no: "n", byDefault: null };
  const above = found?.question === "" ? line.row - 1 : line.row;
  const question =
    own?.[1] ?? (found?.question === "" ? textAt(page, above).trim() : (found?.question ?? text));
  const choices = [choiceOf("Yes", "allow_once", line, yes), choiceOf("No", "reject_once", line, no)];
  const constraints = { allowEmpty: byDefault !== null };
  return { question, choices, highlighted: byDefault, constraints, top: Math.max(0, above) };
}

function choiceOf(label: string, intent: ChoiceIntent, line: WaitingLine, text: string): CandidateChoice {
  return { label, intent, answer: typed(line, text), firstRow: line.row, lastRow: line.row };
}

function typed({ takesOneKey }: WaitingLine, text: string): ChoiceAnswer {
  return takesOneKey ? { by: "key", key: text.slice(0, 1) } : { by: "line", text };
}

function menu(rule: CompiledRule, page: Page, line: WaitingLine): Reading | null {
  const letters = readLetterMenu(line.text, line.row);
  if (letters) return menuReading(letters.question, letters.items, { line, top: line.row });
  const match = rule.question === null ? null : matchOf(rule.question, line.text.trim());
  const found = match && readLineMenu(page, line.row);
  if (!match || !found) return null;
  // The heading above the items asks; the prompt's own row only says how to answer.
  const heading = textAt(page, found.top - 1).trim();
  const question =
    heading === "" || found.top === line.row ? line.text.trim() : `${heading} ${line.text.trim()}`;
  return menuReading(question, found.items, { line, top: heading === "" ? found.top : found.top - 1 });
}

function menuReading(
  question: string,
  items: readonly MenuItem[],
  place: { line: WaitingLine; top: number },
): Reading {
  const choices = items.map(({ label, value, row }) => ({
    label,
    intent: "other" as const,
    answer: typed(place.line, value),
    firstRow: row,
    lastRow: row,
  }));
  const constraints = { minChoice: 1, maxChoice: choices.length };
  return { question, choices, highlighted: null, constraints, top: place.top };
}

/** The block of rows that the question ends. */
function contextTop(page: Page, row: number): number {
  let top = row;
  while (top > 0 && row - top < CONTEXT_ROWS_MAX && !isBlank(textAt(page, top - 1))) top--;
  return top;
}
