/** What the tracker hears and what it remembers. */
import type { ToolState } from "../../../model/tool-state.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { marksOf } from "../layout/fingerprint.js";

export interface TrackedFrame {
  readonly kind: "frame";
  /** ms, monotonic. */
  readonly now: number;
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  /** How long this candidate must be still. */
  readonly stableMs: number;
  /** Equal while the candidate's region and all below it look the same (`stillnessKey`). */
  readonly stillness: string;
  /** A synchronized update is open, or output waits to be parsed: the picture is half drawn. */
  readonly isUnfinished: boolean;
  /** When the last output byte arrived; -Infinity before the first. */
  readonly outputAt: number;
  /** How late this look came because the machine was busy; what the tool wrote meanwhile may not have been read. Absent: not at all. */
  readonly lateMs?: number;
  /** Output bytes since the start. */
  readonly outputBytes: number;
  /** Line feeds since the start. */
  readonly lineFeeds: number;
}

export type TrackerInput =
  | TrackedFrame
  | { readonly kind: "resized"; readonly now: number }
  /** Enter, Esc or an answer key of the pending prompt was written, by the person at the keyboard or by us. */
  | {
      readonly kind: "committing_key";
      readonly now: number;
      readonly by: "local" | "us";
      /** Output bytes until then. */
      readonly outputBytes: number;
    }
  /** What the tool draws cannot be followed: nobody knows what is asked, or whether. */
  | { readonly kind: "screen_lost" }
  /** Our reply ended `uncertain` or `failed`; what is still asked is asked anew. */
  | { readonly kind: "reply_unsettled"; readonly now: number }
  /** The hook or protocol request behind the pending prompt, or behind a dialog that was not pending yet, was answered or dropped. */
  | {
      readonly kind: "request_settled";
      readonly now: number;
      readonly dialog?: Candidate;
      /** An equal request waits: its dialog may take the place of this one. */
      readonly hasTwin?: boolean;
    };

export interface Pending {
  /** As it was raised: what people were shown. */
  readonly asked: Candidate;
  /** As it looks now. */
  readonly candidate: Candidate;
  readonly epoch: number;
  readonly stableMs: number;
  /** Line feeds until it was seen: a question on a line is another one further down, however equal the words. */
  readonly lineFeeds: number;
  /** What was highlighted and ticked when it was raised. */
  readonly marks: string;
  readonly raisedAt: number;
  /** Its line asks again, and nobody was told so yet (`asked-again.ts`): no answer to this one is put in any more. */
  readonly isStale?: true;
}

export function pendingOf({ epoch }: TrackerState, frame: TrackedFrame, candidate: Candidate): Pending {
  const { now: raisedAt, stableMs, lineFeeds } = frame;
  return { asked: candidate, candidate, epoch, raisedAt, stableMs, lineFeeds, marks: marksOf(candidate) };
}

export interface Settling {
  readonly candidate: Candidate;
  readonly stillness: string;
  /** Since when it looks exactly so, and since when it is this question. */
  readonly since: number;
  readonly known: number;
}

export interface CommitNote {
  readonly now: number;
  readonly by: "local" | "us";
  readonly outputBytes: number;
  /** The redraw that follows a resize is the resize's, no answer's. */
  readonly resized: boolean;
}

export interface TrackerState {
  readonly epoch: number;
  readonly pending: Pending | null;
  readonly settling: Settling | null;
  readonly toolState: ToolState | null;
  readonly absentSince: number | null;
  readonly resizedAt: number | null;
  readonly unfinishedSince: number | null;
  readonly commit: CommitNote | null;
  /** A dialog that is about to close: not raised before it was gone or the time is over. */
  readonly closing: { readonly candidate: Candidate; readonly until: number } | null;
  /** The dialog that an answer ended last. */
  readonly answered: Candidate | null;
  /** How often in a row the line of the last question asked again, and nobody had answered. */
  readonly timesAgain: number;
  readonly outputBytes: number;
  /** Look again at this instant even if nothing changes; null when a change is all we wait for. */
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
