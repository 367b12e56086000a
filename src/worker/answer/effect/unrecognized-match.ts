/** What can be said of a screen that no rule reads, after a key of ours. Pure. */
import type { View } from "../../../sdk/view.js";
import type { ScreenMoment } from "../screen-match.js";

/** None of its rows is drawn any more, with nothing or anything behind it. */
export function hasLeft({ live, view: before }: ScreenMoment, { view }: ScreenMoment): boolean {
  const region = live === null ? [] : before.lines.slice(live.region.top, live.region.bottom + 1);
  const rows = region.map(({ text }) => text).filter((row) => row.trim() !== "");
  const drawn = view.lines.map(({ text }) => text);
  return rows.length > 0 && !rows.some((row) => drawn.some((text) => text.startsWith(row)));
}

/** Enter was pressed on a line, and below it stands something that did not: that the line alone moved up proves nothing. */
export function wentOn({ live, view: before }: ScreenMoment, { view }: ScreenMoment): boolean {
  const line = before.lines[live?.region.bottom ?? -1]?.text ?? "";
  if (line.trim() === "" || before.cursor.y !== live?.region.bottom) return false;
  const rows = rowsOf(view);
  const at = rows.lastIndexOf(line);
  if (at < 0) return false;
  // The same line once more: it was asked again.
  if (countOf(rows, line) > countOf(rowsOf(before), line)) return true;
  return rows.slice(at + 1).some((row) => row.trim() !== "");
}

function rowsOf(view: View): readonly string[] {
  return [...view.scrollback, ...view.lines.map(({ text }) => text)];
}

function countOf(rows: readonly string[], line: string): number {
  return rows.filter((row) => row === line).length;
}
