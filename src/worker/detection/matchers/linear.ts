/**
 * The last resort for tools that draw for a screen reader: a list in words (`linear-list.ts`), whatever words are around it. As with any
 * list that no rule describes, the score is the lowest and the content never counts as whole.
 */
import type { Candidate, CandidateChoice, ChoiceAnswer } from "../../../sdk/candidate.js";
import { findChoiceRule } from "../../adapter-format/compiled/choice-rule.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "../layout/content.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import {
  findScreenRows,
  isBlank,
  isContinuedBy,
  isSeparator,
  joinRows,
  readTextAt,
  readTexts,
  type Page,
} from "../layout/layout.js";
import { findAskedList, findCheckedList, type LinearItem, type LinearList } from "../shapes/linear-list.js";
import { ANY_LIST_RULE } from "./any-list-rule.js";
import { makeCandidate } from "./make-candidate.js";

export const LINEAR_LIST = "linear_list";

/** The same words classify the choices of both. */
const RULE: CompiledRule = { ...ANY_LIST_RULE, name: LINEAR_LIST, list: null };

const LABELS_THAT_END = /\b(?:exit|quit)\b/iu;
const CONTENT_ROWS_MAX = 20;

/** One that is answered on its last row, or one with a marked row. */
export function matchAskedList(page: Page): Candidate | null {
  const list = findAskedList(page);
  return list && makeLinearCandidate(page, list);
}

export function matchCheckedList(page: Page): Candidate | null {
  const list = findCheckedList(page);
  return list && makeLinearCandidate(page, list);
}

function makeLinearCandidate(page: Page, list: LinearList): Candidate {
  const top = findContentTop(page, list.top);
  const isYesNo = list.takes === "letter";
  const choices = list.items.map((item) => makeChoice(page, list, item));
  const candidate = makeCandidate(isYesNo ? { ...RULE, promptType: "yes_no" } : RULE, page, {
    question: findQuestion(page, top, list.top),
    choices,
    highlighted: list.highlighted === null ? null : list.highlighted + 1,
    constraints: isYesNo ? {} : { minChoice: 1, maxChoice: choices.length },
    content: { text: joinContent(readTexts(page, top, list.top - 1), page.cols), cut: {} },
    top,
    bottom: list.bottom,
    drawn: joinDrawn(readDrawnRows(page, top, list.top - 1)),
    listed: joinDrawn(readDrawnRows(page, list.top, list.items.at(-1)?.last ?? list.top)),
  });
  const ending = choices.flatMap(({ label }, index) => (LABELS_THAT_END.test(label) ? [index + 1] : []));
  return { ...candidate, ...(list.hasDraft && { hasDraft: true as const }), endsTool: ending };
}

function makeChoice(
  page: Page,
  { takes }: LinearList,
  { label, detail, value, first, last }: LinearItem,
): CandidateChoice {
  const answer: ChoiceAnswer = takes === "enter" ? { by: "arrows" } : { by: "line", text: value };
  const intent = findChoiceRule(RULE, label)?.intent ?? "other";
  return {
    label,
    intent,
    ...(detail !== undefined && { detail }),
    answer,
    ...findScreenRows(page, first, last),
  };
}

/** The content ends at a blank row above it that is not right above the list. */
function findContentTop(page: Page, listTop: number): number {
  let top = listTop;
  while (top > 0 && isBlank(readTextAt(page, top - 1))) top--;
  const isText = (row: number): boolean =>
    row >= 0 && !isBlank(readTextAt(page, row)) && !isSeparator(readTextAt(page, row));
  while (isText(top - 1) && listTop - top < CONTENT_ROWS_MAX) top--;
  return top;
}

/** The lowest row above the list that asks, with the rows that it continues; else what the text above the list begins with. */
function findQuestion(page: Page, top: number, listTop: number): string {
  const rows = Array.from({ length: listTop - top }, (_, index) => top + index).filter(
    (row) => !SAYS_NOTHING.test(readTextAt(page, row)),
  );
  const asking = rows.findLast((row) => ASKING.test(readTextAt(page, row)));
  const isWhole = listTop - top < CONTENT_ROWS_MAX;
  const last = asking ?? (isWhole ? rows[0] : rows.at(-1));
  if (last === undefined) return "";
  let first = last;
  while (first > top && isContinuedBy(readTextAt(page, first - 1), readTextAt(page, first), page.cols))
    first--;
  const text = joinRows(page, first, last).replace(/^(?:> |\? )/u, "");
  return asking === undefined ? text : text.slice(0, text.lastIndexOf("?") + 1);
}

const ASKING = /\?(?:\s|$)/u;

/** `[Screen Reader Mode: on]` is no content. */
const SAYS_NOTHING = /^\s*(?:\[[^\]]{0,80}\])?\s*$/u;
