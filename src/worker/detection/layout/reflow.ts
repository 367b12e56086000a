/**
 * Compares a prompt at two terminal sizes, where the tool wraps it differently and a wider screen shows more. A row may end at another
 * place only where it was full; nothing else may change.
 */
import type { SafetyClass } from "../../../model/prompt.js";
import type { Candidate, CandidateChoice } from "../../../sdk/candidate.js";
import { measureWidth } from "../../screen/widths.js";
import { measureIndent } from "./layout.js";

/** Ends a text that the tool shortened for lack of room. */
const CUT = /\s*[…↓]$/u;
/** Box sides at both ends of a row, and ticks at its beginning. */
const LEFT_EDGE = /^\s*[│┃☐☑☒✓✔]/u;
const RIGHT_EDGE = /\s*[│┃]?\s*$/u;
/** The row end in a wrapped text. */
const BREAK = "\n";
/** So many blanks push what follows to the right end of its row: how many there are depends on the terminal's size. */
const ALIGNING_BLANKS_MIN = 8;

/** What these approve may be a command, in which a row end, an indent and a blank are not the same. */
const COMPARED_STRICTLY: ReadonlySet<SafetyClass> = new Set<SafetyClass>(["permission", "plan"]);

/** A text as it is drawn, without the edges of its rows. */
interface Wrapped {
  readonly text: string;
  /** The most columns that the tool uses. Null: any blanks and row ends may take each other's place. */
  readonly cols: number | null;
  /** The widths of its rows, by where they end. */
  readonly widths: ReadonlyMap<number, number>;
}

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
  const [whole, shown] = [wrap(text), wrap(part.replace(CUT, ""))];
  const end = matchAt(whole, 0, shown, { from: 0, to: shown.text.length });
  return end !== null && (CUT.test(part) || end === whole.text.length);
}

function withoutHome(text: string): string {
  return text.replace(/\/(?:home|Users)\/[^/]{1,64}\/|\/root\//gu, "~/");
}

function isContentKept(a: Candidate, b: Candidate): boolean {
  // Where only the question identifies the prompt, typed text or an error may be drawn beside it.
  if (a.drawn === "" && b.drawn === "") return true;
  const [before, after] = [wrapContent(a), wrapContent(b)];
  if (a.content.cut === null && b.content.cut === null)
    return matchAt(after, 0, before, { from: 0, to: before.text.length }) === after.text.length;
  const isMore = a.content.cut !== null && includesRows(after, before);
  const isLess = b.content.cut !== null && b.content.text !== "" && includesRows(before, after);
  return isMore || isLess;
}

function wrapContent({ content, size, safetyClass, margin = 0 }: Candidate): Wrapped {
  return wrap(content.text, COMPARED_STRICTLY.has(safetyClass) ? size.cols - margin : null);
}

function wrap(drawn: string, cols: number | null = null): Wrapped {
  const all = drawn.split("\n").map((row) => {
    const shown = row.replace(RIGHT_EDGE, "");
    const text = shown.replace(LEFT_EDGE, "");
    return { width: measureWidth(shown), text: cols === null ? text.trim() : text };
  });
  const isText = (row: { text: string }): boolean => row.text.trim() !== "";
  const rows =
    cols === null ? all.filter(isText) : all.slice(all.findIndex(isText), all.findLastIndex(isText) + 1);
  const widths = new Map<number, number>();
  let end = 0;
  for (const { text, width } of rows) {
    widths.set(end + text.length, width);
    end += text.length + BREAK.length;
  }
  return { text: rows.map((row) => row.text).join(BREAK), cols, widths };
}

/** Whether `whole` holds the rows of `part` in their order, with others between them. */
function includesRows(whole: Wrapped, part: Wrapped): boolean {
  let at = 0;
  for (const { 0: row, index } of part.text.matchAll(/\S.*/gu)) {
    const end = findFrom(whole, at, part, { from: index, to: index + row.replace(CUT, "").length });
    if (end === null) return false;
    at = end;
  }
  return true;
}

/** A piece of a text: positions of characters. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/** The end of the first match of the piece from `at` on. */
function findFrom(whole: Wrapped, at: number, part: Wrapped, piece: Piece): number | null {
  if (piece.to === piece.from) return at;
  const first = part.text[piece.from] ?? "";
  for (let begin = whole.text.indexOf(first, at); begin >= 0; begin = whole.text.indexOf(first, begin + 1)) {
    const end = matchAt(whole, begin, part, piece);
    if (end !== null) return end;
  }
  return null;
}

/** The end of the piece of `part` if `whole` holds it at `begin`; else null. */
function matchAt(whole: Wrapped, begin: number, part: Wrapped, { from, to }: Piece): number | null {
  let [at, index] = [begin, from];
  while (index < to) {
    const gaps = [readGap(whole, at), readGap(part, index)] as const;
    if (gaps[0].text + gaps[1].text === "") {
      if (whole.text[at] !== part.text[index]) return null;
      [at, index] = [at + 1, index + 1];
    } else {
      if (!isSameGap(...gaps)) return null;
      [at, index] = [gaps[0].end, gaps[1].end];
    }
  }
  return at;
}

/** Blanks and row ends between two letters. */
interface Gap {
  readonly text: string;
  readonly end: number;
  readonly of: Wrapped;
}

function readGap(of: Wrapped, at: number): Gap {
  let end = at;
  while (/\s/u.test(of.text[end] ?? "")) end++;
  return { text: of.text.slice(at, end), end, of };
}

/** Equal, or the row that ends in one of them, or the rows in both, were full. */
function isSameGap(a: Gap, b: Gap): boolean {
  if (a.of.cols === null) return (a.text !== "" && b.text !== "") || a.text + b.text === BREAK;
  if (a.text === b.text) return true;
  const [broken, other] = a.text.includes(BREAK) ? [a, b] : [b, a];
  if (!broken.text.includes(BREAK)) return [a, b].every(({ text }) => text.length >= ALIGNING_BLANKS_MIN);
  const blanks = other.text.includes(BREAK) ? 1 : other.text.length;
  return [a, b].every((gap) => !gap.text.includes(BREAK) || isWrap(gap, blanks));
}

/**
 * Whether what follows, behind so many blanks, did not fit into the row. Tools cut a long word at different places, so a cut word is none that
 * was wrapped.
 */
function isWrap({ of: { text, cols, widths }, ...gap }: Gap, blanks: number): boolean {
  const begin = gap.end - gap.text.length;
  const row = text.slice(text.lastIndexOf(BREAK, begin - 1) + 1, begin);
  const next = /^\S*/u.exec(text.slice(gap.end))?.[0] ?? "";
  const isNextRow = gap.text.split(BREAK).length === 2 && gap.text.length - 1 <= measureIndent(row);
  const width = (widths.get(begin) ?? 0) + blanks + measureWidth(next);
  return isNextRow && blanks > 0 && width > (cols ?? 0);
}
