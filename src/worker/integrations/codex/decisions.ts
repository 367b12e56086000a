/** A request that is decided by one of several choices, each of which is an answer of the protocol. Pure. */
import type { Choice, PromptContent } from "../../../model/prompt.js";
import { createRejection } from "../../../model/answer/rejection.js";
import {
  createRequestPrompt,
  type PendingRequest,
  type RequestResult,
} from "../../prompts/pending-request.js";

/** A reason that goes with a No: the protocol has no place for it, so it is said to the model besides. */
export const REASON = "reason";

export interface CodexDecision {
  readonly choice: Choice;
  readonly result: RequestResult;
  /** Offered with the request: others are understood as well. */
  readonly isOffered: boolean;
}

export interface DecisionRequest extends Pick<PendingRequest, "cancelled" | "refused"> {
  readonly method: string;
  readonly question: string;
  readonly text: string;
  readonly call: NonNullable<PromptContent["call"]>;
  readonly decisions: readonly CodexDecision[];
  /** What is missing from the content; null: it is complete. */
  readonly missing: string | null;
}

export function createDecisionRequest(decided: DecisionRequest): PendingRequest {
  const { method, question, text, call, decisions, missing, cancelled, refused } = decided;
  const choices = decisions.map(({ choice }) => choice);
  const created = createRequestPrompt({
    rule: method,
    question,
    choices,
    promptType: "multiple_choice",
    constraints: { minChoice: 1, maxChoice: choices.length },
    safetyClass: "permission",
    text,
    call,
  });
  return {
    prompt: missing === null ? created : { ...created, content: { ...created.content, cut: { missing } } },
    answer: ({ value, text: reason }) => {
      const decision = decisions[Number(value) - 1];
      if (!decision) return createRejection("option_unknown");
      return { result: reason ? { ...decision.result, [REASON]: reason } : decision.result };
    },
    cancelled,
    refused,
    undrawnChoices: decisions.flatMap(({ isOffered }, at) => (isOffered ? [] : [at + 1])),
  };
}
