/**
 * Questions of an agent's model that it asks by a request for permission: the answers go back beside the choice that submits them, by
 * the places of the questions (qwen). Pure.
 */
import { toArray, isObject, toText, type Json } from "../../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../../prompts/pending-request.js";
import { createCallPermission } from "../../../prompts/permission-request.js";
import { QUESTION_TOOL, QUESTIONS } from "../../../prompts/content/listed-questions.js";
import { CANCELLED, PERMISSION_METHOD, selectOption, type PermissionRequest } from "./permission.js";

/** Null when they cannot be shown and answered whole, or it is not clear which choice submits them. `questions`: as the agent lists them. */
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
  // There is no place for a reason.
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

/** By the questions' places, from 0; null for a No. */
function readAnswers({ behavior, updatedInput }: RequestResult, questions: readonly unknown[]): Json | null {
  if (behavior !== "allow") return null;
  const byText = isObject(updatedInput) && isObject(updatedInput["answers"]) ? updatedInput["answers"] : {};
  const answers = questions.map((question) =>
    isObject(question) ? byText[toText(question["question"]) ?? ""] : undefined,
  );
  return Object.fromEntries(answers.map((answer, place) => [String(place), answer]));
}
