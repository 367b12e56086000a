/** Whether a dialog that was drawn again after a committing key is another question, or the answered one that closes. Pure. */
import type { SafetyClass } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { marksOf } from "../layout/fingerprint.js";
import { REDRAW_BYTES_MIN, REDRAW_BYTES_SURE, REDRAWN_CLOSING_MS } from "./tracker-limits.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/** Once a start: drawn again it was only moved by what the tool says above it. If the answer went astray it still stands, and is raised anew. */
const ASKED_ONCE: ReadonlySet<SafetyClass> = new Set<SafetyClass>(["startup", "trust", "update"]);

/** The same question, drawn again after a committing key: it is another one (two equal calls in a row). */
export function redrawnAfterCommit(
  { commit, outputBytes }: TrackerState,
  { candidate: before, marks }: Pending,
  now: Candidate,
): boolean {
  if (!commit || commit.resized || ASKED_ONCE.has(before.safetyClass)) return false;
  // The keys moved the highlight or ticked a row: it is the answered dialog that shows so. A new one begins with its own marks.
  if (marksOf(now) !== marks) return false;
  return outputBytes - commit.outputBytes >= REDRAW_BYTES_MIN || before.region.top !== now.region.top;
}

/** Where it stood, and by so few bytes that it may be closing. */
export function closingRedraw(
  { commit, outputBytes }: TrackerState,
  { candidate: before }: Pending,
  { candidate, now }: { candidate: Candidate; now: number },
): TrackerState["closing"] {
  const isSure = !commit || outputBytes - commit.outputBytes >= REDRAW_BYTES_SURE;
  if (isSure || before.region.top !== candidate.region.top) return null;
  return { candidate, until: now + REDRAWN_CLOSING_MS };
}
