/** Choices in one row, one highlighted: `<Yes>   <No>` under the cursor, `● Yes / ○ No`, `No / Yes`, or by background. */
import { isBlank, findLastDrawn, readStyle, readTextAt, type Page } from "../layout/layout.js";
import { nameGround, hasColours } from "../layout/text-style.js";
import { matches } from "../../adapter-format/pattern.js";

export interface SideBySide {
  readonly items: readonly {
    readonly label: string;
    readonly column: number;
    /** Takes it at once. */
    readonly key?: string;
  }[];
  /** 0-based; null: each has a key, and none is highlighted. */
  readonly highlighted: number | null;
  readonly row: number;
}

const BUTTON = /<([^<>]{1,40})>/gu;

const INNER_FRAME = /^ *[┌╭╔]─{4}/u;

/** The buttons of the cursor's row. The cursor must be on one of them, and the row must hold nothing else. */
export function readButtons(page: Page): SideBySide | null {
  // The button submits the selection in the frame, and only colours show that.
  if (page.rows.some(({ drawn }) => INNER_FRAME.test(drawn ?? "")) && !hasColours(page)) return null;
  const { row, column } = page.cursor;
  const text = readTextAt(page, row);
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
  const text = readTextAt(page, row);
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
  return glyph === "" ? readStyle(page, row, column)?.underline === true : glyph.startsWith("●");
}

const LETTERED = /\[([a-z0-9])\] (\S[^[\]]{0,30}?)(?= {2}|$)/giu;

/** The lowest row that holds nothing but `[y] Approve   [n] Deny`: two or more labels behind the keys that take them. */
export function readLettered(page: Page): SideBySide | null {
  for (const row of listLastRows(page)) {
    const text = readTextAt(page, row);
    const items = [...text.matchAll(LETTERED)].map(({ 1: key = "", 2: label = "", index }) => {
      return { label, column: index, key };
    });
    const keys = new Set(items.map(({ key }) => key.toLowerCase()));
    if (items.length >= 2 && keys.size === items.length && isBlank(text.replace(LETTERED, "")))
      return { items, highlighted: null, row };
  }
  return null;
}

/** Rows of a footer below the buttons; further up there is only content. */
const ROWS_BELOW_MAX = 6;

/** From the last one up. A cursor that is shown stands where somebody types. */
function listLastRows(page: Page): readonly number[] {
  const bottom = findLastDrawn(page);
  const rows = Array.from({ length: Math.min(ROWS_BELOW_MAX, bottom + 1) }, (_, index) => bottom - index);
  return page.cursor.visible ? [] : rows;
}

const GAP = / {2,}/u;

type DrawnButton = SideBySide["items"][number];

/** The lowest row that begins with two or more of these labels, one of them on another background. The cursor must be hidden. */
export function readButtonsByBackground(page: Page, labels: readonly string[]): SideBySide | null {
  for (const row of listLastRows(page)) {
    const items = findButtons(readTextAt(page, row), labels);
    if (items.length < 2) continue;
    const highlighted = findHighlighted(page, row, items);
    return highlighted === null ? null : { items, highlighted, row };
  }
  return null;
}

/** Hints may follow the buttons in their row. */
function findButtons(text: string, labels: readonly string[]): DrawnButton[] {
  const buttons: DrawnButton[] = [];
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

/** The only button on a background that no plain cell of its row has: between the buttons, or left of them. Blanks may surround labels. */
function findHighlighted(page: Page, row: number, buttons: readonly DrawnButton[]): number | null {
  const [first, second] = buttons;
  if (!first || !second) return null;
  const between = Math.floor((first.column + first.label.length + second.column) / 2);
  const left = Array.from({ length: Math.max(0, first.column - PADDING_MAX) }, (_, column) => column);
  const ground = (column: number): string => nameGround(readStyle(page, row, column));
  const plain = new Set([between, ...left].map(ground));
  const chosen = buttons.flatMap(({ column }, index) => (plain.has(ground(column)) ? [] : [index]));
  return chosen.length === 1 ? (chosen[0] ?? null) : null;
}

/** Blank cells before a label that have the button's background. */
const PADDING_MAX = 2;
