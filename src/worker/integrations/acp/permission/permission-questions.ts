/** Questions that a model asks through a permission request (qwen). The answers are sent with the option that submits them. Pure. */
import { toArray, isObject } from "../../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../../prompts/pending-request.js";
import { createQuestionRequest, mapResult, readAnswer } from "../../question-request.js";
import { CANCELLED, PERMISSION_METHOD, selectOption, type PermissionRequest } from "./permission.js";

/** Null when they cannot be shown completely, or no single option submits them. */
export function createQuestionsRequest(
  questions: unknown,
  { options }: PermissionRequest,
  cwd: string,
): PendingRequest | null {
  const [submit, ...others] = options.filter(({ intent }) => intent === "allow_once");
  const request = createQuestionRequest(PERMISSION_METHOD, questions, cwd);
  if (!submit || others.length > 0 || !request) return null;
  const no = options.find(({ intent }) => intent === "reject_once");
  const refused = no ? selectOption(no) : CANCELLED;
  // The protocol has no field for a reason.
  const choices = request.prompt.choices.map((choice) =>
    choice.intent === "reject_once" ? { label: choice.label, intent: choice.intent } : choice,
  );
  const submitAnswers = (result: RequestResult): RequestResult => ({
    ...selectOption(submit),
    // By the position of their question.
    answers: { ...toArray(questions).map((each) => (isObject(each) ? readAnswer(result, each) : undefined)) },
  });
  return {
    ...mapResult(request, (result) => (result["behavior"] === "allow" ? submitAnswers(result) : refused)),
    prompt: { ...request.prompt, choices },
    cancelled: CANCELLED,
    refused,
  };
}
