/** Matches rules for plain lines, on which a program waits for input. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { CompiledRule } from "../../adapter-format/compiled/compiled.js";
import { joinContent } from "../layout/content.js";
import { readDrawnRows, joinDrawn } from "../layout/drawn-rows.js";
import { LINE_ENDS } from "../live/draft-watch.js";
import { findScreenRows, isBlank, readTextAt, readTexts, type Page } from "../layout/layout.js";
import { readLine } from "./line-reading.js";
import { makeCandidate } from "./make-candidate.js";
import type { NoMatch } from "../layout/no-match.js";
import { matches } from "../../adapter-format/pattern.js";
import {
  isCommandLine,
  findMarkedQuestion,
  findWaitingLine,
  type LineSignals,
  type WaitingLine,
} from "../shapes/waiting-line.js";

/** Rows above the question in which `requires` is searched: a small box, a host key, a menu. */
const CONTEXT_ROWS_MAX = 20;
/** The most rows of the block above a question that are shown with it; most terminals have fewer. */
const CONTENT_ROWS_MAX = 120;
const SHORT_BLOCK_ROWS = 2;

export function matchLine(rule: CompiledRule, page: Page, signals: LineSignals): Candidate | NoMatch {
  const line = findWaitingLine(page, signals, rule.programs.length > 0);
  if (!line || isCommandLine(line, signals, rule.shape === "line")) return { missed: "line" };
  const isSecret = rule.promptType === "secret";
  const asked = isSecret ? line : findMarkedQuestion(page, line, signals);
  if (!asked) return { missed: "line" };
  const promptLine = withoutTail(page, rule, asked);
  const broken = findBrokenCondition(page, rule, promptLine, signals.ignoredPrompts);
  if (broken) return broken;
  const reading = readLine(rule, page, promptLine, signals);
  if (!reading) return explainUnread(rule, promptLine);
  const top = isSecret ? promptLine.row : findContextTop(page, reading.top);
  const isShown = !isSecret && rule.content !== "none";
  const content = {
    text: isShown ? joinContent(readTexts(page, top, promptLine.row), page.cols) : "",
    cut: isShown && goesOnAbove(page, top) ? { above: true as const } : null,
  };
  const shown = rule.content === "none" ? reading.top : top;
  const made = makeCandidate(rule, page, {
    ...reading,
    choices: reading.choices.map((choice) => ({ ...choice, ...findScreenRows(page, choice.firstRow) })),
    content,
    top,
    bottom: line.row,
    drawn: isSecret ? "" : joinDrawn(readDrawnRows(page, shown, line.row)),
  });
  const keys = reading.choices.flatMap(({ answer }) => (answer.by === "key" ? [answer.key] : []));
  return {
    ...made,
    ...(isShown && standsAbove(page, top) && { hasMoreAbove: true as const }),
    // A tool that hides the cursor redraws its line from time to time, with line feeds.
    ...(page.cursor.visible && { shape: rule.shape }),
    ...(rule.promptType === "free_text" && { textEntry: line.input === "line" ? "line" : "typed" }),
    committingKeys: [...LINE_ENDS, ...keys],
  };
}

/** Skips the rows of `tail` between the question and the cursor, such as the command it is about. */
function withoutTail(page: Page, rule: CompiledRule, line: WaitingLine): WaitingLine {
  if (rule.tail === null) return line;
  let { row } = line;
  while (row > 0 && matches(rule.tail, readTextAt(page, row))) row--;
  return { ...line, row, top: row, text: readTextAt(page, row) };
}

function findBrokenCondition(
  page: Page,
  rule: CompiledRule,
  { row, text }: WaitingLine,
  ignoredPrompts: readonly string[],
): NoMatch | null {
  const near = Array.from({ length: CONTEXT_ROWS_MAX }, (_, index) => readTextAt(page, row - index));
  const absent = rule.requires.find((pattern) => !near.some((each) => matches(pattern, each)));
  if (absent !== undefined) return { missed: "requires", pattern: absent };
  const forbids = rule.forbids.filter((pattern) => !ignoredPrompts.includes(pattern));
  const forbidden = forbids.find((pattern) => matches(pattern, text));
  return forbidden === undefined ? null : { missed: "forbids", pattern: forbidden, row };
}

function explainUnread({ question }: CompiledRule, { row, text }: WaitingLine): NoMatch {
  const isMatch = question === null || matches(question, text.trim());
  return isMatch ? { missed: "spelling", row } : { missed: "question", pattern: question, row };
}

/** The top of the block that ends with the question. A question in a block of its own takes the block above it as well. */
function findContextTop(page: Page, row: number): number {
  const top = findBlockTop(page, row, CONTENT_ROWS_MAX);
  const isAlone = top >= 2 && row - top < SHORT_BLOCK_ROWS && !isBlank(readTextAt(page, top - 2));
  return isAlone ? findBlockTop(page, top - 2, CONTENT_ROWS_MAX - (row - top)) : top;
}

function goesOnAbove({ view, rows }: Page, top: number): boolean {
  const above = top > 0 ? rows[top - 1]?.text : view.scrollback.at(-1);
  return above !== undefined && !isBlank(above);
}

/** Whether there is any text above the block: a plan, an explanation, or something unrelated. */
function standsAbove({ view, rows }: Page, top: number): boolean {
  return (
    rows.slice(0, top).some(({ text }) => !isBlank(text)) || view.scrollback.some((row) => !isBlank(row))
  );
}

function findBlockTop(page: Page, row: number, rowsMax: number): number {
  let top = row;
  while (top > 0 && row - top < rowsMax && !isBlank(readTextAt(page, top - 1))) top--;
  return top;
}
