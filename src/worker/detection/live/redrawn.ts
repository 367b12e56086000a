/** Whether a dialog that is redrawn after a committing key is a new prompt, or the answered one about to close. Pure. */
import type { SafetyClass } from "../../../model/prompt.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { describeMarks, isSameButChosen } from "../layout/fingerprint.js";
import { REDRAW_BYTES_MIN, REDRAW_BYTES_SURE, REDRAWN_CLOSING_MS } from "./tracker-limits.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/** Dialogs that come once a start: a redraw only moves them down. If the answer got lost, the dialog stays and is raised again. */
const ASKED_ONCE: ReadonlySet<SafetyClass> = new Set<SafetyClass>(["startup", "trust", "update"]);

/** Whether the same question, redrawn after a committing key, is a new prompt (two equal calls in a row). */
export function isRedrawnAfterCommit(
  { commit, outputBytes }: TrackerState,
  { raised, candidate: before, marks }: Pending,
  now: Candidate,
): boolean {
  if (!commit || commit.resized || ASKED_ONCE.has(before.safetyClass)) return false;
  // Other marks are the effect of our keys on the answered dialog; a new dialog begins with its original marks.
  if (describeMarks(now) !== marks || isSameButChosen(raised, now)) return false;
  return outputBytes - commit.outputBytes >= REDRAW_BYTES_MIN || before.region.top !== now.region.top;
}

/** A redraw in the same place, by so few bytes that the answered dialog may be about to close. */
export function closeAfterRedraw(
  { commit, outputBytes }: TrackerState,
  { candidate: before }: Pending,
  { candidate, now }: { candidate: Candidate; now: number },
): TrackerState["closing"] {
  const isSure = !commit || outputBytes - commit.outputBytes >= REDRAW_BYTES_SURE;
  if (isSure || before.region.top !== candidate.region.top) return null;
  return { candidate, until: now + REDRAWN_CLOSING_MS };
}

/**
 * Answering a dialog may also settle the one below it, which is then drawn once more. It is not raised for as long as `reveals` says; if it is still
 * there afterwards, the person went back to it.
 */
export function closeAfterReveal(
  { commit, answered }: TrackerState,
  { candidate: { reveals } }: Pending,
  now: number,
): TrackerState["closing"] {
  return commit && answered && reveals !== undefined
    ? { candidate: answered, until: now + reveals.withinMs }
    : null;
}
