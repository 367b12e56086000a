/**
 * A line prompt that a program prints again and again before anybody answers, for example below a running clock. Each repetition is a
 * new prompt (ADR 3), but people get new cards less and less often. Until the next card, the old one is stale and answers nothing. Pure.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import { isLineShape } from "../shapes/line-shape.js";
import { AGAIN_DELAY_MS, AGAIN_DELAY_MAX_MS } from "./tracker-limits.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/** Whether both are the same line prompt with the same choices, whatever is drawn above it and wherever it is on the screen. */
export function isSameLinePrompt(before: Candidate, now: Candidate): boolean {
  if (!isLine(before) || !isLine(now)) return false;
  if (before.opened !== now.opened) return false;
  return asksTheSame(before, now);
}

export function asksTheSame(a: Candidate, b: Candidate): boolean {
  return a.rule === b.rule && a.question === b.question && joinLabels(a) === joinLabels(b);
}

/** A line drawn by a tool that hides its cursor counts as well. */
function isLine({ shape }: Candidate): boolean {
  return isLineShape({ shape: shape.replace(/^drawn_/u, "") });
}

function joinLabels({ choices }: Candidate): string {
  return JSON.stringify(choices.map(({ label }) => label));
}

/** Whether the program printed the same question again further down, with no frame without it in between. */
export function isFurtherDown(
  { candidate, lineFeeds }: Pending,
  now: { readonly lineFeeds: number },
): boolean {
  return isLineShape(candidate) && now.lineFeeds !== lineFeeds;
}

/** When people may get a new card. The first repetition gets one at once, because most programs repeat a question only once. */
export function computeNextCardAt(
  { raisedAt }: Pending,
  { timesAgain }: Pick<TrackerState, "timesAgain">,
): number {
  if (timesAgain === 0) return raisedAt;
  return raisedAt + Math.min(AGAIN_DELAY_MS * 2 ** (timesAgain - 1), AGAIN_DELAY_MAX_MS);
}
