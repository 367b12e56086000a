/** Choices in one row, one of them set off: `<Yes>   <No>` under the cursor, `● Yes / ○ No`, `No / Yes`. */
import { isBlank, styleAt, textAt, type Page } from "../layout.js";

export interface SideBySide {
  readonly items: readonly { readonly label: string; readonly column: number }[];
  /** 0-based. */
  readonly highlighted: number;
  readonly row: number;
}

const BUTTON = /<([^<>]{1,40})>/gu;

/** The buttons of the cursor's row; the cursor stands on one of them, and nothing else is in the row. */
export function readButtons(page: Page): SideBySide | null {
  const { row, column } = page.cursor;
  const text = textAt(page, row);
  const found = [...text.matchAll(BUTTON)];
  if (found.length === 0 || !isBlank(text.replace(BUTTON, ""))) return null;
  const items = found.map((match) => ({ label: (match[1] ?? "").trim(), column: match.index }));
  const highlighted = found.findIndex(
    ({ index, 0: { length } }) => index <= column && column < index + length,
  );
  return highlighted < 0 || items.some(({ label }) => label === "") ? null : { items, highlighted, row };
}

/** Two or three short texts with slashes between, from `column` on. */
const SLASHED = /^ {0,8}(?:[●○] )?\S.{0,30}? \/ (?:[●○] )?\S.{0,30}?(?: \/ (?:[●○] )?\S.{0,30})?$/u;
const GLYPH = /^[●○] /u;

export function readSlashed(page: Page, row: number, column: number): SideBySide | null {
  const text = textAt(page, row);
  if (!SLASHED.test(text.slice(column))) return null;
  let at = column;
  const items = text
    .slice(column)
    .split(" / ")
    .map((part) => {
      const begins = at + part.length - part.trimStart().length;
      at += part.length + " / ".length;
      const glyph = GLYPH.exec(part.trimStart())?.[0] ?? "";
      return { label: part.trim().slice(glyph.length), glyph, column: begins + glyph.length };
    });
  const marked = items.flatMap((item, index) => (isSetOff(page, row, item) ? [index] : []));
  return marked.length === 1 ? { items, highlighted: marked[0] ?? 0, row } : null;
}

function isSetOff(page: Page, row: number, { glyph, column }: { glyph: string; column: number }): boolean {
  return glyph === "" ? styleAt(page, row, column)?.underline === true : glyph.startsWith("●");
}
