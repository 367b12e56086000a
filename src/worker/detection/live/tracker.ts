/**
 * The identity of a prompt in time (ADR 3): which candidate is raised, when the same text is a new
 * question, when one is over. A pure state machine; time comes in as numbers.
 */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { isFurtherDown, isSameLine, nextCardAt } from "./asked-again.js";
import { isSame } from "../layout/fingerprint.js";
import { isStillAsked } from "./still-asked.js";
import {
  ABSENT_MAX_MS,
  CLOSING_MS,
  COMMIT_GONE_MS,
  COMMIT_WINDOW_MS,
  GONE_QUIET_MS,
  RESIZE_GUARD_MS,
  TWIN_CLOSING_MS,
  UNFINISHED_MAX_MS,
} from "./tracker-limits.js";
import { loseScreen } from "./lost-screen.js";
import { closingRedraw, redrawnAfterCommit } from "./redrawn.js";
import { lastDrawnAt, isCalm, settlingOf } from "./settling.js";
import {
  pendingOf,
  type TrackedFrame,
  type Pending,
  type TrackerInput,
  type TrackerState,
} from "./tracker-state.js";

/** `answered_by_us`: our key's effect was seen. The reasons of the wire otherwise. */
export type TrackerReason = Exclude<WithdrawReason, "session_ended"> | "answered_by_us";

export type TrackerOutput =
  /** `known`: since when it stood there as this question. */
  | { readonly kind: "raise"; readonly candidate: Candidate; readonly epoch: number; readonly known: number }
  | { readonly kind: "withdraw"; readonly reason: TrackerReason }
  | { readonly kind: "state"; readonly state: ToolState };

export interface TrackerStep {
  readonly state: TrackerState;
  readonly outputs: readonly TrackerOutput[];
}

export function advanceTracker(state: TrackerState, input: TrackerInput): TrackerStep {
  switch (input.kind) {
    case "frame":
      return onFrame(state, input);
    case "resized":
      return still({
        ...state,
        resizedAt: input.now,
        commit: state.commit && { ...state.commit, resized: true },
      });
    case "committing_key":
      return still(state.pending ? { ...state, commit: { ...input, resized: false } } : state);
    case "screen_lost":
      return loseScreen(state);
    case "reply_unsettled":
      return still({ ...withoutPending(state), closing: null });
    case "request_settled":
      return still({ ...withoutPending(state), closing: closingOf(state, input) });
  }
}

const still = (state: TrackerState): TrackerStep => ({ state, outputs: [] });

function closingOf(
  { pending }: TrackerState,
  { dialog, now, hasTwin = false }: Extract<TrackerInput, { kind: "request_settled" }>,
): TrackerState["closing"] {
  const candidate = pending?.candidate ?? dialog;
  return candidate ? { candidate, until: now + (hasTwin ? TWIN_CLOSING_MS : CLOSING_MS) } : null;
}

/** A new epoch without a word: whoever told us has told the others. */
function withoutPending(state: TrackerState): TrackerState {
  return { ...state, epoch: state.epoch + 1, pending: null, settling: null, absentSince: null, commit: null };
}

function onFrame(before: TrackerState, frame: TrackedFrame): TrackerStep {
  const outputs: TrackerOutput[] = [];
  let state = clockFacts(before, frame);
  const candidate = raisable(frame.candidate);
  state = followPending(state, frame, candidate, outputs);
  state = settle(state, frame, candidate, outputs);
  state = reportState(state, frame, outputs);
  return { state: { ...state, wakeAt: wakeOf(state, frame) }, outputs };
}

/** Menus that the user opened and rules below the lowest band are seen, and never raised. */
function raisable(candidate: Candidate | null): Candidate | null {
  if (!candidate || candidate.safetyClass === "user_menu") return null;
  return candidate.score >= CONFIDENCE_FLOOR.low ? candidate : null;
}

function clockFacts(state: TrackerState, frame: TrackedFrame): TrackerState {
  const expired = state.commit && frame.now > state.commit.now + COMMIT_WINDOW_MS;
  return {
    ...state,
    unfinishedSince: frame.isUnfinished ? (state.unfinishedSince ?? frame.now) : null,
    commit: expired ? null : state.commit,
    outputBytes: frame.outputBytes,
  };
}

function isUnfinished(state: TrackerState, now: number): boolean {
  return state.unfinishedSince !== null && now < state.unfinishedSince + UNFINISHED_MAX_MS;
}

function justResized(state: TrackerState, now: number): boolean {
  return state.resizedAt !== null && now < state.resizedAt + RESIZE_GUARD_MS;
}

/** Is the pending prompt still there, answered, or gone? */
function followPending(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
  outputs: TrackerOutput[],
): TrackerState {
  const { pending } = state;
  if (!pending) return state;
  if (candidate && isPending(state, candidate)) {
    if (redrawnAfterCommit(state, pending, candidate)) {
      const closing = closingRedraw(state, pending, { candidate, now: lastDrawnAt(frame) });
      return { ...over(state, "redrawn", outputs), closing: closing ?? state.closing };
    }
    const resizing = justResized(state, frame.now);
    if (!resizing && isFurtherDown(pending, frame))
      return replacedBy(candidate, { ...state, pending }, frame, outputs);
    const seen = { ...pending, candidate, lineFeeds: resizing ? frame.lineFeeds : pending.lineFeeds };
    return { ...state, pending: seen, absentSince: null, resizedAt: resizing ? state.resizedAt : null };
  }
  if (candidate && pending.isStale && isSameLine(pending.asked, candidate))
    return replacedBy(candidate, { ...state, pending }, frame, outputs);
  const absentSince = state.absentSince ?? frame.now;
  const quietMs = candidate ? pending.stableMs : goneQuietMs(pending);
  if (isMidDraw(state, frame, { absentSince, quietMs })) return { ...state, absentSince };
  const closing = revealed(state, pending, frame.now);
  const after = candidate
    ? replacedBy(candidate, { ...state, pending }, frame, outputs)
    : over(state, "gone", outputs);
  return { ...after, ...(closing && { closing }) };
}

/** Another question stands there. If it is the same line once more, and nobody has answered, people are told of it in due time. */
function replacedBy(
  candidate: Candidate,
  state: TrackerState & { readonly pending: Pending },
  frame: TrackedFrame,
  outputs: TrackerOutput[],
): TrackerState {
  const { pending, commit, timesAgain } = state;
  if (commit || !isSameLine(pending.asked, candidate)) return over(state, "replaced", outputs);
  const isDue = frame.now >= nextCardAt(pending, state);
  if (isDue && (timesAgain === 0 || isCalm(settlingOf(state.settling, frame, candidate), frame)))
    return { ...over(state, "replaced", outputs), timesAgain: timesAgain + 1 };
  return { ...state, pending: { ...pending, isStale: true }, absentSince: null };
}

/** A dialog over another: what its answer also settles may be drawn once more. Whoever went back is asked again, a little later. */
function revealed(
  { commit, answered }: TrackerState,
  { candidate: { revealsMs } }: Pending,
  now: number,
): TrackerState["closing"] {
  return commit && answered && revealsMs !== undefined
    ? { candidate: answered, until: now + revealsMs }
    : null;
}

/**
 * Nobody may call a prompt gone from a half-drawn picture. After a committing key an absence is what was to be expected, and
 * an animating tool is never quiet.
 */
function isMidDraw(
  state: TrackerState,
  frame: TrackedFrame,
  absent: { absentSince: number; quietMs: number },
): boolean {
  if (isUnfinished(state, frame.now) || justResized(state, frame.now)) return true;
  const goneAfter = state.commit === null ? ABSENT_MAX_MS : COMMIT_GONE_MS;
  const expected = frame.now >= absent.absentSince + goneAfter;
  return !expected && frame.now < frame.outputAt + absent.quietMs;
}

function goneQuietMs({ stableMs }: Pending): number {
  return Math.max(stableMs, GONE_QUIET_MS);
}

function over(
  state: TrackerState,
  how: "gone" | "replaced" | "redrawn",
  outputs: TrackerOutput[],
): TrackerState {
  outputs.push({ kind: "withdraw", reason: reasonOf(state, how) });
  const { commit, pending } = state;
  const answered = commit && pending ? pending.candidate : null;
  // What replaces it may have been still for a while already.
  return {
    ...withoutPending(state),
    timesAgain: 0,
    answered,
    settling: how === "replaced" ? state.settling : null,
  };
}

function reasonOf({ commit }: TrackerState, how: "gone" | "replaced" | "redrawn"): TrackerReason {
  if (commit) return commit.by === "local" ? "answered_locally" : "answered_by_us";
  return how === "gone" ? "left_screen" : "superseded";
}

/** A candidate that stays as it is for `stableMs` is raised. */
function settle(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
  outputs: TrackerOutput[],
): TrackerState {
  const closing = stillClosing(state, frame, candidate);
  if (!candidate || isPending(state, candidate)) return { ...state, closing, settling: null };
  const settling = settlingOf(state.settling, frame, candidate);
  if (!isCalm(settling, frame) || closing || isUnfinished(state, frame.now) || state.pending)
    return { ...state, closing, settling };
  outputs.push({ kind: "raise", candidate, epoch: state.epoch, known: settling.known });
  return { ...state, closing, settling: null, pending: pendingOf(state, frame, candidate) };
}

function stillClosing(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
): TrackerState["closing"] {
  const { closing } = state;
  if (closing === null || candidate === null || frame.now >= closing.until) return null;
  // A smaller size shows less of it.
  const isClosing = isSame(closing.candidate, candidate) || isSame(candidate, closing.candidate);
  return isClosing ? closing : null;
}

function isPending(state: TrackerState, candidate: Candidate): boolean {
  const { pending } = state;
  return pending !== null && !pending.isStale && isStillAsked(pending, candidate, state);
}

function reportState(state: TrackerState, frame: TrackedFrame, outputs: TrackerOutput[]): TrackerState {
  // A dialog that is not still yet may be half drawn, and so may what it is drawn over; what nobody can read covers nothing.
  const isDialog = frame.candidate !== null && frame.candidate.promptType !== "unknown";
  const toolState = state.pending ? "waiting" : isDialog ? state.toolState : frame.state;
  if (toolState === null || toolState === state.toolState) return state;
  outputs.push({ kind: "state", state: toolState });
  return { ...state, toolState };
}

/** The next instant at which time alone changes the answer. */
function wakeOf(state: TrackerState, frame: TrackedFrame): number | null {
  const instants: number[] = [];
  if (state.settling) instants.push(state.settling.since + frame.stableMs);
  if (state.pending?.isStale) instants.push(nextCardAt(state.pending, state));
  if (state.absentSince !== null && state.pending) {
    instants.push(frame.outputAt + state.pending.stableMs, frame.outputAt + goneQuietMs(state.pending));
    instants.push(state.absentSince + ABSENT_MAX_MS);
    instants.push(state.absentSince + COMMIT_GONE_MS);
    if (state.resizedAt !== null) instants.push(state.resizedAt + RESIZE_GUARD_MS);
  }
  if (state.unfinishedSince !== null) instants.push(state.unfinishedSince + UNFINISHED_MAX_MS);
  if (state.closing) instants.push(state.closing.until);
  const ahead = instants.filter((instant) => instant > frame.now);
  return ahead.length > 0 ? Math.min(...ahead) : null;
}
