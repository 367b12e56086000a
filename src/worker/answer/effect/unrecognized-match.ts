/** Detects the effect of a key on a screen that no rule reads. Pure. */
import type { View } from "../../../sdk/view.js";
import type { ScreenMoment } from "../screen-match.js";

/** Whether none of its rows is drawn, not even as the start of a longer row. */
export function hasLeft({ live, view: before }: ScreenMoment, { view }: ScreenMoment): boolean {
  const region = live === null ? [] : before.lines.slice(live.region.top, live.region.bottom + 1);
  const rows = region.map(({ text }) => text).filter((row) => row.trim() !== "");
  const drawn = view.lines.map(({ text }) => text);
  return rows.length > 0 && !rows.some((row) => drawn.some((text) => text.startsWith(row)));
}

/** Whether there is something new below the line on which Enter was pressed. */
export function hasContinued({ live, view: before }: ScreenMoment, { view }: ScreenMoment): boolean {
  const line = before.lines[live?.region.bottom ?? -1]?.text ?? "";
  if (line.trim() === "" || before.cursor.y !== live?.region.bottom) return false;
  const rows = listRows(view);
  const at = rows.lastIndexOf(line);
  if (at < 0) return false;
  // The same line once more: it was asked again.
  if (countRows(rows, line) > countRows(listRows(before), line)) return true;
  return rows.slice(at + 1).some((row) => row.trim() !== "");
}

function listRows(view: View): readonly string[] {
  return [...view.scrollback, ...view.lines.map(({ text }) => text)];
}

function countRows(rows: readonly string[], line: string): number {
  return rows.filter((row) => row === line).length;
}
