/** `ask_human` → what people are asked, and what the agent gets for each answer. Pure. */
import type { Choice, Constraints, PromptType } from "../../../model/prompt.js";
import { AGENT_TEXT_MAX, DECLINE } from "../../../model/answer/reply.js";
import { createRejection } from "../../../model/answer/rejection.js";
import { requestedQuestion, type PendingRequest, type RequestResult } from "../../prompts/pending-request.js";
import { ASK_TOOL, type AskArguments } from "./tools.js";

const DECLINED: RequestResult = { status: "declined" };
const OWN_TEXT: Choice = { label: "Something else", intent: "other", takesText: "required" };
const NO_ANSWER: Choice = { label: "Decline to answer", intent: "reject_once" };

export function createAskHumanRequest(asked: AskArguments): PendingRequest {
  const { promptType, choices, constraints, answer } = chooseShape(asked);
  return {
    question: requestedQuestion({
      rule: ASK_TOOL,
      question: asked.question,
      choices,
      promptType,
      constraints,
      safetyClass: "question",
      text: asked.context ?? "",
      call: null,
    }),
    answer,
    cancelled: {},
    refused: DECLINED,
  };
}

interface Shape extends Pick<PendingRequest, "answer"> {
  readonly promptType: PromptType;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
}

function chooseShape(asked: AskArguments): Shape {
  if (!asked.choices) return textShape();
  return asked.multiple ? listShape(asked.choices) : choiceShape(asked.choices, asked.allow_text === true);
}

function textShape(): Shape {
  return {
    promptType: "free_text",
    choices: [],
    constraints: { maxLength: AGENT_TEXT_MAX, multiline: true, declinable: true },
    answer: ({ value }) => ({ result: value === DECLINE ? DECLINED : answered(value) }),
  };
}

function choiceShape(labels: readonly string[], takesText: boolean): Shape {
  const rows = labels.map((label): Choice => ({ label, intent: "other" }));
  const choices = [...rows, ...(takesText ? [OWN_TEXT] : []), NO_ANSWER];
  return {
    promptType: "multiple_choice",
    choices,
    constraints: { minChoice: 1, maxChoice: choices.length },
    answer: ({ value, text }) => {
      const choice = choices[Number(value) - 1];
      if (!choice) return createRejection("option_unknown");
      if (choice === NO_ANSWER) return { result: DECLINED };
      return { result: answered(choice === OWN_TEXT ? (text ?? "") : choice.label) };
    },
  };
}

function listShape(labels: readonly string[]): Shape {
  return {
    promptType: "multiple_choice",
    choices: labels.map((label): Choice => ({ label, intent: "other" })),
    constraints: { minChoice: 1, maxChoice: labels.length, multi: true, declinable: true },
    answer: ({ value }) => {
      if (value === DECLINE) return { result: DECLINED };
      const taken = (value === "" ? [] : value.split(",")).map((index) => labels[Number(index) - 1]);
      const known = taken.filter((label) => label !== undefined);
      if (known.length < taken.length) return createRejection("option_unknown");
      return { result: { ...answered(known.join(", ")), answers: known } };
    },
  };
}

function answered(answer: string): RequestResult {
  return { status: "answered", answer };
}
