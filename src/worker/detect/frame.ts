/**
 * A dialog drawn inside a frame, as a page of its own: rows and columns are the same, what surrounds it is blanked, what stands
 * below it stays.
 */
import { boxAround, withoutGutter } from "./borders.js";
import { indentOf, isBlank, lastDrawn, type Page, type Row } from "./layout.js";

/**
 * `box`: all around it, the lowest one. `bar`: a bar at its left side. `gutter`: lines at the sides of any rows. `window`: the
 * box around the cursor, wherever it stands.
 */
export const FRAMES = ["box", "bar", "gutter", "window"] as const;
export type FrameKind = (typeof FRAMES)[number];

const SIDES = new Set("│┃║|");
const BOX_TOP = /^[╭┌┏╔].{0,1000}[╮┐┓╗]$/u;
const BOX_BOTTOM = /^[╰└┗╚].{0,1000}[╯┘┛╝]$/u;
const LINE = "─";

const framed = new WeakMap<Page, Map<FrameKind, Page | null>>();

const INSIDE_OF: Readonly<Record<FrameKind, (page: Page) => Page | null>> = {
  box: insideBox,
  bar: insideBar,
  gutter: withoutGutter,
  window: boxAround,
};

/** The frame's inside, its drawing taken away; null when there is none. */
export function insideFrame(page: Page, kind: FrameKind): Page | null {
  const known = framed.get(page) ?? new Map<FrameKind, Page | null>();
  framed.set(page, known);
  let inside = known.get(kind);
  if (inside === undefined) known.set(kind, (inside = INSIDE_OF[kind](page)));
  return inside;
}

function insideBox(page: Page): Page | null {
  let bottom = lastDrawn(page);
  while (bottom >= 0 && !isBoxBottom(page, bottom)) bottom--;
  if (bottom < 0) return null;
  let top = bottom - 1;
  while (top >= 0 && hasSides(trimmed(page, top))) top--;
  const topSeen = top >= 0 && BOX_TOP.test(trimmed(page, top));
  if (!topSeen && top >= 0) return null;
  const rows = page.rows.map((row, index) => {
    if (index <= top || index === bottom) return blank(row);
    return index < bottom ? { ...row, text: withoutSides(row.text) } : row;
  });
  const above = topSeen ? [] : rowsAbove(page.view.scrollback);
  const right = page.rows[bottom]?.text.trimEnd().length ?? page.cols;
  return { ...page, cols: right - 1, rows, inside: { top: top + 1, above } };
}

function isBoxBottom(page: Page, row: number): boolean {
  return BOX_BOTTOM.test(trimmed(page, row));
}

function trimmed(page: Page, row: number): string {
  return page.rows[row]?.text.trim() ?? "";
}

function hasSides(text: string): boolean {
  return text.length > 1 && SIDES.has(text[0] ?? "") && SIDES.has(text.at(-1) ?? "");
}

/** The box's rows that left the main screen; null when its top is nowhere. */
function rowsAbove(scrollback: readonly string[]): readonly string[] | null {
  let top = scrollback.length - 1;
  while (top >= 0 && hasSides(scrollback[top]?.trim() ?? "")) top--;
  if (!BOX_TOP.test(scrollback[top]?.trim() ?? "")) return null;
  return scrollback.slice(top + 1).map(withoutSides);
}

/** Boxes may stand in boxes (a command, a diff): their sides go, too, and their edges become plain lines. */
function withoutSides(text: string): string {
  let row = text.trimEnd();
  for (let inner = row.trim(); inner !== ""; inner = row.trim()) {
    const start = indentOf(row);
    if (hasSides(inner)) row = `${row.slice(0, start)} ${row.slice(start + 1, -1)}`.trimEnd();
    else if (BOX_TOP.test(inner) || BOX_BOTTOM.test(inner))
      return " ".repeat(start) + LINE.repeat(inner.length);
    else break;
  }
  return row;
}

function insideBar(page: Page): Page | null {
  let bottom = lastDrawn(page);
  while (bottom >= 0 && !hasBar(page, bottom)) bottom--;
  if (bottom < 0) return null;
  let top = bottom;
  while (top > 0 && hasBar(page, top - 1)) top--;
  const rows = page.rows.map((row, index) => {
    if (index < top) return blank(row);
    return index <= bottom ? { ...row, text: withoutBar(row.text) } : row;
  });
  return { ...page, rows, inside: { top, above: [] } };
}

function hasBar(page: Page, row: number): boolean {
  return SIDES.has(trimmed(page, row)[0] ?? "");
}

function withoutBar(text: string): string {
  const bar = indentOf(text);
  const row = `${text.slice(0, bar)} ${text.slice(bar + 1)}`;
  return isBlank(row) ? "" : row;
}

function blank(row: Row): Row {
  return { ...row, text: "" };
}
