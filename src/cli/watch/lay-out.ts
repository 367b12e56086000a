/** Fits text into a terminal's columns: wrapped, truncated, styled. Pure. The input was sanitized before. */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

const ESC = "\u001b[";
const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    `${ESC}${on}m${text}${ESC}${off}m`;

/** Only styles that every terminal supports, dark or light; colours repeat what the text says. */
export const bold = sgr(1, 22);
export const dim = sgr(2, 22);
export const inverse = sgr(7, 27);
export const yellow = sgr(33, 39);
export const red = sgr(31, 39);

/** One line of at most `cols`, marked with `…` if truncated. */
export function fit(line: string, cols: number): string {
  return truncateToWidth(line.replace(/[\t\n]/g, " "), cols, "…");
}

/** The left part is truncated in favour of the right one. */
export function placeLeftAndRight(left: string, right: string, cols: number): string {
  const room = cols - visibleWidth(right) - 1;
  if (room < cols / 3) return fit(left, cols);
  const cut = fit(left, room);
  return `${cut}${" ".repeat(room - visibleWidth(cut) + 1)}${right}`;
}

export function rule(cols: number, said = ""): string {
  return dim(fit(`──${said === "" ? "" : ` ${said} `}${"─".repeat(cols)}`.slice(0, Math.max(0, cols)), cols));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Each of these characters takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const TAB = "→   ";

/** Wraps every line completely. Nothing is omitted and blanks are kept, because the content is often code. */
export function wrapText(text: string, cols: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", TAB), Math.max(1, cols)));
}

function wrapLine(line: string, cols: number): string[] {
  if (line === "") return [""];
  if (PLAIN.test(line)) return (line.match(new RegExp(`.{1,${cols}}`, "g")) ?? []).map(String);
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    const needs = visibleWidth(segment);
    if (width + needs > cols) {
      rows.push(row);
      [row, width] = ["", 0];
    }
    row += segment;
    width += needs;
  }
  return [...rows, row];
}

/** Wraps our own text between words into at most `max` lines; the last one ends in `…` if something is missing. */
export function wrapWords(text: string, cols: number, max: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s/)) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    if (line === undefined || (visibleWidth(longer) > cols && lines.length < max)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => fit(line, cols));
}

/** `height` lines starting at `from`, or fewer at the end. */
export function sliceWindow(lines: readonly string[], from: number, height: number): readonly string[] {
  const first = Math.max(0, Math.min(from, lines.length - height));
  return lines.slice(first, first + height);
}

/** The first line of a window with that height that shows the lines `from` to `to`, as close to the top as possible. */
export function computeWindowStart(from: number, to: number, height: number): number {
  return Math.max(0, Math.min(from, to + 1 - height));
}

/** Exactly `height` lines. */
export function fillHeight(lines: readonly string[], height: number): readonly string[] {
  return Array.from({ length: Math.max(0, height) }, (_, at) => lines[at] ?? "");
}
