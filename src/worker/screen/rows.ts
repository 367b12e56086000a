/** Rows of the screen as text and styled runs. A row is read again only when its cells changed: a look costs what changed (ADR 20). */
import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless";
import type { Colour, Style, StyledRun, ViewLine } from "../../sdk/view.js";
import { CELL_WORDS, cellsOfRow, GROUND, INK, isAllThere, isSecondHalf, textOfCells } from "./cells.js";

interface ReadRow {
  readonly line: ViewLine;
  /** Its cells when it was read; null where they do not tell all of it. */
  readonly cells: Buffer | null;
}

export class Rows {
  /** Those of the last look. */
  #known: ReadonlyMap<object, ReadRow> = new Map<object, ReadRow>();

  /** The screen's rows, as they are now; each the same object as long as it stays as it is, wherever on the screen. */
  read({ buffer: { active }, rows, cols }: Terminal): readonly ViewLine[] {
    const cell = active.getNullCell();
    const read = new Map<object, ReadRow>();
    const lines = Array.from({ length: rows }, (_, y) => {
      const line = active.getLine(active.baseY + y);
      if (!line) return BLANK;
      const { owner, words } = cellsOfRow(line, cols);
      const row = this.#unchanged(owner, words, line.isWrapped) ?? readRow(line, words, cell);
      read.set(owner, row);
      return row.line;
    });
    this.#known = read;
    return lines;
  }

  #unchanged(owner: object, words: Uint32Array, isWrapped: boolean): ReadRow | null {
    const known = this.#known.get(owner);
    const isSame = known?.line.wrapped === isWrapped && known.cells?.equals(bytesOf(words));
    return isSame ? known : null;
  }
}

function readRow(line: IBufferLine, words: Uint32Array, cell: IBufferCell): ReadRow {
  const runs = runsOf(line, words, cell);
  const text = trimBlanks(runs.map((run) => run.text).join(""));
  const cells = isAllThere(words) ? Buffer.from(bytesOf(words)) : null;
  return { line: { text, wrapped: line.isWrapped, runs: () => runs }, cells };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const BLANK: ViewLine = { text: "", wrapped: false, runs: () => [] };

/** A row's text without trailing blanks. */
export function textOf(line: IBufferLine | undefined): string {
  return trimBlanks(line?.translateToString(true) ?? "");
}

/** Without trailing blanks. Non-breaking ones stay: tools use them to mark their input box. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

function runsOf(line: IBufferLine, words: Uint32Array, cell: IBufferCell): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let [start, ink, ground] = [0, -1, -1];
  const endAt = (end: number): void => {
    const first = line.getCell(start, cell);
    if (!first || end === 0) return;
    const text = textOfCells(words, start, end) ?? line.translateToString(false, start, end);
    runs.push({ start, end, text, style: styleOf(first) });
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

function styleOf(cell: IBufferCell): Style {
  return {
    foreground: colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    underline: cell.isUnderline() !== 0,
    invisible: cell.isInvisible() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
  };
}

function colourOf(isDefault: boolean, isRgb: boolean, colour: number): Colour {
  if (isDefault) return null;
  return isRgb ? `#${colour.toString(16).padStart(6, "0")}` : colour;
}
