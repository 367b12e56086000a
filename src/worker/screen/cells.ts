/**
 * The emulator's own cells of a row. It keeps them to itself, and through its public reader, cell by cell, a large screen takes a tenth
 * of a second (ADR 20). It is pinned and bundled, and a test holds every row that is read from here against the public reader.
 */
import type { IBufferLine } from "@xterm/headless";
import { invariant } from "../../model/errors.js";

/** Each cell is three words: what stands in it, its ink, its ground. */
export const CELL_WORDS = 3;

/** All that a style tells, in the second word: colour, bold, inverse, underline, invisible, strikethrough; no blinking. */
export const INK = 0xdfff_ffff;
/** The same in the third word: colour, dim, and what is kept elsewhere; no italics. */
export const GROUND = 0x1bff_ffff;

/** The first word: the character, whether marks are joined to it that are kept elsewhere, and its width. */
const CHARACTER = 0x1f_ffff;
const JOINED = 0x20_0000;
const WIDTH_SHIFT = 22;
/** The third word says that a kind of underline or a link is kept elsewhere. */
const EXTENDED = 0x1000_0000;

interface Cells {
  /** Stays the same while the row moves over the screen. */
  readonly owner: object;
  /** Not a copy: they change with the screen. */
  readonly words: Uint32Array;
}

/** The first `cols` cells of a row: those that a smaller screen has cut off are kept, too, and are not to be seen. */
export function cellsOfRow(line: IBufferLine, cols: number): Cells {
  const owner = (line as { _line?: { _data?: unknown } })._line;
  const words = owner?._data;
  invariant(owner !== undefined && words instanceof Uint32Array, "the emulator keeps its cells elsewhere");
  return { owner, words: words.subarray(0, cols * CELL_WORDS) };
}

/** Of a wide character, or a mark that had nothing to be joined to. */
export function isSecondHalf(content: number): boolean {
  return content >>> WIDTH_SHIFT === 0;
}

/** Whether equal words mean an equal row: what is kept elsewhere changes without them. */
export function isAllThere(words: Uint32Array): boolean {
  for (let at = 0; at < words.length; at += CELL_WORDS)
    if (((words[at] ?? 0) & JOINED) !== 0 || ((words[at + 2] ?? 0) & EXTENDED) !== 0) return false;
  return true;
}

let units = new Uint16Array(0);

/** What stands in some cells, blanks where nothing does; null where marks are joined to it. */
export function textOfCells(words: Uint32Array, start: number, end: number): string | null {
  const most = 2 * (end - start);
  if (units.length < most) units = new Uint16Array(most);
  let length = 0;
  for (let x = start; x < end; x++) {
    const content = words[x * CELL_WORDS] ?? 0;
    const character = content & CHARACTER;
    if ((content & JOINED) !== 0) return null;
    if (character > 0xffff) {
      units[length++] = 0xd800 + ((character - 0x1_0000) >> 10);
      units[length++] = 0xdc00 + (character & 0x3ff);
    } else if (character !== 0) units[length++] = character;
    else if (!isSecondHalf(content)) units[length++] = BLANK;
  }
  return Buffer.from(units.buffer, 0, length * units.BYTES_PER_ELEMENT).toString("utf16le");
}

const BLANK = 0x20;
