/** Since when a candidate looks as it looks now, and whether that is long enough. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSameLine } from "./asked-again.js";
import { LOOK_LATE_MS, STILL_MAX_MS } from "./tracker-limits.js";
import type { TrackedFrame, Settling } from "./tracker-state.js";

export function settlingOf(settling: Settling | null, frame: TrackedFrame, candidate: Candidate): Settling {
  const { now, stillness } = frame;
  if (settling?.candidate.fingerprint !== candidate.fingerprint) {
    // Rows above a line that never rest must not keep its question from people.
    const known = settling && isSameLine(settling.candidate, candidate) ? settling.known : now;
    return { candidate, stillness, since: lastDrawnAt(frame), known };
  }
  const since = settling.stillness === stillness ? settling.since : lastDrawnAt(frame);
  return { candidate, stillness, since, known: settling.known };
}

export function isCalm({ since, known }: Settling, { now, stableMs }: TrackedFrame): boolean {
  return now >= since + stableMs || now >= known + Math.max(STILL_MAX_MS, stableMs);
}

/** A picture that a look finds changed has stood as it is since the last byte, not only since the look. Time without a processor is no proof of that. */
export function lastDrawnAt({ now, outputAt, lateMs = 0, isUnfinished: isHalf }: TrackedFrame): number {
  return isHalf ? now : Math.min(now, Math.max(outputAt + lateMs, now - LOOK_LATE_MS));
}
