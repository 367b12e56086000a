/** What a look shows of the question into which a key was written. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isUnrecognized } from "../../detection/matchers/unrecognized-screen.js";
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

/** What is left of a dialog that a rule describes may be drawn like a list without a rule. Of two such lists the second one is another. */
function isLessKnown(asked: Candidate, live: Candidate): boolean {
  return live.promptType === "unknown" || (isUnrecognized(live) && !isUnrecognized(asked));
}

/** What a look shows once the key was written at `asked`. */
export function showsOf({ effect }: Plan, { live: asked }: ScreenMoment): Shows {
  return ({ live, composer }) => {
    // What no rule describes, or shows only a part of the question, may be a picture between two.
    if (asked === null && (live === null || isUnrecognized(live)))
      return composer === "filled" ? "asked" : "neither";
    if (asked === null) return "other";
    const hasField = effect.kind === "field_empties";
    const isBetween = live === null || isLessKnown(asked, live) || isPartOf(asked, live);
    if (isSameAtAnySize(asked, live) || (hasField && isSameButText(asked, live))) return "asked";
    return isBetween ? "neither" : "other";
  };
}
