/**
 * The identity of a prompt over time (ADR 3): which candidate is raised, when the same text is a new prompt, and when a prompt is gone.
 * A pure state machine; time comes in as numbers.
 */
import { CONFIDENCE_FLOOR } from "../../../model/prompt.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { isFurtherDown, isSameLinePrompt, computeNextCardAt } from "./repeated-line.js";
import { isSame, isSameSize } from "../layout/fingerprint.js";
import { isUnrecognized } from "../matchers/unrecognized-screen.js";
import {
  ABSENT_MAX_MS,
  COMMIT_GONE_MS,
  COMMIT_WINDOW_MS,
  GONE_QUIET_MS,
  RESIZE_GUARD_MS,
  UNFINISHED_MAX_MS,
} from "./tracker-limits.js";
import { closeAfterRedraw, closeAfterReveal, isRedrawnAfterCommit } from "./redrawn.js";
import { computeLastDrawnAt, isStable, updateSettling } from "./settling.js";
import {
  createPending,
  INITIAL_TRACKER,
  type Committer,
  type TrackedFrame,
  type Pending,
  type TrackerInput,
  type TrackerState,
} from "./tracker-state.js";

/** `answered_by_us`: the effect of our key was seen. All other reasons are those of the wire protocol. */
export type TrackerReason = Exclude<WithdrawReason, "session_ended"> | "answered_by_us";

export type TrackerOutput =
  /** `known`: when this prompt was first seen. */
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
      return withoutOutputs({
        ...state,
        resizedAt: input.now,
        commit: state.commit && { ...state.commit, resized: true },
      });
    case "resized_within":
      return supersede(state);
    case "committing_key":
      return withoutOutputs(state.pending ? { ...state, commit: { ...input, resized: false } } : state);
    case "screen_lost":
      return loseScreen(state);
    case "reply_unsettled":
      return withoutOutputs({ ...withoutPending(state), closing: null });
    case "settled":
      return withoutOutputs({ ...withoutPending(state), closing: startClosing(state, input) });
  }
}

function supersede(state: TrackerState): TrackerStep {
  const outputs: TrackerOutput[] = [];
  return { state: state.pending ? withdrawPending(state, "replaced", outputs) : state, outputs };
}

/**
 * The screen cannot be followed (ADR 28): the pending prompt is withdrawn without an outcome, because its end cannot be seen. Whatever is
 * drawn later is a new prompt.
 */
function loseScreen({ epoch, pending, outputBytes, toolState }: TrackerState): TrackerStep {
  const outputs: TrackerOutput[] = pending ? [{ kind: "withdraw", reason: "screen_lost" }] : [];
  if (toolState !== "screen_lost") outputs.push({ kind: "state", state: "screen_lost" });
  const state = { ...INITIAL_TRACKER, epoch: epoch + 1, outputBytes, toolState: "screen_lost" } as const;
  return { state, outputs };
}

const withoutOutputs = (state: TrackerState): TrackerStep => ({ state, outputs: [] });

function startClosing(
  { pending }: TrackerState,
  { dialog, now, closesWithinMs }: Extract<TrackerInput, { kind: "settled" }>,
): TrackerState["closing"] {
  const candidate = pending?.candidate ?? dialog;
  return candidate ? { candidate, until: now + closesWithinMs } : null;
}

/** Starts a new epoch without an output, because the caller has reported the end of the prompt itself. */
function withoutPending(state: TrackerState): TrackerState {
  return { ...state, epoch: state.epoch + 1, pending: null, settling: null, absentSince: null, commit: null };
}

function onFrame(before: TrackerState, frame: TrackedFrame): TrackerStep {
  const outputs: TrackerOutput[] = [];
  let state = updateTimers(before, frame);
  const candidate = filterRaisable(frame.candidate);
  state = followPending(state, frame, candidate, outputs);
  state = raiseWhenStable(state, frame, candidate, outputs);
  state = reportState(state, frame, outputs);
  return { state: { ...state, wakeAt: computeWakeAt(state, frame) }, outputs };
}

/** Menus that the user opened and candidates below the lowest confidence band are never raised. */
function filterRaisable(candidate: Candidate | null): Candidate | null {
  if (!candidate || candidate.safetyClass === "user_menu") return null;
  return candidate.score >= CONFIDENCE_FLOOR.low ? candidate : null;
}

function updateTimers(state: TrackerState, frame: TrackedFrame): TrackerState {
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

function isResizing(state: TrackerState, now: number): boolean {
  return state.resizedAt !== null && now < state.resizedAt + RESIZE_GUARD_MS;
}

function followPending(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
  outputs: TrackerOutput[],
): TrackerState {
  const { pending } = state;
  if (!pending) return state;
  if (candidate && isPending(state, candidate)) {
    if (isRedrawnAfterCommit(state, pending, candidate)) {
      // Until the drawing is whole, the view may show the answered dialog unchanged.
      if (isUnfinished(state, frame.now)) return { ...state, absentSince: null };
      const closing = closeAfterRedraw(state, pending, { candidate, now: computeLastDrawnAt(frame) });
      return { ...withdrawPending(state, "redrawn", outputs), closing: closing ?? state.closing };
    }
    const resizing = isResizing(state, frame.now);
    if (!resizing && isFurtherDown(pending, frame))
      return replacePending(candidate, { ...state, pending }, frame, outputs);
    const seen = { ...pending, candidate, lineFeeds: resizing ? frame.lineFeeds : pending.lineFeeds };
    return { ...state, pending: seen, absentSince: null, resizedAt: resizing ? state.resizedAt : null };
  }
  if (candidate && pending.isStale && isSameLinePrompt(pending.raised, candidate))
    return replacePending(candidate, { ...state, pending }, frame, outputs);
  const absentSince = state.absentSince ?? frame.now;
  const quietMs = candidate ? pending.stableMs : computeGoneQuietMs(pending);
  if (isMidDraw(state, frame, { absentSince, quietMs })) return { ...state, absentSince };
  const closing = closeAfterReveal(state, pending, frame.now);
  const after = candidate
    ? replacePending(candidate, { ...state, pending }, frame, outputs)
    : withdrawPending(state, "gone", outputs);
  return { ...after, ...(closing && { closing }) };
}

/** Another prompt took its place. If it only repeats the same unanswered line, it is raised when the next card is due. */
function replacePending(
  candidate: Candidate,
  state: TrackerState & { readonly pending: Pending },
  frame: TrackedFrame,
  outputs: TrackerOutput[],
): TrackerState {
  const { pending, commit, timesAgain } = state;
  if (commit || !isSameLinePrompt(pending.raised, candidate))
    return withdrawPending(state, "replaced", outputs);
  const isDue = frame.now >= computeNextCardAt(pending, state);
  if (isDue && (timesAgain === 0 || isStable(updateSettling(state.settling, frame, candidate), frame)))
    return { ...withdrawPending(state, "replaced", outputs), timesAgain: timesAgain + 1 };
  return { ...state, pending: { ...pending, isStale: true }, absentSince: null };
}

/**
 * Whether the view may be half drawn, so that an absent prompt does not count as gone. After a committing key its absence is expected,
 * so it counts sooner; and a tool that animates is never quiet, so quiet cannot be required for ever.
 */
function isMidDraw(
  state: TrackerState,
  frame: TrackedFrame,
  absent: { absentSince: number; quietMs: number },
): boolean {
  if (isUnfinished(state, frame.now) || isResizing(state, frame.now)) return true;
  const goneAfter = state.commit === null ? ABSENT_MAX_MS : COMMIT_GONE_MS;
  const expected = frame.now >= absent.absentSince + goneAfter;
  return !expected && frame.now < frame.outputAt + absent.quietMs;
}

function computeGoneQuietMs({ stableMs }: Pending): number {
  return Math.max(stableMs, GONE_QUIET_MS);
}

function withdrawPending(
  state: TrackerState,
  how: "gone" | "replaced" | "redrawn",
  outputs: TrackerOutput[],
): TrackerState {
  const { commit, pending } = state;
  const reason = how === "gone" ? "left_screen" : "superseded";
  outputs.push({ kind: "withdraw", reason: commit ? ENDED_BY[commit.by] : reason });
  const answered = commit && pending ? pending.candidate : null;
  // The prompt that replaces it may have been unchanged for a while already.
  return {
    ...withoutPending(state),
    timesAgain: 0,
    answered,
    settling: how === "replaced" ? state.settling : null,
  };
}

const ENDED_BY: Readonly<Record<Committer, TrackerReason>> = {
  local: "answered_locally",
  us: "answered_by_us",
  command: "ended_by_command",
};

function raiseWhenStable(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
  outputs: TrackerOutput[],
): TrackerState {
  const closing = updateClosing(state, frame, candidate);
  if (!candidate || isPending(state, candidate)) return { ...state, closing, settling: null };
  const settling = updateSettling(state.settling, frame, candidate);
  if (!isStable(settling, frame) || closing || isUnfinished(state, frame.now) || state.pending)
    return { ...state, closing, settling };
  outputs.push({ kind: "raise", candidate, epoch: state.epoch, known: settling.known });
  return { ...state, closing, settling: null, pending: createPending(state, frame, candidate) };
}

function updateClosing(
  state: TrackerState,
  frame: TrackedFrame,
  candidate: Candidate | null,
): TrackerState["closing"] {
  const { closing } = state;
  if (closing === null || candidate === null || frame.now >= closing.until) return null;
  // At a smaller size less of the dialog is visible, so both directions count.
  const isClosing = isSame(closing.candidate, candidate) || isSame(candidate, closing.candidate);
  return isClosing ? closing : null;
}

/**
 * The candidate is compared with the one that people were shown, so that a series of small changes cannot lead away from it. At another
 * terminal size it must also equal the previous view, except for the first view after the resize.
 */
function isPending({ pending, resizedAt }: TrackerState, now: Candidate): boolean {
  if (pending === null || pending.isStale || !isSame(pending.raised, now)) return false;
  return isSameSize(pending.raised, now) || resizedAt !== null || isSame(pending.candidate, now);
}

function reportState(state: TrackerState, frame: TrackedFrame, outputs: TrackerOutput[]): TrackerState {
  // A dialog that is not stable yet may be half drawn, so the state below it is not trusted. An unrecognized screen covers nothing.
  const isDialog = frame.candidate !== null && !isUnrecognized(frame.candidate);
  const toolState = state.pending ? "waiting" : isDialog ? state.toolState : frame.state;
  if (toolState === null || toolState === state.toolState) return state;
  outputs.push({ kind: "state", state: toolState });
  return { ...state, toolState };
}

/** The next instant at which time alone changes the result. */
function computeWakeAt(state: TrackerState, frame: TrackedFrame): number | null {
  const instants: number[] = [];
  if (state.settling) instants.push(state.settling.since + frame.stableMs);
  if (state.pending?.isStale) instants.push(computeNextCardAt(state.pending, state));
  if (state.absentSince !== null && state.pending) {
    const quietMs = [state.pending.stableMs, computeGoneQuietMs(state.pending)];
    instants.push(...quietMs.map((ms) => frame.outputAt + ms));
    instants.push(state.absentSince + ABSENT_MAX_MS, state.absentSince + COMMIT_GONE_MS);
    if (state.resizedAt !== null) instants.push(state.resizedAt + RESIZE_GUARD_MS);
  }
  if (state.unfinishedSince !== null) instants.push(state.unfinishedSince + UNFINISHED_MAX_MS);
  if (state.closing) instants.push(state.closing.until);
  const ahead = instants.filter((instant) => instant > frame.now);
  return ahead.length > 0 ? Math.min(...ahead) : null;
}
