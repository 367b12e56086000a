/** Rows that are read only when they change equal those of the emulator in every cell, after any output and any resize. */
import xterm from "@xterm/headless";
import type { IBufferCell, Terminal } from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ViewLine } from "../../../../src/sdk/view.js";
import { RowReader } from "../../../../src/worker/screen/rows.js";
import { useModernWidths } from "../../../../src/worker/screen/widths.js";
import { flood, moves, pen, switches, word } from "../../../support/terminal-output.js";

const SIZE = { cols: 11, rows: 4 };

function openTerminal(): Terminal {
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: 6, allowProposedApi: true, logLevel: "off" });
  useModernWidths(terminal);
  return terminal;
}

function write(terminal: Terminal, text: string): void {
  terminal.input("");
  terminal.write(text);
}

function readCells(lines: readonly ViewLine[]): unknown {
  return lines.map((line) => ({
    wrapped: line.wrapped,
    text: line.text,
    runs: line.runs().map(({ start, end, text, style }) => ({ cells: `${start}-${end} ${text}`, ...style })),
  }));
}

/** The same through the public reader alone, a cell at a time; runs are of one style, so that how they are cut does not matter. */
function publicCells({ buffer: { active }, rows, cols }: Terminal): unknown {
  return Array.from({ length: rows }, (_, y) => {
    const line = active.getLine(active.baseY + y)!;
    const cells = Array.from({ length: cols }, (__, x) => line.getCell(x)!);
    const drawn = cells.flatMap((cell, x) => (cell.getWidth() === 0 ? [] : [{ cell, x }]));
    return {
      wrapped: line.isWrapped,
      cells: drawn.map(({ cell, x }) => [x, cell.getChars() || " ", readStyle(cell)]),
    };
  });
}

function readStyle(cell: IBufferCell): unknown {
  const colour = (isDefault: boolean, isRgb: boolean, value: number): unknown =>
    isDefault ? null : isRgb ? `#${value.toString(16).padStart(6, "0")}` : value;
  return {
    foreground: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: Boolean(cell.isBold()),
    dim: Boolean(cell.isDim()),
    inverse: Boolean(cell.isInverse()),
    underline: Boolean(cell.isUnderline()),
    invisible: Boolean(cell.isInvisible()),
    strikethrough: Boolean(cell.isStrikethrough()),
  };
}

function spread({ buffer: { active } }: Terminal, lines: readonly ViewLine[]): unknown {
  return lines.map((line, y) => ({
    wrapped: line.wrapped,
    cells: line.runs().flatMap(({ start, end, text, style }) => {
      const row = active.getLine(active.baseY + y)!;
      const cells = Array.from({ length: end - start }, (_, at) => row.getCell(start + at)!);
      expect(text).toBe(cells.map((cell) => cell.getChars() || (cell.getWidth() === 0 ? "" : " ")).join(""));
      return cells.flatMap((cell, at) =>
        cell.getWidth() === 0 ? [] : [[start + at, cell.getChars() || " ", style]],
      );
    }),
  }));
}

const piece = fc.oneof(word, pen, moves, switches, flood, fc.constantFrom("\r\n", "\n", "\r", "  "));
const sizes = fc.record({ cols: fc.integer({ min: 2, max: 20 }), rows: fc.integer({ min: 2, max: 8 }) });
const steps = fc.array(fc.oneof({ weight: 8, arbitrary: piece }, { weight: 1, arbitrary: sizes }), {
  minLength: 1,
  maxLength: 30,
});

describe("rows that are read when they change", () => {
  it("are what the emulator shows, in every cell, after any output and any resize", () => {
    fc.assert(
      fc.property(steps, (parts) => {
        const [terminal, rows] = [openTerminal(), new RowReader()];
        for (const part of parts) {
          if (typeof part === "string") write(terminal, part);
          else terminal.resize(part.cols, part.rows);
          expect(spread(terminal, rows.read(terminal))).toEqual(publicCells(terminal));
          expect(readCells(rows.read(terminal))).toEqual(readCells(new RowReader().read(terminal)));
        }
      }),
      {
        numRuns: 300,
        // What is kept beside a cell's words may change alone: marks that are joined to a letter, a link in the place of a coloured underline.
        examples: [
          [["e\u0301\r", "e\u0300\r"]],
          // A wide character is cut by a resize, and a mark is joined to the letter before it.
          [["\u001b[2Ja\u001b[3;3Ha", "👍", { cols: 4, rows: 2 }, "\u0301", { cols: 2, rows: 2 }]],
          [["\u001b[58;5;3mx\r", "\u001b[m\u001b]8;;http://x\u001b\\x\r"]],
        ],
      },
    );
  });

  it("stay as they were while the screen goes on", () => {
    fc.assert(
      fc.property(steps, (parts) => {
        const [terminal, rows] = [openTerminal(), new RowReader()];
        const seen: { lines: readonly ViewLine[]; cells: string }[] = [];
        for (const part of parts) {
          if (typeof part === "string") write(terminal, part);
          else terminal.resize(part.cols, part.rows);
          const lines = rows.read(terminal);
          seen.push({ lines, cells: JSON.stringify(readCells(lines)) });
        }
        for (const { lines, cells } of seen) expect(JSON.stringify(readCells(lines))).toBe(cells);
      }),
      { numRuns: 100 },
    );
  });
});
