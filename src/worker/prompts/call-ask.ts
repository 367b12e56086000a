/** What a call of the tool asks, whichever way it came (a hook, a protocol that the tool is joined by), and what goes back. */
import type { Rejection } from "../../model/answer/rejection.js";
import type { Candidate } from "../../sdk/candidate.js";
import { matchesCall } from "./dialog-matches-call.js";
import type { HookPermission } from "./hook-permission.js";
import type { StampedPrompt } from "../detection/stamp.js";
import { decide, type DecisionAnswer, type HookDecision } from "./hook-decision.js";

/** The routes on which a call is answered: no key is written there. */
export type CallRoute = "hook" | "protocol";

export interface CallRequest {
  readonly source: { readonly kind: CallRoute; readonly name: string };
  readonly question: StampedPrompt;
  /** Whether this dialog is the drawing of it. */
  readonly draws: (dialog: Candidate) => boolean;
  /** `answer.value` is legal for the question. */
  readonly decide: (answer: DecisionAnswer) => HookDecision | Rejection;
  /** Choices (from 1) that the tool's own dialog has no row for. */
  readonly undrawn: readonly number[];
  /** The tool says when it waits for this call no longer, whoever answered: nothing else ends it. */
  readonly tellsEnd: boolean;
}

/** A permission's choices are ours, where the dialog beside it has rows of its own. The options of a question are the same in both. */
export function lettered<Q extends StampedPrompt>(question: Q, hasOptions = false): Q {
  if (question.promptType !== "multiple_choice" || hasOptions) return question;
  return { ...question, constraints: { ...question.constraints, lettered: true } };
}

/** A hook's. One that was answered at the keyboard need not end. */
export function hookRequest(ask: HookPermission): CallRequest {
  return {
    source: { kind: "hook", name: ask.event },
    question: lettered(ask, ask.questions.length > 0),
    draws: (dialog) => matchesCall(dialog, ask),
    decide: (answer) => decide(ask, answer),
    undrawn: [],
    tellsEnd: false,
  };
}
