/**
 * What the screen of a program that takes single keys looks like while it asks, apart from a marked row: boxes to tick, buttons, the
 * sign before a question, keys that are said to choose. It only tells that somebody is asked.
 */
import { type Page } from "../layout/layout.js";

/** `◯ Tests`, `[ ] web`, `(*) stable`: a task list of a text has a dash before its boxes. */
const TICK = /^([\s│┃|]{0,200}(?:[❯›>▸] ?)?)(?:[◯◉◻◼☐☑☒]|\[[ xX*✓✔]\]|\([ *•]\)) {0,3}\S/u;
const TICKS_MIN = 2;
/** Rows of a group's name, or of an explanation of a box, between two boxes. */
const GAP_MAX = 3;

const LOOKS: readonly RegExp[] = [
  // The sign of the prompt libraries before a question, in a frame.
  /^[│┃|] {1,4}[?◆▲] \S/u,
  // `<Ok>   <Cancel>` and nothing else.
  /^[\s│┃|]{0,200}<[^<>]{1,40}>(?:\s{1,80}<[^<>]{1,40}>){0,5}[\s│┃|]{0,200}$/u,
  /(?:[↑↓⏎]|\b(?:space|enter|return)\b).{0,60}\b(?:select|submit|confirm|choose)\b/iu,
];

/** How many of how many rows a filter shows. */
const FILTER = /^ {1,3}\d{1,9}\/\d{1,9}(?: \(\d{1,9}\))? ─/u;

const INNER_FRAME = /^[\s│┃|]{0,200}[│┃|] ┌─{4,400}┐ [│┃|]/u;
/** A bar of progress has such a frame, too. */
const PROGRESS = /\d%/u;

export function looksLikeAsking(page: Page): boolean {
  return (
    page.rows.some(({ text }) => LOOKS.some((look) => look.test(text))) || hasTicks(page) || isWindow(page)
  );
}

export function showsFilter(page: Page): boolean {
  return page.rows.some(({ text }) => FILTER.test(text));
}

function hasTicks(page: Page): boolean {
  const rows = page.rows.flatMap(({ text }, row) => {
    const before = TICK.exec(text)?.[1];
    return before === undefined ? [] : [{ row, column: before.length }];
  });
  const near = rows.filter(({ row, column }) =>
    rows.some(
      (other) => other.row !== row && other.column === column && Math.abs(other.row - row) <= GAP_MAX,
    ),
  );
  return near.length >= TICKS_MIN;
}

function isWindow(page: Page): boolean {
  const rows = page.rows.map(({ text }) => text);
  return rows.some((text) => INNER_FRAME.test(text)) && !rows.some((text) => PROGRESS.test(text));
}
