/** How long an answer waits at each step, with the reason. */
import { TOOL_LIMITS, type ToolLimits } from "../prompts/limits.js";

export interface AnswerTimings extends ToolLimits {
  /** Keys pressed locally within this time may not be drawn yet: a highlight read now could be the one before them. */
  readonly typingQuietMs: number;
  /** How long a reply waits for such a pause before it is refused. */
  readonly typingWaitMs: number;
  /** Time between two looks at whether the tool reads again. */
  readonly toolReadsGapMs: number;
  /** Least time between a paste that is seen and its Enter: below 100 ms two known agents take the Enter for a part of the paste. */
  readonly pasteGapMs: number;
  /** The same on a slow machine, where it is as long as the paste took to be seen: at most so long. */
  readonly pasteGapMaxMs: number;
  /** Least time between two keys: batched keys are read as text by some tools even in separate writes. */
  readonly keyGapMs: number;
  /** How long after the committing key local keys stay held back: they were aimed at the dialog that is just closing. */
  readonly holdAfterMs: number;
  /** A prompt must be away this long to count as gone: redraws erase it for an instant (1–20 ms after a resize). */
  readonly goneForMs: number;
  /** Pasted text that still stands in its composer this long after Enter, although the tool draws, was not submitted. */
  readonly enterAgainAfterMs: number;
  /** After a key on a screen that no rule reads, what changed is read once nothing was drawn for this long. */
  readonly changeQuietMs: number;
  /** A refused reply's prompt counts as still asked if it is drawn again within this time (it may be in mid-draw now). */
  readonly returnsWithinMs: number;
}

export const DEFAULT_TIMINGS: AnswerTimings = {
  ...TOOL_LIMITS,
  typingQuietMs: 250,
  typingWaitMs: 1000,
  toolReadsGapMs: 20,
  pasteGapMs: 150,
  pasteGapMaxMs: 1000,
  keyGapMs: 15,
  holdAfterMs: 500,
  goneForMs: 100,
  enterAgainAfterMs: 1000,
  changeQuietMs: 150,
  returnsWithinMs: 300,
};

/** Two: an agent under load swallowed one Enter in six of fifteen pastes, never three in a row. */
export const ENTER_RESENDS_MAX = 2;

/** No list has more rows at which its mark may stop. */
export const PLANS_MAX = 60;

/** A tool that is slow to show a paste is as slow to finish it: some agents draw it first and then wait for more of it. */
export function computePasteGap(echoMs: number, { pasteGapMs, pasteGapMaxMs }: AnswerTimings): number {
  return Math.min(Math.max(pasteGapMs, echoMs), pasteGapMaxMs);
}
