/**
 * Reads the inside of a frame as a page of its own. Rows and columns stay where they are, rows around the frame are blanked, and
 * rows below it are kept.
 */
import { readBoxAroundCursor, withoutEdge, withoutGutter } from "./borders.js";
import { measureWidth } from "../../screen/widths.js";
import { measureIndent, isBlank, findLastDrawn, readTextAt, type Page, type Row } from "./layout.js";
import type { FrameKind } from "../../adapter-format/frame-kinds.js";

const SIDES = new Set("│┃║|");
const BOX_TOP = /^ {0,8}[╭┌┏╔][─━═]{2,1000}[╮┐┓╗]/u;
const BOX_BOTTOM = /^ {0,8}[╰└┗╚][─━═]{2,1000}[╯┘┛╝]/u;
const LINE = "─";

const framed = new WeakMap<Page, Map<FrameKind, Page | null>>();

const INSIDE_OF: Readonly<Record<FrameKind, (page: Page) => Page | null>> = {
  box: readInsideBox,
  bar: readInsideBar,
  gutter: withoutGutter,
  window: readBoxAroundCursor,
  edge: withoutEdge,
};

/** The inside of the frame, without its lines; null when the page has no such frame. */
export function readInsideFrame(page: Page, kind: FrameKind): Page | null {
  const known = framed.get(page) ?? new Map<FrameKind, Page | null>();
  framed.set(page, known);
  let inside = known.get(kind);
  if (inside === undefined) known.set(kind, (inside = INSIDE_OF[kind](page)));
  return inside;
}

function readInsideBox(page: Page): Page | null {
  let bottom = findLastDrawn(page);
  while (bottom >= 0 && !BOX_BOTTOM.test(readTextAt(page, bottom))) bottom--;
  if (bottom < 0) return null;
  const box = findColumns(readTextAt(page, bottom));
  let top = bottom - 1;
  while (top >= 0 && hasSides(readTextAt(page, top), box)) top--;
  const topSeen = top >= 0 && BOX_TOP.test(readTextAt(page, top));
  // The top of the box may have scrolled off inside the tool's own viewport.
  const isTornOff = top >= 0 && !topSeen;
  if (isTornOff && !isBlank(readTextAt(page, top))) return null;
  if (hasEmptyBox(page.rows.slice(top + 1, bottom))) return null;
  const rows = page.rows.map((row, index) => {
    if (index <= top || index === bottom) return eraseRow(row);
    if (index > bottom) return row;
    return { ...row, text: withoutSides(row.text, box), drawn: cutBetweenSides(row.text, box) };
  });
  const off = topSeen ? [] : isTornOff ? null : readRowsAbove(page.view.scrollback, box);
  const above = off && off.map((row) => withoutSides(row, box));
  const drawnAbove = off?.map((row) => cutBetweenSides(row, box)) ?? [];
  const isTorn = hasOpenBox(page.rows.slice(top + 1, bottom));
  return { ...page, cols: box.right, rows, inside: { top: top + 1, above, drawnAbove, isTorn } };
}

function hasOpenBox(rows: readonly Row[]): boolean {
  const edges = rows.map(readInnerEdge);
  const begins = edges.filter((text) => BOX_TOP.test(text)).length;
  return begins > edges.filter((text) => BOX_BOTTOM.test(text)).length;
}

/** An empty inner box is still waiting for its content. */
function hasEmptyBox(rows: readonly Row[]): boolean {
  const edges = rows.map(readInnerEdge);
  return edges.some((text, row) => BOX_TOP.test(text) && BOX_BOTTOM.test(edges[row + 1] ?? ""));
}

function readInnerEdge({ text }: Row): string {
  return text.trim().slice(1).trimStart();
}

interface FrameColumns {
  readonly left: number;
  readonly right: number;
}

function findColumns(edge: string): FrameColumns {
  const left = measureIndent(edge);
  return { left, right: left + (/^[^╮┐┓╗╯┘┛╝]{1,1000}/u.exec(edge.slice(left))?.[0].length ?? 0) };
}

/** A scroll bar may stand to the right of a box. */
function hasSides(text: string, box: FrameColumns): boolean {
  return SIDES.has(text[box.left] ?? "") && findRightSide(text, box) > box.left;
}

/** Wide characters take two columns and combining marks none, so the index in the text may differ from the column. */
function findRightSide(text: string, { left, right }: FrameColumns): number {
  const marks = Math.max(0, text.length - measureWidth(text));
  let at = Math.min(right + marks, text.length - 1);
  while (at > left && !SIDES.has(text[at] ?? "")) at--;
  return at;
}

function readRowsAbove(scrollback: readonly string[], box: FrameColumns): readonly string[] | null {
  let top = scrollback.length - 1;
  while (top >= 0 && hasSides(scrollback[top] ?? "", box)) top--;
  if (!BOX_TOP.test(scrollback[top] ?? "")) return null;
  return scrollback.slice(top + 1);
}

/** The text between the sides of the box; other things may be drawn beside it. */
function cutBetweenSides(text: string, box: FrameColumns): string {
  return text.slice(box.left + 1, findRightSide(text, box)).trimEnd();
}

/** Removes the sides of the box and of boxes in it (a command, a diff), and turns inner edges into plain lines. */
function withoutSides(text: string, box: FrameColumns): string {
  const row = ` ${text.slice(box.left + 1, findRightSide(text, box))}`.trimEnd();
  const inside = " ".repeat(box.left) + row;
  if (isBlank(row)) return "";
  if (BOX_TOP.test(inside) || BOX_BOTTOM.test(inside)) {
    return " ".repeat(measureIndent(inside)) + LINE.repeat(inside.trim().length);
  }
  const inner = { left: measureIndent(inside), right: inside.length - 1 };
  return inner.right > inner.left && hasSides(inside, inner) && SIDES.has(inside.at(-1) ?? "")
    ? withoutSides(inside, inner)
    : inside;
}

function readInsideBar(page: Page): Page | null {
  let bottom = findLastDrawn(page);
  while (bottom >= 0 && !hasBar(page, bottom)) bottom--;
  if (bottom < 0) return null;
  let top = bottom;
  while (top > 0 && hasBar(page, top - 1)) top--;
  const rows = page.rows.map((row, index) => {
    if (index < top) return eraseRow(row);
    if (index > bottom) return row;
    return {
      ...row,
      text: withoutBar(row.text),
      drawn: row.text.replace(THUMB, "").replace(LINE_NUMBER, "$1 "),
    };
  });
  return { ...page, rows, inside: { top, above: [], isTorn: false } };
}

/** The thumb of a scroll bar, which comes and goes with the height of the dialog. */
const THUMB = / {2,1000}[█▀▄]$/u;

/** Line numbers of a diff: the tool indents them further 250 ms later, when it adds a scroll bar. */
const LINE_NUMBER = /^( {0,8}┃) {1,8}(?=\d{1,6}(?: [ +-]|$))/u;

function hasBar(page: Page, row: number): boolean {
  return SIDES.has(readTextAt(page, row).trimStart()[0] ?? "");
}

function withoutBar(text: string): string {
  const bar = measureIndent(text);
  const row = `${text.slice(0, bar)} ${text.slice(bar + 1)}`;
  return isBlank(row) ? "" : row;
}

function eraseRow(row: Row): Row {
  return { ...row, text: "", drawn: "" };
}
