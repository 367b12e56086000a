/** The look of a screen beside its text: highlighted rows, the cursor, and animations. Pure. */
import type { View, ViewLine } from "../../../sdk/view.js";

/** Times and amounts that grow while a tool works: `(12s`, `0:42`, `3.4k tokens`, `17%`. */
const COUNTERS =
  /\d{1,9}(?:[.,]\d{1,9})?(?=(?:ms|[smh]|%| ?(?:sec|min|k? ?tokens))(?![\p{L}\p{N}]))|\d{1,2}:\d\d/gu;

/** Removes what blinks, spins and counts: a sign on its own, a time, an amount. */
export function withoutMotion(text: string): string {
  return text.replace(/(?<!\S)[●○◯•◐◑◒◓·✢*✶✻✽\u2800-\u28ff](?!\S)/gu, " ").replace(COUNTERS, "0");
}

/** Where a screen is set off by a background, and where its cursor stands: what a key would act on. Text colours may shimmer. */
export function describeLooks(view: View): string {
  return [describeCursor(view), ...view.lines.map(describeGround)].join("\n");
}

export function describeCursor({ cursor }: View): string {
  return cursor.visible ? `${cursor.x} ${cursor.y}` : "";
}

/** Empty where no background sets anything off in the row. */
export function describeGround(line: ViewLine): string {
  return line
    .runs()
    .filter(({ style }) => style.inverse || style.background !== null)
    .map(({ start, end, style }) => `${start}-${end} ${style.inverse} ${style.background}`)
    .join(" ");
}
