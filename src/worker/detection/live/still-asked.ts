/** Whether a picture shows the prompt that is raised. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSame, isSameSize } from "../layout/fingerprint.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/**
 * It is compared with what people were shown, so that no row of small changes can lead away from that. At another size than that
 * one every picture must also be the same as the one before, but for the first one that the tool itself draws at this size.
 */
export function isStillAsked(
  { asked, candidate: before }: Pick<Pending, "asked" | "candidate">,
  now: Candidate,
  { resizedAt }: Pick<TrackerState, "resizedAt">,
): boolean {
  if (!isSame(asked, now)) return false;
  return isSameSize(asked, now) || resizedAt !== null || isSame(before, now);
}
