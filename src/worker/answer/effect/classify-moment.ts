/** Classifies a moment of the screen after a key: the answered question, another one, or neither. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
import type { View, ViewLine } from "../../../sdk/view.js";
import { isSameAtAnySize, isSameButText, type ScreenMoment } from "../screen-match.js";
import type { Plan } from "../plan/plan-steps.js";

export type ClassifyMoment = (moment: ScreenMoment) => "asked" | "other" | "neither";

/** A question that is half drawn or half erased shows only parts of the whole question. */
export function isPartOf(whole: Candidate, part: Candidate): boolean {
  const rows = new Set(whole.drawn.split("\n"));
  return (
    part.question === whole.question &&
    part.drawn.split("\n").every((row) => rows.has(row)) &&
    isListPartOf(whole, part)
  );
}

/** Compares rows where a label of several rows has lost the last of them. */
function isListPartOf(whole: Candidate, part: Candidate): boolean {
  const labels = new Set(whole.choices.map(({ label }) => label));
  if (part.choices.every(({ label }) => labels.has(label))) return true;
  const rows = new Set(whole.listed.split("\n"));
  return part.listed !== "" && part.listed.split("\n").every((row) => rows.has(row));
}

/** Whether it may be a half-drawn picture: unreadable, or a rest of the dialog. */
function isBetween({ view: before, live: asked }: ScreenMoment, view: View, live: Candidate): boolean {
  if (live.promptType === "unknown") return true;
  if (!isUnrecognized(live) || asked === null || isUnrecognized(asked)) return false;
  // A list with a row that was not there before may be another question.
  const stood = new Set(before.lines.map(stripMarks));
  const rows = live.choices.flatMap(({ firstRow, lastRow }) => view.lines.slice(firstRow, lastRow + 1));
  return rows.every((row) => {
    const text = stripMarks(row);
    return text === "" || stood.has(text) || (row === view.lines[view.cursor.y] && isBegun(row, stood));
  });
}

/** Perhaps only the mark and the number of the row are drawn yet. */
function isBegun({ text }: ViewLine, rows: ReadonlySet<string>): boolean {
  const begun = text.trimEnd().replace(/^[^\p{L}\p{N}]+/u, "");
  return [...rows].some((row) => row.startsWith(begun));
}

/** Without marks and borders. */
function stripMarks({ text }: ViewLine): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** `before`: the screen at which the key was written. */
export function createClassifier({ effect }: Plan, before: ScreenMoment): ClassifyMoment {
  const asked = before.live;
  return ({ view, live, composer }) => {
    const hasGone = live === null || isBetween(before, view, live);
    if (asked === null && hasGone) return composer === "filled" ? "asked" : "neither";
    if (asked === null) return "other";
    const hasField = effect.kind === "field_empties";
    if (isSameAtAnySize(asked, live) || (hasField && isSameButText(asked, live))) return "asked";
    return hasGone || isPartOf(asked, live) ? "neither" : "other";
  };
}
