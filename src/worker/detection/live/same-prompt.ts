/** Whether a view still shows the raised prompt. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSame, isSameSize } from "../layout/fingerprint.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/**
 * The candidate is compared with the one that people were shown, so that a series of small changes cannot lead away from it. At another
 * terminal size it must also equal the previous view, except for the first view after the resize.
 */
export function isStillRaised(
  { raised, candidate: before }: Pick<Pending, "raised" | "candidate">,
  now: Candidate,
  { resizedAt }: Pick<TrackerState, "resizedAt">,
): boolean {
  if (!isSame(raised, now)) return false;
  return isSameSize(raised, now) || resizedAt !== null || isSame(before, now);
}
