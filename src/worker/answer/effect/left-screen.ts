/** Whether the answered question left the screen. That no rule reads it any more proves nothing: its rows may still be drawn. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import type { ScreenMoment } from "../screen-match.js";

/** What is drawn besides the asked question. */
export interface DrawnSince {
  /** A question that is not the asked one. */
  readonly isOther: boolean;
  /** What the tool draws when it asks nothing. */
  readonly hasGivenWay: boolean;
}

/**
 * Another question stands in place of the asked one, or its text or a label of its list is no longer drawn. At another size, where rows
 * break elsewhere and may be cut off, none of them may be drawn, and something must have taken their place.
 */
export function hasLeftScreen(
  asked: Candidate,
  before: View,
  { live, view }: ScreenMoment,
  { isOther, hasGivenWay }: DrawnSince,
): boolean {
  const labels = isLineShape(asked) ? [] : listLabels(asked, before);
  const isReplaced = isOther && live !== null && !isUnrecognized(live);
  if (view.cols !== before.cols || view.rows !== before.rows)
    return (isReplaced || hasGivenWay) && !isAnyDrawn([asked.question, ...labels], view);
  if (isReplaced) return true;
  return labels.length === 0
    ? !isRegionDrawn(asked, before, view)
    : !isQuestionDrawn(asked, before, view) || !areDrawn(labels, view);
}

/** Of each choice that has rows, its number and label in its first row: marks before it and what stands behind it may change. */
function listLabels({ choices }: Candidate, view: View): readonly string[] {
  return choices.flatMap(({ firstRow, label }) => {
    const row = strip(view.lines[firstRow]?.text ?? "");
    return row === "" ? [] : [cutOut(row, strip(label))];
  });
}

/** `label` may go on in the next row. */
function cutOut(row: string, label: string): string {
  let { length } = label;
  while (length > 0 && !row.includes(label.slice(0, length))) length--;
  if (length === 0) return row;
  const at = row.indexOf(label.slice(0, length));
  const [number = ""] = /\d*$/.exec(row.slice(0, at)) ?? [];
  return row.slice(at - number.length, at + length);
}

function areDrawn(labels: readonly string[], { lines }: View): boolean {
  const rows = lines.map(({ text }) => strip(text));
  return labels.every((label) => rows.some((row) => row.includes(label)));
}

function isAnyDrawn(texts: readonly string[], view: View): boolean {
  const drawn = readAll(view);
  return texts.map(strip).some((text) => text !== "" && drawn.includes(text));
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
