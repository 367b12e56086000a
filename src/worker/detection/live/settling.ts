/** Since when a candidate has been unchanged, and whether that is long enough to raise it. Pure. */
import type { Candidate } from "../../../sdk/candidate.js";
import { isSameLinePrompt } from "./repeated-line.js";
import { LOOK_LATE_MS, STILL_MAX_MS } from "./tracker-limits.js";
import type { TrackedFrame, Settling } from "./tracker-state.js";

export function updateSettling(
  settling: Settling | null,
  frame: TrackedFrame,
  candidate: Candidate,
): Settling {
  const { now, quietKey } = frame;
  const isSame = settling?.candidate.fingerprint === candidate.fingerprint;
  // Rows above a line prompt that never stop changing must not keep it from being raised.
  const isKnown = settling !== null && (isSame || isSameLinePrompt(settling.candidate, candidate));
  const isStill = isSame && settling.quietKey === quietKey;
  const since = isStill ? settling.since : computeLastDrawnAt(frame);
  return { candidate, quietKey, since, known: isKnown ? settling.known : now };
}

export function isStable({ since, known }: Settling, { now, stableMs }: TrackedFrame): boolean {
  return now >= since + stableMs || now >= known + Math.max(STILL_MAX_MS, stableMs);
}

/** A changed view is as old as the last byte, unless our own delay (`lateMs`) kept later bytes from being read. */
export function computeLastDrawnAt({
  now,
  outputAt,
  lateMs = 0,
  isUnfinished: isHalf,
}: TrackedFrame): number {
  return isHalf ? now : Math.min(now, Math.max(outputAt + lateMs, now - LOOK_LATE_MS));
}
