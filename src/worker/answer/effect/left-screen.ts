/** Whether the answered question left the screen: its rows may still be drawn although no rule reads them. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
import { isLineShape } from "../../detection/shapes/line-shape.js";
import type { ScreenMoment } from "../screen-match.js";

export interface DrawnSince {
  /** A question that is not the asked one. */
  readonly isOther: boolean;
  /** The tool shows that it works or is idle. */
  readonly hasGivenWay: boolean;
}

/**
 * True if another question has replaced it, or if its text or a label of its list is no longer drawn. At another size rows may be cut off:
 * then something must have replaced it, and none of its texts may be drawn.
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

/** The number and the label of each choice, without marks, as its first row shows them. */
function listLabels({ choices }: Candidate, view: View): readonly string[] {
  return choices.flatMap(({ firstRow, label }) => {
    const row = stripSigns(view.lines[firstRow]?.text ?? "");
    return row === "" ? [] : [cutOut(row, stripSigns(label))];
  });
}

/** A long `label` continues in the next row. */
function cutOut(row: string, label: string): string {
  let { length } = label;
  while (length > 0 && !row.includes(label.slice(0, length))) length--;
  if (length === 0) return row;
  const at = row.indexOf(label.slice(0, length));
  const [number = ""] = /\d*$/.exec(row.slice(0, at)) ?? [];
  return row.slice(at - number.length, at + length);
}

function areDrawn(labels: readonly string[], { lines }: View): boolean {
  const rows = lines.map(({ text }) => stripSigns(text));
  return labels.every((label) => rows.some((row) => row.includes(label)));
}

function isAnyDrawn(texts: readonly string[], view: View): boolean {
  const drawn = readAll(view);
  return texts.map(stripSigns).some((text) => text !== "" && drawn.includes(text));
}

/** A question that could not be found even before, as in a column of its own, counts as drawn. */
function isQuestionDrawn({ question }: Candidate, before: View, now: View): boolean {
  const text = stripSigns(question);
  return readAll(now).includes(text) || !readAll(before).includes(text);
}

/** Whether all of its rows are drawn, with the cursor among them. */
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
  return stripSigns(lines.map(({ text }) => text).join(""));
}

/** Letters and digits alone: marks, ticks and borders change while a list stands. */
export function stripSigns(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}
