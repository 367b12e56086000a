/** Turns `ask_human` into a pending request. Pure. */
import type { Choice, Constraints, PromptType } from "../../../model/prompt.js";
import { AGENT_TEXT_MAX, DECLINE } from "../../../model/answer/reply.js";
import { createRejection } from "../../../model/answer/rejection.js";
import {
  createRequestPrompt,
  type PendingRequest,
  type RequestResult,
} from "../../prompts/pending-request.js";
import { ASK_TOOL, type AskArguments } from "./tools.js";

const DECLINED: RequestResult = { status: "declined" };
const OWN_TEXT: Choice = { label: "Something else", intent: "other", takesText: "required" };
const NO_ANSWER: Choice = { label: "Decline to answer", intent: "reject_once" };

export function createAskHumanRequest(args: AskArguments): PendingRequest {
  const { promptType, choices, constraints, answer } = chooseShape(args);
  return {
    prompt: createRequestPrompt({
      rule: ASK_TOOL,
      question: args.question,
      choices,
      promptType,
      constraints,
      safetyClass: "question",
      text: args.context ?? "",
      call: null,
    }),
    answer,
    cancelled: {},
    refused: DECLINED,
  };
}

interface AskShape extends Pick<PendingRequest, "answer"> {
  readonly promptType: PromptType;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
}

function chooseShape(args: AskArguments): AskShape {
  if (!args.choices) return createTextShape();
  return args.multiple
    ? createListShape(args.choices)
    : createChoiceShape(args.choices, args.allow_text === true);
}

function createTextShape(): AskShape {
  return {
    promptType: "free_text",
    choices: [],
    constraints: { maxLength: AGENT_TEXT_MAX, multiline: true, declinable: true },
    answer: ({ value }) => ({ result: value === DECLINE ? DECLINED : encodeAnswer(value) }),
  };
}

function createChoiceShape(labels: readonly string[], takesText: boolean): AskShape {
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
      return { result: encodeAnswer(choice === OWN_TEXT ? (text ?? "") : choice.label) };
    },
  };
}

function createListShape(labels: readonly string[]): AskShape {
  return {
    promptType: "multiple_choice",
    choices: labels.map((label): Choice => ({ label, intent: "other" })),
    constraints: { minChoice: 1, maxChoice: labels.length, multi: true, declinable: true },
    answer: ({ value }) => {
      if (value === DECLINE) return { result: DECLINED };
      const taken = (value === "" ? [] : value.split(",")).map((index) => labels[Number(index) - 1]);
      const known = taken.filter((label) => label !== undefined);
      if (known.length < taken.length) return createRejection("option_unknown");
      return { result: { ...encodeAnswer(known.join(", ")), answers: known } };
    },
  };
}

function encodeAnswer(answer: string): RequestResult {
  return { status: "answered", answer };
}
