/**
 * A question on a line that is asked again and again while nobody answers: a clock runs in the rows above it, or its program writes
 * it anew every moment. Each of them is another question (ADR 3). People are told of them less and less often; until they are told,
 * the card that they have answers nothing. Pure.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import { isOnALine } from "../shapes/on-a-line.js";
import { AGAIN_DELAY_MS, AGAIN_DELAY_MAX_MS } from "./tracker-limits.js";
import type { Pending, TrackerState } from "./tracker-state.js";

/** Whether the same line asks for the same answers, whatever stands above it and wherever on the screen it stands. */
export function isSameLine(before: Candidate, now: Candidate): boolean {
  if (!isLine(before) || !isLine(now)) return false;
  const isSameQuestion = before.rule === now.rule && before.question === now.question;
  return isSameQuestion && labelsOf(before) === labelsOf(now);
}

/** A tool that hides its cursor draws its line, and is no other tool for that. */
function isLine({ shape }: Candidate): boolean {
  return isOnALine({ shape: shape.replace(/^drawn_/u, "") });
}

function labelsOf({ choices }: Candidate): string {
  return JSON.stringify(choices.map(({ label }) => label));
}

/** The tool wrote other lines and asked in the same words below them, all in one piece: no frame was without the question. */
export function isFurtherDown(
  { candidate, lineFeeds }: Pending,
  now: { readonly lineFeeds: number },
): boolean {
  return isOnALine(candidate) && now.lineFeeds !== lineFeeds;
}

/** When people may be told of it again. The first time it is at once: most programs that ask anew do so once. */
export function nextCardAt({ raisedAt }: Pending, { timesAgain }: Pick<TrackerState, "timesAgain">): number {
  if (timesAgain === 0) return raisedAt;
  return raisedAt + Math.min(AGAIN_DELAY_MS * 2 ** (timesAgain - 1), AGAIN_DELAY_MAX_MS);
}
