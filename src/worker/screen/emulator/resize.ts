/**
 * Resizes the emulator. It rewraps long lines but leaves the cursor in its column; here the cursor stays at its character, as in
 * other terminals that rewrap.
 */
import type { IBuffer, Terminal } from "@xterm/headless";
import { getInnerEmulator } from "./inner-emulator.js";

export function resizeTerminal(terminal: Terminal, cols: number, rows: number): void {
  const { normal } = terminal.buffer;
  const cursorRow = normal.baseY + normal.cursorY;
  const first = findFirstRow(normal, cursorRow);
  let cells = normal.cursorX;
  for (let row = first; row < cursorRow; row++) cells += countCells(normal, row, terminal.cols);
  const isNormal = terminal.buffer.active.type === "normal";
  const marker = isNormal ? terminal.registerMarker(first - cursorRow) : undefined;
  terminal.resize(cols, rows);
  if (marker && !marker.isDisposed) placeCursor(terminal, marker.line, cells);
  marker?.dispose();
}

function placeCursor(terminal: Terminal, first: number, cells: number): void {
  const { normal } = terminal.buffer;
  let [row, column] = [first, cells];
  while (normal.getLine(row + 1)?.isWrapped && column >= countCells(normal, row, terminal.cols)) {
    column -= countCells(normal, row, terminal.cols);
    row++;
  }
  const y = row - normal.baseY;
  if (y >= 0 && y < terminal.rows) getInnerEmulator(terminal).moveCursor(Math.min(column, terminal.cols), y);
}

function findFirstRow(buffer: IBuffer, row: number): number {
  let first = row;
  while (first > 0 && buffer.getLine(first)?.isWrapped) first--;
  return first;
}

/** Cells of a row that continues in the next one: a wide character that had no room leaves the last one empty. */
function countCells(buffer: IBuffer, row: number, cols: number): number {
  const last = buffer.getLine(row)?.getCell(cols - 1);
  const isLeftOut = last?.getChars() === "" && last.getWidth() === 1;
  return isLeftOut &&
    buffer
      .getLine(row + 1)
      ?.getCell(0)
      ?.getWidth() === 2
    ? cols - 1
    : cols;
}
