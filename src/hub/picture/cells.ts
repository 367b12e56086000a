/** Lays out a screen cell by cell with every secret masked before drawing. Pure. */
import { makeVisible } from "../../safety/display.js";
import { findSecretSpans } from "../../safety/redact.js";
import type { ScreenCells, Style } from "../../sdk/view.js";

export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
  readonly style: Style;
}

const COVER = "•";
/** Replaces characters that would hide, reorder or imitate text. */
const STRANGE = "\ufffd";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u;

/** All cells to draw. Secrets are searched in the whole screen, where wrapped lines are joined again. */
export function layOutCells(screen: ScreenCells): readonly Cell[] {
  const rows = screen.lines.map((_, y) => layOutRow(screen, y));
  const covered = findSecretCells(screen, rows);
  return rows.flat().map((cell) => ({ ...cell, text: covered.has(cell) ? COVER : replaceUnsafe(cell.text) }));
}

function layOutRow({ lines }: ScreenCells, y: number): readonly Cell[] {
  return (lines[y]?.runs ?? []).flatMap(({ start, end, text, style }) => {
    let x = start;
    const isPlain = text.length === end - start;
    return (isPlain ? text.split("") : [...graphemes.segment(text)].map(({ segment }) => segment)).map(
      (char) => {
        const cell = { x, y, width: !isPlain && WIDE.test(char) ? 2 : 1, text: char, style };
        x += cell.width;
        return cell;
      },
    );
  });
}

/** Shell syntax beside a secret stays readable, as in text. */
function findSecretCells({ lines }: ScreenCells, rows: readonly (readonly Cell[])[]): ReadonlySet<Cell> {
  const owners: (Cell | null)[] = [];
  const parts: string[] = [];
  for (const [y, row] of rows.entries()) {
    const isLineEnd = lines[y + 1]?.wrapped !== true;
    // Trailing blanks belong to no cell.
    const length = isLineEnd ? row.findLastIndex(({ text }) => text.trim() !== "") + 1 : row.length;
    for (const cell of row.slice(0, length)) {
      parts.push(cell.text);
      for (let unit = 0; unit < cell.text.length; unit++) owners.push(cell);
    }
    if (isLineEnd) {
      parts.push("\n");
      owners.push(null);
    }
  }
  const hidden = findSecretSpans(parts.join("")).flatMap(({ start, end }) => owners.slice(start, end));
  return new Set(hidden.filter((cell) => cell !== null));
}

function replaceUnsafe(char: string): string {
  return makeVisible(char) === char ? char : STRANGE;
}
