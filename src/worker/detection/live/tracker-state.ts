import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { describeMarks } from "../layout/fingerprint.js";

export interface TrackedFrame {
  readonly kind: "frame";
  /** ms, monotonic. */
  readonly now: number;
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  readonly stableMs: number;
  /** Equal while the candidate's region and all rows below it look the same. */
  readonly quietKey: string;
  /** A synchronized update is open, or output is not parsed yet, so the view may be half drawn. */
  readonly isUnfinished: boolean;
  /** When the last output byte arrived; -Infinity before the first. */
  readonly outputAt: number;
  /** How late this detection ran because the machine was busy. Output of that time may not have been read yet. Absent: not late. */
  readonly lateMs?: number;
  readonly outputBytes: number;
  readonly lineFeeds: number;
}

/** The writer of a key that may end a prompt: the person at the keyboard, an answer of AtlasBridge, or a command from outside. */
export type Committer = "local" | "us" | "command";

export type TrackerInput =
  | TrackedFrame
  | { readonly kind: "resized"; readonly now: number }
  /** A program in the terminal changed its size, not we. */
  | { readonly kind: "resized_within" }
  /** Enter, Esc or an answer key of the pending prompt was written, by anybody. */
  | {
      readonly kind: "committing_key";
      readonly now: number;
      readonly by: Committer;
      readonly outputBytes: number;
    }
  /** The screen cannot be followed, so it is unknown whether there is a prompt. */
  | { readonly kind: "screen_lost" }
  /** Our reply ended `uncertain` or `failed`; a prompt that is still on screen is raised again. */
  | { readonly kind: "reply_unsettled"; readonly now: number }
  /**
   * The pending prompt, or a dialog that was not pending yet, is about to close: an effect of our keys was seen, or its hook or protocol
   * request was answered or dropped.
   */
  | {
      readonly kind: "settled";
      readonly now: number;
      readonly dialog?: Candidate;
      /** A dialog that remains longer is raised again. */
      readonly closesWithinMs: number;
    };

export interface Pending {
  /** The candidate when it was raised: people were shown this one. */
  readonly raised: Candidate;
  readonly candidate: Candidate;
  readonly epoch: number;
  readonly stableMs: number;
  /** Line feeds until it was seen: a line prompt further down is a new one, even with the same text. */
  readonly lineFeeds: number;
  readonly marks: string;
  readonly raisedAt: number;
  /** The tool repeated the line, and people have no new card yet (`repeated-line.ts`): answers to the old card are refused. */
  readonly isStale?: true;
}

export function createPending({ epoch }: TrackerState, frame: TrackedFrame, candidate: Candidate): Pending {
  const { now: raisedAt, stableMs, lineFeeds } = frame;
  const marks = describeMarks(candidate);
  return { raised: candidate, candidate, epoch, raisedAt, stableMs, lineFeeds, marks };
}

export interface Settling {
  readonly candidate: Candidate;
  readonly quietKey: string;
  /** `since`: when it last changed. `known`: when this prompt was first seen. */
  readonly since: number;
  readonly known: number;
}

/** `resized`: the terminal was resized since, so a redraw proves nothing about the answer. */
type CommitNote = Extract<TrackerInput, { kind: "committing_key" }> & { readonly resized: boolean };

export interface TrackerState {
  readonly epoch: number;
  readonly pending: Pending | null;
  readonly settling: Settling | null;
  readonly toolState: ToolState | null;
  readonly absentSince: number | null;
  readonly resizedAt: number | null;
  readonly unfinishedSince: number | null;
  readonly commit: CommitNote | null;
  /** A dialog that is about to close: it is not raised until it was gone or the time is up. */
  readonly closing: { readonly candidate: Candidate; readonly until: number } | null;
  readonly answered: Candidate | null;
  /** How often in a row the last line prompt was repeated without an answer. */
  readonly timesAgain: number;
  readonly outputBytes: number;
  /** Detect again at this instant even without a change; null when only a change matters. */
  readonly wakeAt: number | null;
}

export const INITIAL_TRACKER: TrackerState = {
  epoch: 0,
  pending: null,
  settling: null,
  toolState: null,
  absentSince: null,
  resizedAt: null,
  unfinishedSince: null,
  commit: null,
  closing: null,
  answered: null,
  timesAgain: 0,
  outputBytes: 0,
  wakeAt: null,
};
