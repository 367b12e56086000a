/** How long an answer waits at each step, with the reason. */
import { TOOL_LIMITS, type ToolLimits } from "../prompts/limits.js";

export interface AnswerTimings extends ToolLimits {
  /** The effect of keys pressed locally within this time may not be drawn yet. */
  readonly typingQuietMs: number;
  /** How long a reply waits for such a pause before it is refused. */
  readonly typingWaitMs: number;
  /** Time between two looks at whether the tool reads again. */
  readonly toolReadsGapMs: number;
  /** Least time between a drawn paste and its Enter: below 100 ms two known agents take the Enter for a part of the paste. */
  readonly pasteGapMs: number;
  /** On a slow machine that time is as long as the paste took to be drawn, but at most this. */
  readonly pasteGapMaxMs: number;
  /** Least time between two keys: some tools read quick keys as text. */
  readonly keyGapMs: number;
  /** How long after the committing key local keys are held back: they were meant for the dialog that closes. */
  readonly holdAfterMs: number;
  /** A prompt must be missing this long to count as gone: redraws erase it for an instant (1–20 ms after a resize). */
  readonly goneForMs: number;
  /** Pasted text that is still in its composer this long after Enter was not submitted, if the tool draws at all. */
  readonly enterAgainAfterMs: number;
  /** After a key on a screen that no rule reads, its change is read after this long without drawing. */
  readonly changeQuietMs: number;
  /** A refused reply's prompt counts as still asked if it is drawn again within this time. */
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

/** Some agents draw a paste first and then wait for more of it, on a slow machine for longer. */
export function computePasteGap(echoMs: number, { pasteGapMs, pasteGapMaxMs }: AnswerTimings): number {
  return Math.min(Math.max(pasteGapMs, echoMs), pasteGapMaxMs);
}
