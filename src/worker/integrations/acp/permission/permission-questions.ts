/** Questions that a model asks through a permission request (qwen). The answers are sent with the option that submits them. Pure. */
import { toArray, isObject, toText, type Json } from "../../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../../prompts/pending-request.js";
import { createCallPermission } from "../../../prompts/permission-request.js";
import { QUESTION_TOOL, QUESTIONS } from "../../../prompts/content/listed-questions.js";
import { CANCELLED, PERMISSION_METHOD, selectOption, type PermissionRequest } from "./permission.js";

/** Null when they cannot be shown completely, or no single option submits them. */
export function createQuestionsRequest(
  questions: unknown,
  { options }: PermissionRequest,
  cwd: string,
): PendingRequest | null {
  const [submit, ...others] = options.filter(({ intent }) => intent === "allow_once");
  const call = { request: PERMISSION_METHOD, tool: QUESTION_TOOL, input: { questions }, cwd };
  const pendingRequest = submit && others.length === 0 ? createCallPermission(call, QUESTIONS) : null;
  if (!submit || !pendingRequest) return null;
  const no = options.find(({ intent }) => intent === "reject_once");
  const refused = no ? selectOption(no) : CANCELLED;
  // The protocol has no field for a reason.
  const choices = pendingRequest.prompt.choices.map((choice) =>
    choice.intent === "reject_once" ? { label: choice.label, intent: choice.intent } : choice,
  );
  return {
    prompt: { ...pendingRequest.prompt, choices },
    answer: (given) => {
      const made = pendingRequest.answer(given);
      if (!("result" in made)) return made;
      const answers = readAnswers(made.result, toArray(questions));
      return { result: answers ? { ...selectOption(submit), answers } : refused };
    },
    cancelled: CANCELLED,
    refused,
  };
}

/** Answers by the position of their question; null for a No. */
function readAnswers({ behavior, updatedInput }: RequestResult, questions: readonly unknown[]): Json | null {
  if (behavior !== "allow") return null;
  const byText = isObject(updatedInput) && isObject(updatedInput["answers"]) ? updatedInput["answers"] : {};
  const answers = questions.map((question) =>
    isObject(question) ? byText[toText(question["question"]) ?? ""] : undefined,
  );
  return Object.fromEntries(answers.map((answer, place) => [String(place), answer]));
}
