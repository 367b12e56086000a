/**
 * Removes the breaks from long words that were wrapped at the edge of a screen or box. A break is only assumed to be a wrap:
 * secrets found across one are checked again (`find-secrets.ts`). Pure.
 */

export interface Unwrapped {
  readonly text: string;
  readonly breaks: readonly Break[];
}

export interface Break {
  readonly at: number;
  /** From unwrapped to original positions after it. */
  readonly shift: number;
  /** The line reached the edge, because none above is longer. */
  readonly isAtEdge: boolean;
  /** A blank was removed with it. */
  readonly isBlank: boolean;
}

/** What was at the end of the row: nothing within a word, or a blank. */
export type Joint = "" | " ";

/** What a dialog draws to the left of its text. */
const LEFT = /^[ \t]{0,40}(?:[│┃|▏▌║>] ?)?[ \t]{0,40}/;
/** Characters of tokens, on both sides of a break. */
const TOKEN_END = /[A-Za-z0-9_+/=.:~%@-]$/;
const TOKEN_START = /^["']?[A-Za-z0-9_+/=.~%@-]/;
/** A narrower box contains no dialog; a shorter line was not full when it was broken. */
const WIDTH_MIN = 16;

interface TextRow {
  /** Positions in the whole text: first and last character of the row's text. */
  readonly start: number;
  readonly end: number;
  readonly width: number;
}

export function unwrap(text: string, joint: Joint): Unwrapped | null {
  const rows = splitRows(text);
  if (rows.length < 2) return null;
  const parts: string[] = [];
  const breaks: Break[] = [];
  const edge = rows.reduce((most, { width }) => Math.max(most, width), 0);
  let from = 0;
  let length = 0;
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    const isBlank = joint === " ";
    if (!next || !(isBlank ? isWordWrapped(text, row, next, edge) : isWrapped(text, row, next))) continue;
    parts.push(text.slice(from, row.end), joint);
    length += row.end - from + joint.length;
    breaks.push({ at: length, shift: next.start - length, isAtEdge: row.width === edge, isBlank });
    from = next.start;
  }
  if (breaks.length === 0) return null;
  parts.push(text.slice(from));
  return { text: parts.join(""), breaks };
}

function splitRows(text: string): TextRow[] {
  const rows: TextRow[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const left = LEFT.exec(line)?.[0].length ?? 0;
    const right = findRightEdge(line, left);
    rows.push({ start: at + left, end: at + right, width: right });
    at += line.length + 1;
  }
  return rows;
}

/** No pattern with `$`: it is quadratic on a line of blanks. */
function findRightEdge(line: string, left: number): number {
  const trimmed = line.trimEnd();
  const inner = /[│┃|▕▐║]$/.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed;
  return Math.max(left, inner.length);
}

/** The word did not fit. */
function isWrapped(text: string, row: TextRow, next: TextRow): boolean {
  if (row.width < WIDTH_MIN || row.end <= row.start || next.end <= next.start) return false;
  const below = text.slice(next.start, next.end);
  const wordEnd = next.width - below.length + below.search(/\s|$/);
  return wordEnd <= row.width && TOKEN_END.test(text.slice(row.end - 1, row.end)) && TOKEN_START.test(below);
}

/** The next word did not fit, or the row ended with the blank. */
function isWordWrapped(text: string, row: TextRow, next: TextRow, edge: number): boolean {
  if (row.width < WIDTH_MIN || row.end <= row.start || next.end <= next.start) return false;
  const word = text.slice(next.start, next.end).search(/\s|$/);
  return row.width + 1 >= edge || row.width + 1 + word > edge;
}

/** The position in the original text of the character at `position` of the unwrapped text. */
export function toOriginalPosition(breaks: readonly Break[], position: number): number {
  return position + (breaks[countBefore(breaks, position) - 1]?.shift ?? 0);
}

export function countBefore(breaks: readonly Break[], position: number): number {
  let low = 0;
  let high = breaks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((breaks[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
