/**
 * Reads the emulator's own cells of a row. They are internal to it, but its public reader goes cell by cell and takes a tenth of a
 * second for a large screen (ADR 20). The emulator is pinned and bundled, and a test compares every row that is read here with the
 * public reader.
 */
import type { IBufferLine } from "@xterm/headless";
import { assertInvariant } from "../../model/errors.js";

/** Each cell takes three words: its content, its foreground and its background. */
export const CELL_WORDS = 3;

/** The bits of the second word that make up a style: colour, bold, inverse, underline, invisible, strikethrough; not blinking. */
export const INK = 0xdfff_ffff;
/** The same for the third word: colour, dim, and references to data kept elsewhere; not italics. */
export const GROUND = 0x1bff_ffff;

/** The first word holds the character, its width, and whether combining marks are joined to it that are kept elsewhere. */
const CHARACTER = 0x1f_ffff;
const JOINED = 0x20_0000;
const WIDTH_SHIFT = 22;
/** The third word says that a kind of underline or a link is kept elsewhere. */
const EXTENDED = 0x1000_0000;

interface RowCells {
  /** Stays the same while the row moves over the screen. */
  readonly owner: object;
  /** Not a copy: the words change with the screen. */
  readonly words: Uint32Array;
}

/** Reads the first `cols` cells of a row. Cells that a smaller screen has cut off are still stored, but are not visible. */
export function readRowCells(line: IBufferLine, cols: number): RowCells {
  const owner = (line as { _line?: { _data?: unknown } })._line;
  const words = owner?._data;
  assertInvariant(
    owner !== undefined && words instanceof Uint32Array,
    "the cells of the emulator were not found",
  );
  return { owner, words: words.subarray(0, cols * CELL_WORDS) };
}

/** Whether the cell is the second half of a wide character, or a mark that had nothing to be joined to. */
export function isSecondHalf(content: number): boolean {
  return content >>> WIDTH_SHIFT === 0;
}

/** Whether equal words mean an equal row. Data kept elsewhere changes without them. */
export function isSelfContained(words: Uint32Array): boolean {
  for (let at = 0; at < words.length; at += CELL_WORDS)
    if (((words[at] ?? 0) & JOINED) !== 0 || ((words[at + 2] ?? 0) & EXTENDED) !== 0) return false;
  return true;
}

let units = new Uint16Array(0);

/** Reads the text of some cells, with blanks for empty ones. Null where marks are joined to a character. */
export function readCellText(words: Uint32Array, start: number, end: number): string | null {
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
