/** What a look shows of the question into which a key was written. Pure. */
import type { Candidate } from "../../sdk/candidate.js";
import { isSameAtAnySize, isSameButText, type Look } from "./looks.js";
import type { Plan } from "./plan.js";
import type { Shows } from "./taken-watch.js";

/** Half erased it still shows nothing that it did not. */
function isPartOf(asked: Candidate, live: Candidate): boolean {
  const rows = new Set(asked.drawn.split("\n"));
  const labels = new Set(asked.choices.map(({ label }) => label));
  return (
    live.question === asked.question &&
    live.drawn.split("\n").every((row) => rows.has(row)) &&
    live.choices.every(({ label }) => labels.has(label))
  );
}

function isUnread({ promptType }: Candidate): boolean {
  return promptType === "unknown";
}

/** What a look shows once the key was written at `asked`. */
export function showsOf({ effect }: Plan, { live: asked }: Look): Shows {
  return ({ live, composer }) => {
    if (asked === null) return live !== null ? "other" : composer === "filled" ? "asked" : "neither";
    const hasField = effect.kind === "field_empties";
    // What nobody can read, or shows only a part of it, may be a picture between two.
    const isBetween = live === null || isUnread(live) || isPartOf(asked, live);
    if (isSameAtAnySize(asked, live) || (hasField && isSameButText(asked, live))) return "asked";
    return isBetween ? "neither" : "other";
  };
}
