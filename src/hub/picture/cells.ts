/** A screen's cells one by one, with every secret in them covered before anything is drawn. Pure. */
import { visible } from "../../safety/display.js";
import { secretSpans } from "../../safety/redact.js";
import type { ScreenCells, Style } from "../../sdk/view.js";

export interface Cell {
  readonly x: number;
  readonly y: number;
  /** Columns it takes: 1 or 2. */
  readonly width: number;
  readonly text: string;
  readonly style: Style;
}

/** Stands in every cell of a secret. */
const COVER = "•";
/** Stands for what would hide, reorder or imitate. */
const STRANGE = "\ufffd";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]/u;

/** All that is to be drawn. Secrets are looked for in whole lines: what the terminal wrapped is one line again. */
export function cellsOf(screen: ScreenCells): readonly Cell[] {
  const rows = screen.lines.map((_, y) => rowCells(screen, y));
  const covered = new Set<Cell>();
  for (const line of wholeLines(screen, rows)) for (const cell of secretCells(line)) covered.add(cell);
  return rows.flat().map((cell) => ({ ...cell, text: covered.has(cell) ? COVER : harmless(cell.text) }));
}

function rowCells({ lines }: ScreenCells, y: number): readonly Cell[] {
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

/** Rows that belong together; the blanks at a line's end are nobody's. */
function wholeLines(
  { lines }: ScreenCells,
  rows: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  return lines.reduce<(readonly Cell[])[]>((joined, { wrapped }, y) => {
    const row = rows[y] ?? [];
    if (!wrapped || joined.length === 0) return [...joined, row];
    return [...joined.slice(0, -1), [...(joined.at(-1) ?? []), ...row]];
  }, []);
}

function secretCells(line: readonly Cell[]): readonly Cell[] {
  const owners = line.flatMap((cell) => Array.from({ length: cell.text.length }, () => cell));
  const spans = secretSpans(
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
    { byName: true },
  );
  return spans.flatMap(({ start, end }) => owners.slice(start, end));
}

function harmless(char: string): string {
  return visible(char) === char ? char : STRANGE;
}
