/**
 * A QR code of a short text: byte mode, error correction level L, versions 1 to 5, which hold one block of data each (ISO/IEC
 * 18004). Pure.
 */
import { computeCorrection } from "./correction.js";

/** Rows of modules; true is dark. */
export type QrMatrix = readonly (readonly boolean[])[];

/** Data and correction codewords of level L, by version. */
const VERSIONS = [
  { data: 19, correction: 7 },
  { data: 34, correction: 10 },
  { data: 55, correction: 15 },
  { data: 80, correction: 20 },
  { data: 108, correction: 26 },
] as const;
/** Mode and length take 12 bits. */
const HEADER_BYTES = 2;
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11] as const;

/** Null if the text is longer than 106 bytes. */
export function buildQrMatrix(text: string): QrMatrix | null {
  const bytes = [...Buffer.from(text)];
  const index = VERSIONS.findIndex(({ data }) => data - HEADER_BYTES >= bytes.length);
  const sizes = VERSIONS[index];
  if (sizes === undefined) return null;
  const data = buildDataCodewords(bytes, sizes.data);
  const bits = [...data, ...computeCorrection(data, sizes.correction)].flatMap((byte) => toBits(byte, 8));
  return chooseMask(index + 1, bits);
}

function buildDataCodewords(bytes: readonly number[], count: number): number[] {
  const bits = [
    ...toBits(BYTE_MODE, 4),
    ...toBits(bytes.length, 8),
    ...bytes.flatMap((byte) => toBits(byte, 8)),
    ...toBits(0, 4),
  ];
  const filled = Array.from({ length: bits.length / 8 }, (_, at) => fromBits(bits.slice(at * 8, at * 8 + 8)));
  const padding = Array.from({ length: count }, (_, at) => PADDING[at % 2] ?? 0);
  return [...filled, ...padding].slice(0, count);
}

function toBits(value: number, length: number): boolean[] {
  return Array.from({ length }, (_, at) => ((value >> (length - 1 - at)) & 1) === 1);
}

function fromBits(bits: readonly boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + Number(bit), 0);
}

type Mask = (row: number, column: number) => boolean;

const MASKS: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The mask whose result is easiest to read by the standard's rules. */
function chooseMask(version: number, bits: readonly boolean[]): QrMatrix {
  const drawn = MASKS.map((_, mask) => drawMatrix(version, bits, mask));
  const scores = drawn.map(scorePenalty);
  return drawn[scores.indexOf(Math.min(...scores))] ?? [];
}

/** Null: not drawn yet. */
type Modules = (boolean | null)[][];

function drawMatrix(version: number, bits: readonly boolean[], mask: number): QrMatrix {
  const size = 17 + 4 * version;
  const modules: Modules = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  drawFinders(modules);
  if (version > 1) drawSquare(modules, size - 9, size - 9, 5);
  for (let at = 8; at < size - 8; at += 1) {
    set(modules, 6, at, at % 2 === 0);
    set(modules, at, 6, at % 2 === 0);
  }
  drawFormat(modules, mask);
  drawData(modules, bits, MASKS[mask] ?? (() => false));
  return modules.map((row) => row.map((module) => module === true));
}

function set(modules: Modules, row: number, column: number, dark: boolean): void {
  const cells = modules[row];
  if (cells && column >= 0 && column < cells.length) cells[column] = dark;
}

function drawFinders(modules: Modules): void {
  const far = modules.length - 7;
  const corners: readonly (readonly [number, number])[] = [
    [0, 0],
    [0, far],
    [far, 0],
  ];
  for (const [top, left] of corners) {
    // The light border around it.
    for (let row = -1; row <= 7; row += 1)
      for (let column = -1; column <= 7; column += 1) set(modules, top + row, left + column, false);
    drawSquare(modules, top, left, 7);
  }
}

/** A dark frame, a light one in it, and a dark centre. */
function drawSquare(modules: Modules, top: number, left: number, size: number): void {
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const depth = Math.min(row, column, size - 1 - row, size - 1 - column);
      set(modules, top + row, left + column, depth !== 1);
    }
}

/** Level L and the mask, with their own correction, twice. */
function drawFormat(modules: Modules, mask: number): void {
  const size = modules.length;
  const data = (0b01 << 3) | mask;
  let rest = data;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0b10100110111);
  const bits = toBits(((data << 10) | rest) ^ 0b101010000010010, 15).reverse();
  const first = [0, 1, 2, 3, 4, 5, 7, 8];
  bits.forEach((bit, at) => {
    const isFirst = at < 8;
    const near = first[isFirst ? at : 14 - at] ?? 0;
    if (isFirst) set(modules, near, 8, bit);
    else set(modules, 8, near, bit);
    if (isFirst) set(modules, 8, size - 1 - at, bit);
    else set(modules, size - 15 + at, 8, bit);
  });
  set(modules, size - 8, 8, true);
}

/** Two columns at a time from the right, up and down in turn; column 6 belongs to the timing pattern. */
function drawData(modules: Modules, bits: readonly boolean[], mask: Mask): void {
  const size = modules.length;
  let next = 0;
  let upward = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const row = upward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (modules[row]?.[column] !== null) continue;
        set(modules, row, column, (bits[next] ?? false) !== mask(row, column));
        next += 1;
      }
    }
    upward = !upward;
  }
}

/** The standard's four rules: long runs, blocks, patterns like a finder, and an uneven share of dark modules. */
function scorePenalty(matrix: QrMatrix): number {
  const columns = matrix.map((_, at) => matrix.map((row) => row[at] ?? false));
  const lines = [...matrix, ...columns].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const alike = lines.flatMap((line) => [...line.matchAll(/(?=00001011101|10111010000)/g)]);
  const dark = matrix.flat().filter(Boolean).length;
  const share = Math.abs(dark * 20 - matrix.length ** 2 * 10) / matrix.length ** 2;
  return (
    runs.reduce((sum, run) => sum + run.length - 2, 0) +
    countBlocks(matrix) * 3 +
    alike.length * 40 +
    Math.max(0, Math.ceil(share) - 1) * 10
  );
}

function countBlocks(matrix: QrMatrix): number {
  return matrix.slice(1).flatMap((row, at) =>
    row.slice(1).filter((dark, column) => {
      const above = matrix[at];
      return dark === row[column] && dark === above?.[column] && dark === above[column + 1];
    }),
  ).length;
}
