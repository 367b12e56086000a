/**
 * Compares a prompt at two terminal sizes, where the tool wraps it differently and a wider screen shows more. A row end may appear
 * between two characters, or take the place of a blank; nothing else may change.
 */
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";

/** Ends a text that the tool shortened for lack of room. */
const CUT = /[…↓]$/u;
/** Box sides at both ends of a row, and ticks at its beginning. */
const EDGES = /^\s*[│┃☐☑☒✓✔]?\s*|\s*[│┃]?\s*$/gu;
/** The row end in a normalized text. */
const BREAK = "\n";

/**
 * Whether `after` shows everything that `before` shows, apart from what the tool marks as cut at this size. It may show more only
 * where `before` was cut.
 */
export function isSameAtAnotherSize(before: Candidate, after: Candidate): boolean {
  return (
    before.rule === after.rule &&
    isSameLabel(before.question, after.question) &&
    before.choices.length === after.choices.length &&
    before.choices.every((choice, index) => isSameChoice(choice, after.choices[index])) &&
    isContentKept(before, after)
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
  return includesRows(normalizeRows(text), part, CUT.test(part) ? "beginning" : "all");
}

function withoutHome(text: string): string {
  return text.replace(/\/(?:home|Users)\/[^/]{1,64}\/|\/root\//gu, "~/");
}

function isContentKept(a: Candidate, b: Candidate): boolean {
  // Where only the question identifies the prompt, typed text or an error may be drawn beside it.
  if (a.drawn === "" && b.drawn === "") return true;
  const [before, after] = [a.content, b.content];
  if (before.cut === null && after.cut === null)
    return includesRows(normalizeRows(after.text), before.text, "all");
  const isMore = before.cut !== null && includesRows(normalizeRows(after.text), before.text, "any");
  const isLess =
    after.cut !== null && after.text !== "" && includesRows(normalizeRows(before.text), after.text, "any");
  return isMore || isLess;
}

function normalizeRows(text: string): string {
  return text
    .split("\n")
    .map((row) => row.replace(EDGES, ""))
    .filter((row) => row !== "")
    .join(BREAK);
}

/** Whether `text` holds the rows of `part`, in their order: from its first to its last letter, from its first one, or anywhere. */
function includesRows(text: string, part: string, where: "all" | "beginning" | "any"): boolean {
  let at = 0;
  for (const row of normalizeRows(part).split(BREAK)) {
    const piece = where === "all" ? row : row.replace(CUT, "");
    const begin = where === "any" ? findFrom(text, piece, at) : skipGap(text, at);
    const end = begin === null ? null : matchAt(text, piece, begin);
    if (end === null) return false;
    at = end;
  }
  return where !== "all" || skipGap(text, at) === text.length;
}

/** The first position from `at` on where `piece` matches. */
function findFrom(text: string, piece: string, at: number): number | null {
  if (piece === "") return at;
  for (let begin = text.indexOf(piece[0] ?? "", at); begin >= 0;) {
    if (matchAt(text, piece, begin) !== null) return begin;
    begin = text.indexOf(piece[0] ?? "", begin + 1);
  }
  return null;
}

/** The end of `piece` if it matches at `begin`, over however many rows; else null. */
function matchAt(text: string, piece: string, begin: number): number | null {
  let at = begin;
  for (let index = 0; index < piece.length;) {
    const gap = skipGap(piece, index);
    if (gap > index) {
      // A blank in the piece matches a blank or a row end.
      const behind = skipGap(text, at);
      if (behind === at) return null;
      [index, at] = [gap, behind];
    } else {
      if (index > 0 && text[at] === BREAK) at++;
      if (text[at] !== piece[index]) return null;
      [index, at] = [index + 1, at + 1];
    }
  }
  return at;
}

function skipGap(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text[at] ?? "")) at++;
  return at;
}
