/** Reads question and choices from the line on which a program waits, by shape. */
import type { Constraints } from "../../../model/prompt.js";
import type { CandidateChoice, ChoiceAnswer } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { Shape } from "../../adapter-format/adapter-file.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { isBlank, readTextAt, type Page } from "../layout/layout.js";
import { matches, findMatch } from "../../adapter-format/pattern.js";
import { findChoiceRule } from "../../adapter-format/compiled/choice-rule.js";
import { hasYesNo, readAnswerSet, spellYesNo, type AnswerSet } from "../shapes/answers/answer-set.js";
import { toHalfWidth } from "../shapes/answers/languages.js";
import { readLetteredMenu, readLineMenu, type MenuItem, RULED_ROW } from "../shapes/line-menu.js";
import { makeYesNo } from "./make-candidate.js";
import { BARE_MARK, type WaitingLine } from "../shapes/waiting-line.js";

export interface Reading {
  readonly question: string;
  readonly choices: readonly CandidateChoice[];
  readonly highlighted: number | null;
  readonly constraints: Constraints;
  readonly top: number;
}

type LineMatcher = (rule: CompiledRule, page: Page, line: WaitingLine, signals: Signals) => Reading | null;

const READERS: Partial<Record<Shape, LineMatcher>> = {
  yes_no: readYesNoLine,
  press_enter: (rule, _, line) => readPlain(rule, line, {}),
  line: (rule, _, line) => readPlain(rule, line, { maxLength: rule.textMax, allowEmpty: true }),
  secret: (rule, _, line, signals) =>
    isSecret(rule, line, signals) ? withoutChoices(line.text.trim(), line.row, {}) : null,
  line_menu: readMenu,
};

export const readLine: LineMatcher = (rule, ...seen) => READERS[rule.shape]?.(rule, ...seen) ?? null;

function readPlain(rule: CompiledRule, { text, row }: WaitingLine, constraints: Constraints): Reading | null {
  const match = rule.question === null ? null : findMatch(rule.question, toHalfWidth(text.trim()));
  return match ? withoutChoices((match[1] ?? text).trim(), row, constraints) : null;
}

function withoutChoices(question: string, top: number, constraints: Constraints): Reading {
  return { question, choices: [], highlighted: null, constraints, top };
}

/** A line without echo is a password, whatever its text. With echo on or unknown, the text decides. */
function isSecret(rule: CompiledRule, { text }: WaitingLine, { echo, canonical }: Signals): boolean {
  if (echo === false && canonical === true) return true;
  return rule.question !== null && matches(rule.question, text.trim());
}

/** A rule with a question pattern needs no spelling such as `(y/n)`: `rm: remove regular file 'x'? `. */
function readYesNoLine(rule: CompiledRule, page: Page, line: WaitingLine): Reading | null {
  const text = line.text.trim();
  const set = readAnswerSet(text);
  const spelling = set && spellYesNo(set);
  const found = spelling && set;
  const own = rule.question === null ? null : findMatch(rule.question, text);
  if (rule.question !== null ? !own : !found) return null;
  const byDefault = found?.byDefault ?? null;
  const above = found?.question === "" && !own ? line.top - 1 : line.top;
  const spelled = found?.question === "" ? readTextAt(page, above).trim() : (found?.question ?? text);
  // The rule's own pattern reads the question better than the spelling does.
  const question = own ? (own[1] ?? own[0]) : spelled;
  const rows = { firstRow: line.row, lastRow: line.row };
  const choices = makeYesNo(spelling ?? ["y", "n"], rows, (typed) => chooseLineAnswer(rule, line, typed));
  const constraints = { allowEmpty: byDefault !== null };
  return { question, choices, highlighted: byDefault, constraints, top: Math.max(0, above) };
}

function chooseLineAnswer(rule: CompiledRule, { input }: WaitingLine, text: string): ChoiceAnswer {
  if (input === "one_key" || rule.answer === "key") return { by: "key", key: text.slice(0, 1) };
  return { by: input === "keys" ? "typed" : "line", text };
}

/** Choices in the line itself, or rows above it. */
function readMenu(rule: CompiledRule, page: Page, line: WaitingLine): Reading | null {
  const match = rule.question === null ? null : findMatch(rule.question, line.text.trim());
  if (rule.question !== null && !match) return null;
  const whole = joinBroken(page, line);
  const inline = readAnswerSet(whole.text);
  const asked = inline?.answers.map(({ value }) => value);
  const above = readLineMenu(page, line.row) ?? readLetteredMenu(page, line.row, asked);
  const isExplained = inline !== null && above !== null && explains(above.items, inline);
  if (inline && !isExplained && !inline.isYesNo && canType(line, inline.answers))
    return readInline(rule, page, inline, whole);
  const found = match || isExplained ? above : null;
  if (!found || !canType(line, found.items)) return null;
  const { top, question } = findHeading(page, found.top, line);
  const byDefault = (isExplained ? inline.byDefault : null) ?? findDefault(found.items, line.text);
  return readMenuRows(rule, { question, items: found.items, byDefault }, { line, top });
}

/** svn breaks a long list of answers itself: an indented row belongs to the one above it that ends with a comma. */
function joinBroken(page: Page, line: WaitingLine): WaitingLine {
  const above = readTextAt(page, line.top - 1).trimEnd();
  if (!/^\s{2}/u.test(line.text) || !above.endsWith(",")) return line;
  return joinBroken(page, { ...line, top: line.top - 1, text: `${above} ${line.text.trim()}` });
}

/** `Choose [a/b/c]: ` below a row for each of them. */
function explains(items: readonly MenuItem[], { answers }: AnswerSet): boolean {
  return items.length === answers.length && items.every(({ value }, at) => value === answers[at]?.value);
}

/** One key answers with one character. */
function canType({ input }: WaitingLine, answers: readonly { readonly value: string }[]): boolean {
  return input !== "one_key" || answers.every(({ value }) => value.length === 1);
}

function readInline(
  rule: CompiledRule,
  page: Page,
  { answers, question, byDefault }: AnswerSet,
  line: WaitingLine,
): Reading {
  const placed = answers.map((answer) => ({ ...answer, row: line.row }));
  const above = readTextAt(page, line.top - 1).trim();
  const isAbove = !/\p{L}/u.test(question) && (question !== "" || /[?!.:]$/u.test(above)) && above !== "";
  const fullQuestion = isAbove ? above : /\p{L}/u.test(question) ? question : line.text.trim();
  const read = readMenuRows(
    rule,
    { question: fullQuestion, items: placed, byDefault },
    { line, top: line.top },
  );
  if (hasYesNo({ answers })) return read;
  // `[n/s/e/w]`: a letter means a yes or a no only beside the other one.
  return { ...read, choices: read.choices.map((choice) => ({ ...choice, intent: "other" })) };
}

/** A single row above a menu belongs to its question; longer text only explains it. */
function findHeading(page: Page, top: number, line: WaitingLine): { top: number; question: string } {
  const ownText = line.text.trim().replace(BARE_MARK, "");
  if (top === line.row) return { top, question: ownText };
  const row = isBlank(readTextAt(page, top - 1)) ? top - 2 : top - 1;
  const heading = readTextAt(page, row).trim();
  const isOneRow = isBlank(readTextAt(page, row - 1));
  if (heading === "" || RULED_ROW.test(heading)) return { top, question: ownText || line.text.trim() };
  return { top: row, question: isOneRow || row === top - 1 ? `${heading} ${ownText}`.trim() : ownText };
}

/** The default is named in the prompt, `(default p)`, `[2]`, or at the item itself. */
const NAMED_DEFAULT = /(?:\(default:? ?|[[(])([a-zA-Z0-9]{1,2})[\])] ?[:?>]?$/u;
const OWN_DEFAULT = /[[(]default[\])]/iu;

function findDefault(items: readonly MenuItem[], prompt: string): number | null {
  const named = NAMED_DEFAULT.exec(prompt.trim())?.[1];
  const [, sign = "*"] = /\[([*+])\]/u.exec(prompt) ?? [];
  const found = items.flatMap(({ value, label, sign: own = "" }, index) => {
    const isDefault = named === undefined ? own.includes(sign) || OWN_DEFAULT.test(label) : value === named;
    return isDefault ? [index + 1] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

interface Menu {
  readonly question: string;
  readonly items: readonly MenuItem[];
  readonly byDefault: number | null;
}

function readMenuRows(
  rule: CompiledRule,
  { question, items, byDefault }: Menu,
  place: { line: WaitingLine; top: number },
): Reading {
  const choices = items.map(({ label, value, detail, row }) => ({
    label,
    ...(detail !== undefined && { detail }),
    intent: findChoiceRule(rule, label)?.intent ?? ("other" as const),
    answer: chooseLineAnswer(rule, place.line, value),
    firstRow: row,
    lastRow: row,
  }));
  const constraints = {
    minChoice: 1,
    maxChoice: choices.length,
    ...(hasOwnNumbers(items) && { lettered: true }),
  };
  return { question, choices, highlighted: byDefault, constraints, top: place.top };
}

/** `0) none  1) red`: a written number means the printed one, so the choices get letters. */
function hasOwnNumbers(items: readonly MenuItem[]): boolean {
  return items.some(({ value }, at) => /^\d+$/u.test(value) && Number(value) !== at + 1);
}
