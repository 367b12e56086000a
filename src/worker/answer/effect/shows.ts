/** What a look shows of the question into which a key was written. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
import type { View, ViewLine } from "../../../sdk/view.js";
import { isSameAtAnySize, isSameButText, type ScreenMoment } from "../screen-match.js";
import type { Plan } from "../plan/plan-steps.js";

/** What a look shows of the question that was answered. */
export type Shows = (look: ScreenMoment) => "asked" | "other" | "neither";

/** Half drawn or half erased a question shows nothing that it does not show as a whole. */
export function isPartOf(whole: Candidate, part: Candidate): boolean {
  const rows = new Set(whole.drawn.split("\n"));
  return (
    part.question === whole.question &&
    part.drawn.split("\n").every((row) => rows.has(row)) &&
    listsPartOf(whole, part)
  );
}

/** A label over several rows may have lost the last of them: then its rows are compared. */
function listsPartOf(whole: Candidate, part: Candidate): boolean {
  const labels = new Set(whole.choices.map(({ label }) => label));
  if (part.choices.every(({ label }) => labels.has(label))) return true;
  const rows = new Set(whole.listed.split("\n"));
  return part.listed !== "" && part.listed.split("\n").every((row) => rows.has(row));
}

/** What no rule describes may be a picture between two: nobody can read it, or it is what is left of a dialog that a rule describes. */
function isBetween({ view, live: asked }: ScreenMoment, look: View, live: Candidate): boolean {
  if (live.promptType === "unknown") return true;
  if (!isUnrecognized(live) || asked === null || isUnrecognized(asked)) return false;
  // What is left lists nothing that did not stand there. Any other list may have taken the key.
  const stood = new Set(view.lines.map(stripMarks));
  const rows = live.choices.flatMap(({ firstRow, lastRow }) => look.lines.slice(firstRow, lastRow + 1));
  return rows.map(stripMarks).every((row) => row === "" || stood.has(row));
}

/** Without marks and borders. */
function stripMarks({ text }: ViewLine): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** What a look shows once the key was written at `before`. */
export function showsOf({ effect }: Plan, before: ScreenMoment): Shows {
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
