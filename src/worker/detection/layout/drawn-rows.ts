/**
 * Rows exactly as the terminal shows them, to compare two views of the same size (ADR 3). Rules read rows without frames and with
 * joined wraps, so two screens that differ for a person may read alike.
 */
import type { Page } from "./layout.js";

/** The screen rows behind these rows of the page, without trailing blanks. */
export function readDrawnRows(page: Page, top: number, bottom: number): string[] {
  return page.rows.slice(Math.max(0, top), bottom + 1).flatMap(({ drawn, first, last }) => {
    if (drawn !== undefined) return [drawn.trimEnd()];
    return page.view.lines.slice(first, last + 1).map(({ text }) => text);
  });
}

export function joinDrawn(rows: readonly string[]): string {
  const drawn = rows.map((row) => row.trimEnd()).join("\n");
  return drawn.replace(/^\n+|\n+$/gu, "");
}
