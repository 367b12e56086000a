/** Whether the answered question left the screen. That no rule reads it any more proves nothing: its rows may still be drawn. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import type { ScreenMoment } from "../screen-match.js";

/**
 * Another question stands in place of the asked one, or its text or a label of its list is no longer drawn. `isOther`: the screen shows a
 * question that is not the asked one.
 */
export function hasLeftScreen(
  asked: Candidate,
  before: View,
  { live, view }: ScreenMoment,
  isOther: boolean,
): boolean {
  const isReplaced = isOther && live !== null && !isUnrecognized(live);
  return isReplaced || !isDrawn(asked, before, view);
}

function isDrawn(asked: Candidate, before: View, now: View): boolean {
  const labels = isLineShape(asked) ? [] : listLabels(asked, before);
  return labels.length === 0
    ? isRegionDrawn(asked, before, now)
    : isQuestionDrawn(asked, before, now) && areDrawn(labels, now);
}

/** Of each choice that has rows, its first row up to the end of the label: what stands behind it (a preview, key hints) may change. */
function listLabels({ choices }: Candidate, view: View): readonly string[] {
  return choices.flatMap(({ firstRow, label }) => {
    const row = strip(view.lines[firstRow]?.text ?? "");
    return row === "" ? [] : [cutBehind(row, strip(label))];
  });
}

/** `label` may go on in the next row. */
function cutBehind(row: string, label: string): string {
  let { length } = label;
  while (length > 0 && !row.includes(label.slice(0, length))) length--;
  return length === 0 ? row : row.slice(0, row.indexOf(label.slice(0, length)) + length);
}

function areDrawn(labels: readonly string[], { lines }: View): boolean {
  const rows = lines.map(({ text }) => strip(text));
  return labels.every((label) => rows.some((row) => row.startsWith(label)));
}

/** A question that cannot be found where it was read (in a column of its own) is not looked for. */
function isQuestionDrawn({ question }: Candidate, before: View, now: View): boolean {
  const text = strip(question);
  return readAll(now).includes(text) || !readAll(before).includes(text);
}

/** All of its rows, one below the other, and the cursor among them. */
function isRegionDrawn({ region: { top, bottom } }: Candidate, before: View, now: View): boolean {
  const rows = before.lines.slice(top, bottom + 1).map(({ text }) => text.trimEnd());
  const drawn = now.lines.map(({ text }) => text.trimEnd());
  const { y } = now.cursor;
  if (rows.every((row) => row === "")) return false;
  return drawn.some(
    (_, at) => at <= y && y < at + rows.length && rows.every((row, i) => row === drawn[at + i]),
  );
}

function readAll({ lines }: View): string {
  return strip(lines.map(({ text }) => text).join(""));
}

/** Letters and digits alone: marks, ticks and borders change while a list stands. */
function strip(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}
