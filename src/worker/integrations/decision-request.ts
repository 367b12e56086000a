/** Creates a pending request in which people choose one of several decisions. Pure. */
import { createRefusal } from "../../model/answer/refusal.js";
import type { Choice } from "../../model/prompt.js";
import {
  createRequestPrompt,
  type PendingRequest,
  type RequestPromptParts,
  type RequestResult,
} from "../prompts/pending-request.js";

export interface Decision {
  readonly choice: Choice;
  readonly result: RequestResult;
  /** The tool's own dialog does not offer it. */
  readonly isUndrawn?: boolean;
}

export interface DecisionRequest
  extends
    Pick<RequestPromptParts, "rule" | "question" | "safetyClass" | "text" | "call">,
    Pick<PendingRequest, "cancelled" | "refused"> {
  readonly decisions: readonly Decision[];
  readonly addText?: (result: RequestResult, text: string) => RequestResult;
  /** The part of the content that is missing; null: it is complete. */
  readonly missing?: string | null;
}

export function createDecisionRequest({
  decisions,
  addText,
  missing = null,
  cancelled,
  refused,
  ...shown
}: DecisionRequest): PendingRequest {
  const choices = decisions.map(({ choice }) => choice);
  const constraints = { minChoice: 1, maxChoice: choices.length };
  const prompt = createRequestPrompt({ ...shown, choices, promptType: "multiple_choice", constraints });
  return {
    prompt: missing === null ? prompt : { ...prompt, content: { ...prompt.content, cut: { missing } } },
    answer: ({ value, text }) => {
      const { choice, result } = decisions[Number(value) - 1] ?? {};
      if (!choice || !result) return createRefusal("option_unknown");
      return { result: text && choice.takesText && addText ? addText(result, text) : result };
    },
    cancelled,
    refused,
    undrawnChoices: decisions.flatMap(({ isUndrawn }, at) => (isUndrawn ? [at + 1] : [])),
  };
}
