/** Turns `ask_human` into a pending request. Pure. */
import type { Choice, Constraints, PromptType } from "../../../model/prompt.js";
import { AGENT_TEXT_MAX, DECLINE } from "../../../model/answer/reply.js";
import { createRefusal } from "../../../model/answer/refusal.js";
import {
  createRequestPrompt,
  type PendingRequest,
  type RequestResult,
} from "../../prompts/pending-request.js";
import { ASK_TOOL, type AskArguments } from "./tools.js";
import { createDecisionRequest, type Decision } from "../decision-request.js";

const DECLINED: RequestResult = { status: "declined" };
const OWN_TEXT: Choice = { label: "Something else", intent: "other", takesText: "required" };
const NO_ANSWER: Choice = { label: "Decline to answer", intent: "reject_once" };

export function createAskHumanRequest(args: AskArguments): PendingRequest {
  const { question, choices, context = "" } = args;
  const asked = { rule: ASK_TOOL, question, safetyClass: "question", text: context, call: null } as const;
  const unanswered = { cancelled: {}, refused: DECLINED };
  if (choices && !args.multiple)
    return createDecisionRequest({
      ...asked,
      ...unanswered,
      decisions: listDecisions(choices, args.allow_text === true),
      addText: (_, text) => encodeAnswer(text),
    });
  const { answer, ...shape } = choices ? createListShape(choices) : createTextShape();
  return { prompt: createRequestPrompt({ ...asked, ...shape }), answer, ...unanswered };
}

function listDecisions(labels: readonly string[], takesText: boolean): readonly Decision[] {
  return [
    ...labels.map((label): Decision => ({
      choice: { label, intent: "other" },
      result: encodeAnswer(label),
    })),
    ...(takesText ? [{ choice: OWN_TEXT, result: encodeAnswer("") }] : []),
    { choice: NO_ANSWER, result: DECLINED },
  ];
}

interface AskShape extends Pick<PendingRequest, "answer"> {
  readonly promptType: PromptType;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
}

function createTextShape(): AskShape {
  return {
    promptType: "free_text",
    choices: [],
    constraints: { maxLength: AGENT_TEXT_MAX, multiline: true, declinable: true },
    answer: ({ value }) => ({ result: value === DECLINE ? DECLINED : encodeAnswer(value) }),
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
      if (known.length < taken.length) return createRefusal("option_unknown");
      return { result: { ...encodeAnswer(known.join(", ")), answers: known } };
    },
  };
}

function encodeAnswer(answer: string): RequestResult {
  return { status: "answered", answer };
}
