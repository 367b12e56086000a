/**
 * Compares a prompt at two terminal sizes, where the tool wraps it differently and a wider screen shows more. Nothing else may change. Of
 * a permission and a plan not even that: no picture tells a wrapped row from a line break, and a program may choose the size at which
 * another command looks like a wrapped one.
 */
import type { SafetyClass } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import { isContinuedBy } from "./layout.js";

/** Ends a text that the tool shortened for lack of room. */
const CUT = /\s*[…↓]$/u;
/** Box sides at both ends of a row, and ticks at its beginning. */
const EDGES = /^\s*[│┃☐☑☒✓✔]|\s*[│┃]?\s*$/gu;
const BREAK = "\n";

/** Columns of its head that a tool leaves free, those to its left included, besides the two of `isContinuedBy`: measured at two tools. */
const HEAD_MARGIN = 4;

/** What these approve may be a command, in which a row end, an indent and a blank are not the same. */
const COMPARED_BY_ROWS: ReadonlySet<SafetyClass> = new Set<SafetyClass>(["permission", "plan"]);

/**
 * Whether `after` shows everything that `before` shows, apart from what the tool marks as cut at this size. It may show more only
 * where `before` was cut. A permission and a plan must show the same rows (see `hasSameRows`).
 */
export function isSameAtAnotherSize(before: Candidate, after: Candidate): boolean {
  return (
    before.rule === after.rule &&
    isSameLabel(before.question, after.question) &&
    before.choices.length === after.choices.length &&
    before.choices.every((choice, index) => isSameChoice(choice, after.choices[index])) &&
    (COMPARED_BY_ROWS.has(before.safetyClass) ? hasSameRows(before, after) : isContentKept(before, after))
  );
}

function isSameChoice(before: CandidateChoice, after: CandidateChoice | undefined): boolean {
  if (after === undefined || before.takesText !== after.takesText) return false;
  return before.takesText !== undefined || isSameLabel(before.label, after.label);
}

/** Equal, or one continues where the other ends in `…`. For lack of room a tool may write `~` for the home directory. */
function isSameLabel(before: string, after: string): boolean {
  return [
    [before, after],
    [withoutHome(before), after],
    [before, withoutHome(after)],
  ].some(([a = "", b = ""]) => isBeginningOf(a, b) || isBeginningOf(b, a));
}

function isBeginningOf(part: string, text: string): boolean {
  const [whole, shown] = [joinRows(text), joinRows(part.replace(CUT, ""))];
  const end = matchAt(whole, 0, shown);
  return end !== null && (CUT.test(part) || end === whole.length);
}

function withoutHome(text: string): string {
  return text.replace(/\/(?:home|Users)\/[^/]{1,64}\/|\/root\//gu, "~/");
}

/** Only title and description may wrap differently, where the rule says that they are above a drawn line (`title_above_line`). */
function hasSameRows(a: Candidate, b: Candidate): boolean {
  if ((a.content.cut === null) !== (b.content.cut === null) || readInk(a) !== readInk(b)) return false;
  if (a.content.text === b.content.text) return true;
  const [before, after] = [splitHead(a), splitHead(b)];
  return (
    before !== null && after !== null && before.rest === after.rest && isWrapped(before.head, after.head)
  );
}

/** Everything except lines and blanks: rules may read a `|` beside a frame as a part of it. */
function readInk({ drawn }: Candidate): string {
  return drawn.replace(/[\s\u2500-\u259f]+/gu, " ").trim();
}

interface WordSpan {
  readonly text: string;
  /** The gap before it; `full`: the end of a row in which it had no room. */
  readonly gap: "blank" | "row end" | "full";
}

/** Null if any row may be a part of the command. */
function splitHead({ content, parts = [], size, hasTitleAboveLine }: Candidate) {
  const [head = "", ...rest] = parts;
  const isWhole = content.cut === null && squeeze(content.text) === squeeze(parts.join(""));
  if (!hasTitleAboveLine || rest.length === 0 || !isWhole) return null;
  return { head: splitWords(head, size.cols - HEAD_MARGIN), rest: rest.join(`${BREAK}─${BREAK}`) };
}

function splitWords(text: string, cols: number): readonly WordSpan[] {
  const rows = text.split(BREAK);
  return rows.flatMap((row, at) => {
    const gap = isContinuedBy(rows[at - 1] ?? "", row, cols) ? "full" : "row end";
    return row.split(" ").map((word, index) => ({ text: word, gap: index > 0 ? "blank" : gap }));
  });
}

function isWrapped(a: readonly WordSpan[], b: readonly WordSpan[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, gap }, index) => {
      const other = b[index];
      return text === other?.text && (gap === other.gap || gap === "full" || other.gap === "full");
    })
  );
}

function squeeze(text: string): string {
  return text.replace(/\s/gu, "");
}

function isContentKept(a: Candidate, b: Candidate): boolean {
  // Where only the question identifies the prompt, typed text or an error may be drawn beside it.
  if (a.drawn === "" && b.drawn === "") return true;
  const [before, after] = [joinRows(a.content.text), joinRows(b.content.text)];
  if (a.content.cut === null && b.content.cut === null) return matchAt(after, 0, before) === after.length;
  const isMore = a.content.cut !== null && includesRows(after, before);
  const isLess = b.content.cut !== null && b.content.text !== "" && includesRows(before, after);
  return isMore || isLess;
}

/** The rows without their edges and without blank ones. */
function joinRows(drawn: string): string {
  const rows = drawn.split(BREAK).map((row) => row.replace(EDGES, "").trim());
  return rows.filter((row) => row !== "").join(BREAK);
}

/** Whether `whole` holds the rows of `part` in their order, with others between them. */
function includesRows(whole: string, part: string): boolean {
  let at = 0;
  for (const row of part.split(BREAK)) {
    const end = findFrom(whole, at, row.replace(CUT, ""));
    if (end === null) return false;
    at = end;
  }
  return true;
}

/** The end of the first match of the text from `at` on. */
function findFrom(whole: string, at: number, text: string): number | null {
  if (text === "") return at;
  const first = text[0] ?? "";
  for (let begin = whole.indexOf(first, at); begin >= 0; begin = whole.indexOf(first, begin + 1)) {
    const end = matchAt(whole, begin, text);
    if (end !== null) return end;
  }
  return null;
}

/** The end of the text if `whole` holds it at `begin`, with any blanks and row ends in each other's place; else null. */
function matchAt(whole: string, begin: number, text: string): number | null {
  let [at, index] = [begin, 0];
  while (index < text.length) {
    const [a, b] = [readGap(whole, at), readGap(text, index)];
    if (a + b === "") {
      if (whole[at] !== text[index]) return null;
      [at, index] = [at + 1, index + 1];
    } else {
      if ((a === "" || b === "") && a + b !== BREAK) return null;
      [at, index] = [at + a.length, index + b.length];
    }
  }
  return at;
}

function readGap(text: string, at: number): string {
  let end = at;
  while (/\s/u.test(text[end] ?? "")) end++;
  return text.slice(at, end);
}
