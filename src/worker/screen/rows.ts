/**
 * Reads rows of the screen as text and styled runs. A row is read again only when its cells changed, so a look costs only what
 * changed (ADR 20).
 */
import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless";
import type { Colour, Style, StyledRun, ViewLine } from "../../sdk/view.js";
import {
  CELL_WORDS,
  readRowCells,
  GROUND,
  INK,
  isSelfContained,
  isSecondHalf,
  readCellText,
} from "./cells.js";

interface ReadRow {
  readonly line: ViewLine;
  /** Its cells when it was read; null where they do not hold everything. */
  readonly cells: Buffer | null;
}

export class RowReader {
  #lastRead: ReadonlyMap<object, ReadRow> = new Map<object, ReadRow>();

  /** Reads the screen's rows as they are now. A row stays the same object as long as it does not change, even when it moves. */
  read({ buffer: { active }, rows, cols }: Terminal): readonly ViewLine[] {
    const cell = active.getNullCell();
    const read = new Map<object, ReadRow>();
    const lines = Array.from({ length: rows }, (_, y) => {
      const line = active.getLine(active.baseY + y);
      if (!line) return BLANK;
      const { owner, words } = readRowCells(line, cols);
      const row = this.#findUnchanged(owner, words, line.isWrapped) ?? readRow(line, words, cell);
      read.set(owner, row);
      return row.line;
    });
    this.#lastRead = read;
    return lines;
  }

  #findUnchanged(owner: object, words: Uint32Array, isWrapped: boolean): ReadRow | null {
    const known = this.#lastRead.get(owner);
    const isSame = known?.line.wrapped === isWrapped && known.cells?.equals(asBytes(words));
    return isSame ? known : null;
  }
}

function readRow(line: IBufferLine, words: Uint32Array, cell: IBufferCell): ReadRow {
  const runs = readRuns(line, words, cell);
  const text = trimBlanks(runs.map((run) => run.text).join(""));
  const cells = isSelfContained(words) ? Buffer.from(asBytes(words)) : null;
  return { line: { text, wrapped: line.isWrapped, runs: () => runs }, cells };
}

function asBytes({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const BLANK: ViewLine = { text: "", wrapped: false, runs: () => [] };

export function readText(line: IBufferLine | undefined): string {
  return trimBlanks(line?.translateToString(true) ?? "");
}

/** Removes trailing blanks. Non-breaking ones stay, because tools use them to mark their input box. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

function readRuns(line: IBufferLine, words: Uint32Array, cell: IBufferCell): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let [start, ink, ground] = [0, -1, -1];
  const endAt = (end: number): void => {
    const first = line.getCell(start, cell);
    if (!first || end === 0) return;
    const text = readCellText(words, start, end) ?? readCells(line, start, end);
    runs.push({ start, end, text, style: readStyle(first) });
  };
  const cols = words.length / CELL_WORDS;
  for (let x = 0; x < cols; x++) {
    const at = x * CELL_WORDS;
    if (isSecondHalf(words[at] ?? 0)) continue;
    const [own, below] = [(words[at + 1] ?? 0) & INK, (words[at + 2] ?? 0) & GROUND];
    if (x > 0 && own === ink && below === ground) continue;
    endAt(x);
    [start, ink, ground] = [x, own, below];
  }
  endAt(cols);
  return runs;
}

/**
 * Cell by cell: a wide character that a resize cut passes its width on to the text joined to its left, and the emulator's own
 * text then leaves out the cell behind it.
 */
function readCells(line: IBufferLine, start: number, end: number): string {
  let text = "";
  for (let x = start; x < end; x++) {
    const cell = line.getCell(x);
    text += cell?.getChars() || (cell?.getWidth() === 0 ? "" : " ");
  }
  return text;
}

function readStyle(cell: IBufferCell): Style {
  return {
    foreground: readColour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: readColour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
    invisible: cell.isInvisible() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
  };
}

function readColour(isDefault: boolean, isRgb: boolean, colour: number): Colour {
  if (isDefault) return null;
  return isRgb ? `#${colour.toString(16).padStart(6, "0")}` : colour;
}
