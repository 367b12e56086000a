/** Recognizes a half-drawn change: a tool that writes only differences shows rows of two questions at once. Pure. */
import type { View } from "../../../sdk/view.js";
import type { ScreenMoment } from "../screen-match.js";

/**
 * Whether `now` is `before` with `after` partly drawn over it: above the cursor the rows are those of `after`, below it those of
 * `before`. A question that really waits has the cursor at its choices, so it cannot look like this by chance.
 */
export function isHalfDrawn(before: ScreenMoment, now: ScreenMoment, after: ScreenMoment): boolean {
  const [old, shown, fresh] = [before.view, now.view, after.view];
  if (before.live === null || !isSameSize(old, shown) || !isSameSize(shown, fresh)) return false;
  const regions = [before, now, after].flatMap(({ live }) => live?.region ?? []);
  const top = Math.max(0, Math.min(...regions.map((region) => region.top)));
  const bottom = Math.max(...regions.map((region) => region.bottom));
  const { y } = shown.cursor;
  return shown.lines.slice(top, bottom + 1).every(({ text }, index) => {
    const row = top + index;
    const [was, becomes] = [old.lines[row]?.text ?? "", fresh.lines[row]?.text ?? ""];
    if (row !== y) return text === (row < y ? becomes : was);
    return isRowHalfDrawn(was, text, becomes);
  });
}

/** The row starts like the new one and ends like the old one, or ends there. */
export function isRowHalfDrawn(was: string, text: string, becomes: string): boolean {
  let drawn = 0;
  while (drawn < text.length && text[drawn] === becomes[drawn]) drawn += 1;
  return was.endsWith(text.slice(drawn));
}

function isSameSize(a: View, b: View): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
