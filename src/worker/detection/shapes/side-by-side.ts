/** Choices in one row, one highlighted: `<Yes>   <No>` under the cursor, `● Yes / ○ No`, `No / Yes`, or by background. */
import { isBlank, lastDrawn, styleAt, textAt, type Page } from "../layout/layout.js";
import { hasColours } from "../layout/text-style.js";
import { matches } from "../../adapter-format/pattern.js";

export interface SideBySide {
  readonly items: readonly { readonly label: string; readonly column: number }[];
  /** 0-based. */
  readonly highlighted: number;
  readonly row: number;
}

const BUTTON = /<([^<>]{1,40})>/gu;

/** The buttons of the cursor's row. The cursor must be on one of them, and the row must hold nothing else. */
/** The top of a frame inside the window. */
const INNER_FRAME = /^ *[┌╭╔]─{4}/u;

export function readButtons(page: Page): SideBySide | null {
  // The button submits what is chosen in the frame, and only its colours show what that is.
  if (page.rows.some(({ drawn }) => INNER_FRAME.test(drawn ?? "")) && !hasColours(page)) return null;
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

/** Rows of a footer below the buttons; further up there is only content. */
const ROWS_BELOW_MAX = 6;
const GAP = / {2,}/u;

type Button = SideBySide["items"][number];

/** The lowest row that begins with two or more of these labels, one of them on another background. The cursor must be hidden. */
export function readButtonsByBackground(page: Page, labels: readonly string[]): SideBySide | null {
  if (page.cursor.visible) return null;
  const bottom = lastDrawn(page);
  for (let row = bottom; row >= 0 && row > bottom - ROWS_BELOW_MAX; row--) {
    const items = labelledButtons(textAt(page, row), labels);
    if (items.length < 2) continue;
    const highlighted = findHighlighted(page, row, items);
    return highlighted === null ? null : { items, highlighted, row };
  }
  return null;
}

/** Hints may follow the buttons in their row. */
function labelledButtons(text: string, labels: readonly string[]): Button[] {
  const buttons: Button[] = [];
  let column = 0;
  for (const part of text.split(GAP)) {
    const label = part.trim();
    const at = text.indexOf(part, column);
    column = at + part.length;
    if (label === "") continue;
    if (!labels.some((pattern) => matches(pattern, label))) break;
    buttons.push({ label, column: at + part.indexOf(label) });
  }
  return buttons;
}

/** The only button whose background differs from that between the buttons, which may have blanks around their labels. */
function findHighlighted(page: Page, row: number, buttons: readonly Button[]): number | null {
  const [first, second] = buttons;
  if (!first || !second) return null;
  const between = Math.floor((first.column + first.label.length + second.column) / 2);
  const ground = readBackground(page, row, between);
  const chosen = buttons.flatMap(({ column }, index) =>
    readBackground(page, row, column) === ground ? [] : [index],
  );
  return chosen.length === 1 ? (chosen[0] ?? null) : null;
}

function readBackground(page: Page, row: number, column: number): string {
  const style = styleAt(page, row, column);
  return `${String(style?.background ?? null)} ${String(style?.inverse ?? false)}`;
}
