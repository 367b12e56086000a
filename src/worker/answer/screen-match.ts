/** Compares live screens: whether the prompt is the same, the next key may be written, or a text is drawn. Pure. */
import type { Candidate, CandidateChoice } from "../../sdk/candidate.js";
import type { View } from "../../sdk/view.js";
import { describeMarks, isExactlySame, isSame, isSameSize } from "../detection/layout/fingerprint.js";
import type { TerminalPort } from "./terminal-port.js";
import type { Expected } from "./plan/plan-steps.js";

/** One instant of the terminal: the picture and what the rules found in it. */
export interface ScreenMoment {
  readonly view: View;
  readonly live: Candidate | null;
  /** The tool's input box; null: it is not drawn, something is asked, or the tool is not idle. */
  readonly composer: "empty" | "filled" | null;
}

export function captureMoment(port: TerminalPort): ScreenMoment {
  const [view, live] = [port.view(), port.detect()];
  const isOpen = live === null && port.detectState(view) === "idle";
  return { view, live, composer: isOpen ? (port.hasEmptyComposer(view) ? "empty" : "filled") : null };
}

/** Exactly the same question, the only one that gets keys. A screen that no rule reads must also look the same. */
export function isSamePrompt(raised: Candidate, live: Candidate | null): live is Candidate {
  if (live === null || !isSameSize(raised, live) || raised.looks !== live.looks) return false;
  if (isExactlySame(raised, live)) return true;
  if (raised.opened !== live.opened) return false;
  // Some rows are text fields only while they are highlighted.
  const isField = (choice: CandidateChoice, at: number): boolean =>
    choice.takesText !== live.choices[at]?.takesText;
  return (
    raised.choices.some(isField) && haveSameLabels(raised, live, () => true) && live.drawn === raised.drawn
  );
}

/** The same question, with another row marked or other rows ticked than `before`. */
export function hasMoved(raised: Candidate, before: ScreenMoment, { live }: ScreenMoment): boolean {
  return (
    before.live !== null && isSamePrompt(raised, live) && describeMarks(live) !== describeMarks(before.live)
  );
}

/** The same question, possibly drawn at another size. */
export function isSameAtAnySize(raised: Candidate, live: Candidate | null): live is Candidate {
  return live !== null && (isSamePrompt(raised, live) || (!isSameSize(raised, live) && isSame(raised, live)));
}

/** The same prompt with any text in its fields: only labels of rows that take text may differ. */
export function isSameButText(raised: Candidate, live: Candidate | null): live is Candidate {
  if (
    live === null ||
    raised.opened !== live.opened ||
    !haveSameLabels(withVisibleEnd(raised, live), live, ({ takesText }) => takesText === undefined)
  )
    return false;
  // A field that grows can push content off a small screen; content that is complete both times must be the same.
  const bothComplete = raised.content.cut === null && live.content.cut === null;
  return raised.drawn === live.drawn || (!bothComplete && isPartOf(raised.drawn, live.drawn));
}

/** Whether all rows of one are in the other in the same order, except rows that say how much is hidden. */
function isPartOf(a: string, b: string): boolean {
  const [fewer, more] = [a.split("\n"), b.split("\n")].toSorted((x, y) => x.length - y.length);
  let at = 0;
  return (fewer ?? []).every((row) => {
    if (row.trim() === "" || HIDDEN_ROWS.test(row)) return true;
    at = (more ?? []).indexOf(row, at) + 1;
    return at > 0;
  });
}

/** `… 12 lines hidden`, `↑ 3 more`. */
const HIDDEN_ROWS = /[…↑↓]|\.{3}/u;

/** Where content is cut, the beginning of the question may be cut, too. */
function withVisibleEnd(raised: Candidate, { question, content }: Candidate): Candidate {
  const isEnd = content.cut !== null && question !== "" && raised.question.endsWith(question);
  return isEnd ? { ...raised, question } : raised;
}

export function holdsOtherText(current: Candidate | undefined, next: Candidate): boolean {
  return current !== undefined && next.fingerprint !== current.fingerprint && isSameButText(current, next);
}

function haveSameLabels(
  raised: Candidate,
  live: Candidate,
  counts: (choice: CandidateChoice) => boolean,
): boolean {
  if (live.rule !== raised.rule || live.question !== raised.question) return false;
  if (live.choices.length !== raised.choices.length) return false;
  return raised.choices.every((choice, i) => !counts(choice) || choice.label === live.choices[i]?.label);
}

/** `before`: the screen at the previous write. */
export function meetsExpected(
  expected: Expected,
  raised: Candidate,
  before: ScreenMoment | null,
  now: ScreenMoment,
): boolean {
  if (!meetsIdentity(expected, raised, before, now)) return false;
  const at = now.live?.at ?? now.live?.highlighted;
  if (expected.highlighted !== undefined && at !== expected.highlighted) return false;
  const ticksMeet = (expected.ticked ?? []).every(
    ({ choice, on }) => now.live?.choices[choice - 1]?.checked === on,
  );
  if (!ticksMeet) return false;
  if (expected.field !== undefined && now.live?.field?.text !== expected.field) return false;
  if (expected.opened !== undefined && !(before && hasFieldOpened(expected.opened, before, now)))
    return false;
  return (
    expected.echo === undefined || (before !== null && findEchoRows(expected.echo, before, now).length > 0)
  );
}

function meetsIdentity(
  expected: Expected,
  raised: Candidate,
  before: ScreenMoment | null,
  now: ScreenMoment,
): boolean {
  const { identity } = expected;
  const { live } = now;
  switch (identity) {
    case "same":
      return isSamePrompt(raised, live);
    case "same_but_text":
      return isSameButText(raised, live);
    case "unrecognized":
      return live === null || live.rule === raised.rule;
    case "composer":
      return now.composer === (expected.echo === undefined ? "empty" : "filled");
    default:
      if ("typed" in identity) return before !== null && showsTyped(identity.typed, before, now.view);
      return live?.rule === identity.rule;
  }
}

/** The prompt's line shows the unchanged question followed by the text, and the cursor has not left the line. */
export function showsTyped(typed: string, before: ScreenMoment, now: View): boolean {
  const row = before.live?.region.bottom;
  if (row === undefined) return false;
  const { top, bottom } = findWholeLine(now, row);
  if (stripDrawing(joinRows(now, top, bottom)) !== stripDrawing(readLine(before.view, row) + typed))
    return false;
  const { y, visible } = now.cursor;
  // A tool that hides the cursor parks it below.
  return y >= top && y <= (visible ? bottom : bottom + 1);
}

function findWholeLine(view: View, row: number): { top: number; bottom: number } {
  let [top, bottom] = [row, row];
  while (top > 0 && view.lines[top]?.wrapped) top -= 1;
  while (view.lines[bottom + 1]?.wrapped) bottom += 1;
  return { top, bottom };
}

function joinRows(view: View, top: number, bottom: number): string {
  return view.lines
    .slice(top, bottom + 1)
    .map(({ text }) => text)
    .join("");
}

function hasFieldOpened(choice: number, before: ScreenMoment, now: ScreenMoment): boolean {
  const row = now.live?.choices[choice - 1];
  const earlier = before.live?.choices[choice - 1];
  if (!row || !earlier) return false;
  const text = readRows(now.view, row.firstRow, row.lastRow).join("");
  if (text !== readRows(before.view, earlier.firstRow, earlier.lastRow).join("")) return true;
  const { x, y } = now.view.cursor;
  const moved = x !== before.view.cursor.x || y !== before.view.cursor.y;
  return moved && y >= row.firstRow && y <= row.lastRow;
}

/** A narrow or a scrolled field shows the end of its text. */
const NEEDLE_LENGTH = 24;

/** Agents fold a long paste: `[Pasted text #1 +12 lines]`, `[Pasted Content 1200 chars]`, `[Pasted ~12 lines]`. */
const FOLDED_PASTE = /\[Pasted[A-Za-z#0-9+~]/;

/** The new rows that show the text; empty when it is not drawn. */
export function findEchoRows(text: string, before: ScreenMoment, now: ScreenMoment): readonly string[] {
  const fresh = findNewRows(readFieldRows(before), readFieldRows(now));
  const needle = [...stripDrawing(text)].slice(-NEEDLE_LENGTH).join("");
  if (needle === "") return [];
  const joined = fresh.join("");
  const isSeen = joined.includes(needle) || FOLDED_PASTE.test(joined) || isSpreadOverRows(needle, fresh);
  return isSeen ? fresh : [];
}

/** Any row may contain a shorter piece of a text. */
const PIECE_LENGTH_MIN = 4;

/** A field may wrap the text in a column beside its explanation. */
function isSpreadOverRows(text: string, rows: readonly string[]): boolean {
  let left = text;
  for (const row of rows) {
    let length = left.length;
    while (length > 0 && !row.includes(left.slice(0, length))) length--;
    if (length >= PIECE_LENGTH_MIN || length === left.length) left = left.slice(length);
  }
  return left === "";
}

export function countRowsLeft(rows: readonly string[], now: Pick<ScreenMoment, "view" | "live">): number {
  return rows.length - findNewRows(readFieldRows(now), rows).length;
}

/** The rows of the prompt, or the whole screen where no rule reads it. */
function readFieldRows({ view, live }: Pick<ScreenMoment, "view" | "live">): readonly string[] {
  return live === null
    ? readRows(view, 0, view.rows - 1)
    : readRows(view, live.region.top, live.region.bottom);
}

function readRows(view: View, top: number, bottom: number): readonly string[] {
  return view.lines
    .slice(top, bottom + 1)
    .map(({ text }) => stripDrawing(text))
    .filter((text) => text !== "");
}

/** Rows of `after` that `before` does not have, each as often as it is new. */
export function findNewRows(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const row of before) left.set(row, (left.get(row) ?? 0) + 1);
  return after.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}

/** Blanks and the borders of boxes. */
const DRAWING = /[\s\u00a0\u2500-\u259f]/g;

function stripDrawing(text: string): string {
  return text.replace(DRAWING, "");
}

/** Whether the terminal took the typed line: it shows the question with the answer behind it once more than before. */
export function isLineTaken(typed: string, before: View, now: View): boolean {
  const askedLine = readLine(before, before.cursor.y);
  const answered = stripDrawing(askedLine + typed);
  const count = (view: View): number => readAllLines(view).filter((line) => line === answered).length;
  return count(now) > count(before);
}

function readLine(view: View, row: number): string {
  return joinRows(view, findWholeLine(view, row).top, row);
}

export function readAllLines(view: View): readonly string[] {
  const drawn = view.lines.flatMap((_, row) => (view.lines[row + 1]?.wrapped ? [] : [readLine(view, row)]));
  return [...view.scrollback, ...drawn].map(stripDrawing);
}
