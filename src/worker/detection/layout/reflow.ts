/**
 * One question in two sizes. A tool draws it anew then: lines are broken elsewhere, and a wider screen shows more. Two letters that
 * touched on one row may only be parted by the end of a row, two that a blank parted may only be joined by it.
 */
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";

/** Ends a text that goes on where there is more room. */
const CUT = /[…↓]$/u;
/** What a box draws at both ends of a row, and a list at its beginning. */
const EDGES = /^\s*[│┃☐☑☒✓✔]?\s*|\s*[│┃]?\s*$/gu;
/** Where one row ends and the next begins, in a text made ready for comparison. */
const BREAK = "\n";

/**
 * Nothing that `before` shows is changed in `after`, and nothing of it is gone but what the tool says it hides at this size. More may
 * be there only where `before` was cut.
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

/** Equal, or one goes on where the other ends in `…`. Where room is short a tool writes `~` for the home directory. */
function isSameLabel(before: string, after: string): boolean {
  return [
    [before, after],
    [withoutHome(before), after],
    [before, withoutHome(after)],
  ].some(([a = "", b = ""]) => begins(a, b) || begins(b, a));
}

function begins(part: string, text: string): boolean {
  return holds(rowsOf(text), part, CUT.test(part) ? "beginning" : "all");
}

function withoutHome(text: string): string {
  return text.replace(/\/(?:home|Users)\/[^/]{1,64}\/|\/root\//gu, "~/");
}

function isContentKept(a: Candidate, b: Candidate): boolean {
  // Where only the question counts, what was typed or an error stands beside it.
  if (a.drawn === "" && b.drawn === "") return true;
  const [before, after] = [a.content, b.content];
  if (before.cut === null && after.cut === null) return holds(rowsOf(after.text), before.text, "all");
  const isMore = before.cut !== null && holds(rowsOf(after.text), before.text, "any");
  const isLess = after.cut !== null && after.text !== "" && holds(rowsOf(before.text), after.text, "any");
  return isMore || isLess;
}

function rowsOf(text: string): string {
  return text
    .split("\n")
    .map((row) => row.replace(EDGES, ""))
    .filter((row) => row !== "")
    .join(BREAK);
}

/** Whether `text` holds the rows of `part`, in their order: from its first to its last letter, from its first one, or anywhere. */
function holds(text: string, part: string, where: "all" | "beginning" | "any"): boolean {
  let at = 0;
  for (const row of rowsOf(part).split(BREAK)) {
    const piece = where === "all" ? row : row.replace(CUT, "");
    const begin = where === "any" ? findFrom(text, piece, at) : behindGap(text, at);
    const end = begin === null ? null : matchAt(text, piece, begin);
    if (end === null) return false;
    at = end;
  }
  return where !== "all" || behindGap(text, at) === text.length;
}

/** First place from `at` on where `piece` stands. */
function findFrom(text: string, piece: string, at: number): number | null {
  if (piece === "") return at;
  for (let begin = text.indexOf(piece[0] ?? "", at); begin >= 0;) {
    if (matchAt(text, piece, begin) !== null) return begin;
    begin = text.indexOf(piece[0] ?? "", begin + 1);
  }
  return null;
}

/** Behind `piece` if it stands at `begin`, whatever rows it is broken over. */
function matchAt(text: string, piece: string, begin: number): number | null {
  let at = begin;
  for (let index = 0; index < piece.length;) {
    const gap = behindGap(piece, index);
    if (gap > index) {
      // A blank is a blank, or the end of a row.
      const behind = behindGap(text, at);
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

function behindGap(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text[at] ?? "")) at++;
  return at;
}
