/**
 * Rows exactly as the terminal shows them: what two pictures of one size are compared by (ADR 3). A rule reads rows whose frame
 * was taken away and whose wraps were joined; two screens that a person can tell apart may read alike then.
 */
import { isBlank, type Page } from "./layout.js";

/** Every row of the screen that these rows of the page stand for, trailing blanks left out. */
export function drawnRows(page: Page, top: number, bottom: number): string[] {
  return page.rows.slice(Math.max(0, top), bottom + 1).flatMap(({ drawn, first, last }) => {
    if (drawn !== undefined) return [drawn.trimEnd()];
    return page.view.lines.slice(first, last + 1).map(({ text }) => text);
  });
}

/** One text of them; blank rows around them say nothing. */
export function drawnText(rows: readonly string[]): string {
  const first = rows.findIndex((row) => !isBlank(row));
  if (first < 0) return "";
  const last = rows.findLastIndex((row) => !isBlank(row));
  return rows
    .slice(first, last + 1)
    .map((row) => row.trimEnd())
    .join("\n");
}
