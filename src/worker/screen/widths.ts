/**
 * Computes how many columns a character takes. The emulator's built-in table is Unicode 6 and gives emoji one column; tools and
 * real terminals give them two, and every later column on such a row would be wrong.
 */
import type { Terminal } from "@xterm/headless";

const VERSION = "atlasbridge";

/** East Asian Wide and Fullwidth blocks, inclusive, in order. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];
const EMOJI = /^\p{Emoji_Presentation}$/u;
// Marks and format characters add no column; U+00AD (soft hyphen) is drawn.
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;

/**
 * The most combining marks that one character keeps. A flag's tags and every script need fewer. Without a limit one character
 * could fill the memory, and terminals differ in how many they show.
 */
export const JOINED_MARKS_MAX = 12;

/** `onTooMany` is called when marks of a character were left out. */
export function useModernWidths(terminal: Terminal, onTooMany: () => void = () => undefined): void {
  const charProperties = (codePoint: number, preceding: number): number => {
    const properties = computeProperties(codePoint, preceding);
    if (properties >> MARKS_SHIFT <= JOINED_MARKS_MAX) return properties;
    onTooMany();
    return 0;
  };
  terminal.unicode.register({ version: VERSION, wcwidth: countColumns, charProperties });
  terminal.unicode.activeVersion = VERSION;
}

/** Columns per code point of the first plane, filled on first use; 3 means not yet known. */
const known = new Uint8Array(0x10000).fill(3);

function countColumns(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x20) return 0;
  if (codePoint < 0x7f) return 1;
  if (codePoint > 0xffff) return computeColumns(codePoint);
  const cached = known[codePoint];
  if (cached !== 3) return cached as 0 | 1 | 2;
  return (known[codePoint] = computeColumns(codePoint));
}

export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += countColumns(character.codePointAt(0) ?? 0);
  return width;
}

/** Splits a text into one entry per column: a character with its marks, or empty for the second half of a wide one. */
export function splitCells(text: string): string[] {
  const cells: string[] = [];
  for (const character of text) {
    const width = countColumns(character.codePointAt(0) ?? 0);
    if (width === 0) cells.push((cells.pop() ?? "") + character);
    else cells.push(character, ...Array.from({ length: width - 1 }, () => ""));
  }
  return cells;
}

function computeColumns(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0xa0) return 0;
  const character = String.fromCodePoint(codePoint);
  if (codePoint !== 0xad && ZERO.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}

/** The emulator's packed form has room above its three bits; it holds the number of joined marks here. */
const MARKS_SHIFT = 3;

/** The emulator's packed form: bit 0 joins the character to the one before, bits 1–2 are its width. */
function computeProperties(codePoint: number, preceding: number): number {
  const width = countColumns(codePoint);
  const before = (preceding >> 1) & 3;
  const joins = width === 0 && preceding !== 0 && before !== 0;
  if (!joins) return width << 1;
  return (((preceding >> MARKS_SHIFT) + 1) << MARKS_SHIFT) | (Math.max(width, before) << 1) | 1;
}
