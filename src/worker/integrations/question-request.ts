/** Asks people the questions of a model, and reads their answers. Pure. */
import { getAtPath, isObject, toText, type Json } from "../../model/data/json.js";
import { QUESTION_TOOL, QUESTIONS } from "../prompts/content/listed-questions.js";
import type { PendingRequest, RequestResult } from "../prompts/pending-request.js";
import { createCallPermission } from "../prompts/permission-request.js";

/** Questions with options that also accept free text. Null when they cannot be shown and answered completely. */
export function createQuestionRequest(
  request: string,
  questions: unknown,
  cwd: string,
): PendingRequest | null {
  return createCallPermission({ request, tool: QUESTION_TOOL, input: { questions }, cwd }, QUESTIONS);
}

/** The answer to one of these questions; undefined where there is none. */
export function readAnswer(result: RequestResult, { question }: Json): unknown {
  const answers = getAtPath("updatedInput.answers", result);
  return isObject(answers) ? answers[toText(question) ?? ""] : undefined;
}

export function mapResult(
  request: PendingRequest,
  map: (result: RequestResult) => RequestResult,
): PendingRequest {
  return {
    ...request,
    answer: (given) => {
      const made = request.answer(given);
      return "result" in made ? { result: map(made.result) } : made;
    },
  };
}
