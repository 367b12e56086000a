/** Matches questions that a tool draws itself and that a letter or a number answers: `? Deploy? (y/N)`, `? Pick one` above rows. */
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "../layout/content.js";
import { findHeader, type Header } from "../layout/header.js";
import {
  findLastDrawn,
  findScreenRows,
  readStyle,
  readTextAt,
  readTexts,
  type Page,
} from "../layout/layout.js";
import { makeCandidate, makeYesNo } from "./make-candidate.js";
import type { NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";
import { readAnswerSet, spellYesNo } from "../shapes/answers/answer-set.js";
import { readMenuBelow, type MenuItem } from "../shapes/line-menu.js";

interface DrawnLineReading {
  readonly choices: readonly CandidateChoice[];
  readonly highlighted: number | null;
}

export function matchDrawnLine(rule: CompiledRule, page: Page): Candidate | NoMatch {
  const bottom = findLastDrawn(page);
  const found = findHeader(page, rule, page.cursor.visible ? Math.min(page.cursor.row, bottom) : bottom);
  if (!found) return { missed: "header" };
  const header = splitQuestion(found);
  const absent = rule.requires.find((pattern) => !matches(pattern, header.rest));
  if (absent !== undefined) return { missed: "requires", pattern: absent };
  const reading = readAnswers(rule, page, header);
  if (!reading) return { missed: "spelling", row: header.row };
  const content = { text: joinContent(readTexts(page, header.row, bottom), page.cols), cut: null };
  const constraints = rule.shape === "line_menu" ? { minChoice: 1, maxChoice: reading.choices.length } : {};
  // Typed text, an error or a suggestion may be drawn behind and below the question, so none of it counts as content.
  const parts = { question: header.question, constraints, content, drawn: "", top: header.row, bottom };
  return makeCandidate(rule, page, { ...parts, ...reading });
}

/** Without colours only the brackets of the answer show where the question ends. */
const UNCOLOURED = /^(\S.{0,600}?) ([[(][a-zA-Z]{1,20}(?:\/[a-zA-Z]{1,20})?[)\]].{0,40})$/u;

function splitQuestion(header: Header): Header {
  const [, question, rest] = (header.rest === "" && UNCOLOURED.exec(header.question)) || [];
  return question === undefined || rest === undefined ? header : { ...header, question, rest };
}

function readAnswers(rule: CompiledRule, page: Page, header: Header): DrawnLineReading | null {
  if (rule.shape === "yes_no") return readYesNo(rule, page, header);
  if (rule.shape === "line_menu") return readLetters(rule, page, header) ?? readRowsBelow(rule, page, header);
  const whole = `${header.question} ${header.rest}`;
  return rule.question !== null && matches(rule.question, whole) ? { choices: [], highlighted: null } : null;
}

/** `(y/N)`, `› (Y/n)`; typed text follows. */
const GROUP = /^(?:[›‣] ?)?([[(][^()[\]]{1,40}[)\]])/u;

function readYesNo(rule: CompiledRule, page: Page, { row, rest }: Header): DrawnLineReading | null {
  const set = readAnswerSet(GROUP.exec(rest)?.[1] ?? "");
  const spelling = set && spellYesNo(set);
  if (!spelling) return null;
  const choices = makeYesNo(spelling, findScreenRows(page, row), (text) => chooseAnswer(rule, text));
  return { choices, highlighted: set.byDefault };
}

function chooseAnswer({ answer }: CompiledRule, text: string): ChoiceAnswer {
  return answer === "key" ? { by: "key", key: text.slice(0, 1) } : { by: "typed", text };
}

/**
 * `(Yadxh)`: one letter for each choice, `h` for help last, the upper case letter is the default. A pronounceable word in that place
 * would be the default of a text field, so it does not count, unless it ends in an upper case letter.
 */
const LETTERS = /^\(([a-zA-Z]{2,20}[hH])\)/u;
const UNPRONOUNCEABLE = /[b-df-hj-np-tv-xz]{3}/iu;

function readLetters(rule: CompiledRule, page: Page, { row, rest }: Header): DrawnLineReading | null {
  const word = LETTERS.exec(rest)?.[1] ?? "";
  const all = [...word];
  const upper = all.flatMap((letter, index) => (/[A-Z]/u.test(letter) ? [index + 1] : []));
  const isPronounced = !UNPRONOUNCEABLE.test(word) && !/^[a-z]+H$/u.test(word);
  const isWord = isPronounced || new Set(word.toLowerCase()).size < all.length;
  if (isWord || upper.length > 1) return null;
  const choices = all.map((letter) => makeChoice(rule, page, letter, letter.toLowerCase(), row));
  return { choices, highlighted: upper[0] ?? null };
}

function readRowsBelow(rule: CompiledRule, page: Page, { last }: Header): DrawnLineReading | null {
  const menu = readMenuBelow(page, last);
  if (!menu) return null;
  const choices = menu.items.map(({ label, value, row }) => makeChoice(rule, page, label, value, row));
  return { choices, highlighted: findDefaultRow(page, menu.items) };
}

/** The one row whose letter has another background than all others; it is the default. */
function findDefaultRow(page: Page, items: readonly MenuItem[]): number | null {
  const grounds = items.map(
    ({ row, value }) => readStyle(page, row, readTextAt(page, row).indexOf(value))?.background,
  );
  const odd = grounds.flatMap((ground, index) =>
    grounds.filter((other) => other === ground).length === 1 ? [index + 1] : [],
  );
  return odd.length === 1 && items.length > 2 ? (odd[0] ?? null) : null;
}

function makeChoice(
  rule: CompiledRule,
  page: Page,
  label: string,
  text: string,
  row: number,
): CandidateChoice {
  return { label, intent: "other", answer: chooseAnswer(rule, text), ...findScreenRows(page, row) };
}
