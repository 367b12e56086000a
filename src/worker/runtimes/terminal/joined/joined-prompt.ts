import { assertInvariant } from "../../../../model/errors.js";
import type { WithdrawReason } from "../../../../sdk/adapter.js";
import type { Candidate } from "../../../../sdk/candidate.js";
import type { OpenPrompt } from "../../../prompts/open-prompts.js";
import { getSource, type PendingRequest } from "../../../prompts/pending-request.js";
import type { ReplyPath, RequestEnd } from "../../../prompts/reply-path.js";
import type { StampPrompt } from "../../../prompts/stamp-prompt.js";

export interface DialogOnScreen {
  readonly candidate: Candidate;
  readonly epoch: number;
}

export interface WaitingRequest {
  readonly id: number;
  readonly request: PendingRequest;
  readonly path: ReplyPath;
}

/** It has a dialog, a request, or both. */
export interface JoinedPrompt extends OpenPrompt {
  /** Where the question, the choices and the content that people see came from. */
  readonly stampedBy: "screen" | "request";
  drawn: DialogOnScreen | null;
  waiting: WaitingRequest | null;
  /** A person typed an answer at its dialog, and the prompt is still open: our answer, or the end of its request, has yet to come. */
  isTyped: boolean;
  /** People know that the screen showed a dialog of none of the calls while its call waited. */
  differs: boolean;
  /** When it was raised, in monotonic ms. */
  readonly askedAt: number;
  /** Foreground process group when its dialog was found; null without a dialog, or where it cannot be seen. */
  foregroundGroup: number | null;
  /** Ids of the processes that were proved to read for it when its dialog was found; null where that was not proved. */
  provenReaders: readonly string[] | null;
  /** Monotonic ms from which on the tool accepts keys for it. */
  acceptsKeysAt: number;
}

/** Each request is its own prompt, even if it equals another; its number takes the place of the epoch. */
export function readQuestion({
  stampedBy,
  drawn,
  waiting,
}: Pick<JoinedPrompt, "stampedBy" | "drawn" | "waiting">): Parameters<StampPrompt> {
  if (stampedBy === "screen" && drawn)
    return [drawn.candidate, drawn.epoch, { kind: "screen", name: drawn.candidate.rule }];
  assertInvariant(waiting, "a prompt has neither a dialog nor a request");
  return [waiting.request.prompt, waiting.id, getSource(waiting.request)];
}

export function isCall({ waiting }: JoinedPrompt): boolean {
  return waiting?.request.matchesDialog !== undefined;
}

export function isUndrawn({ drawn, waiting }: JoinedPrompt): boolean {
  return drawn === null && waiting?.request.reportsEnd !== true;
}

export function findWithdrawReason(isTyped: boolean, why: RequestEnd): WithdrawReason {
  if (isTyped) return "answered_locally";
  if (why === "answered") return "answered_elsewhere";
  return why === "lost" ? "request_lost" : "taken_back";
}
