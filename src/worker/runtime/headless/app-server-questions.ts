/** What an app server asks (`item/…/requestApproval`, `item/tool/requestUserInput`) → what people are asked. Pure. */
import type { Choice } from "../../../model/prompt.js";
import { rejection } from "../../../model/rejection.js";
import { inputText } from "../../detect/ask-content.js";
import { arrayOf, isObject, textOf, type Json } from "../../detect/json.js";
import { elicitationAsking } from "../elicitation.js";
import { requestedQuestion, type Asking, type Result } from "../asking.js";
import { callAsking } from "../call-asking.js";
import { QUESTION_TOOL, QUESTIONS } from "../listed-questions.js";

export const COMMAND_APPROVAL = "item/commandExecution/requestApproval";
export const FILE_APPROVAL = "item/fileChange/requestApproval";
export const USER_INPUT = "item/tool/requestUserInput";
export const ELICITATION = "mcpServer/elicitation/request";

/** A reason that goes with a No: the protocol has no place for it, so it is said to the model besides. */
export const REASON = "reason";

const DECLINE = { decision: "decline" };
const CANCEL = { decision: "cancel" };

/** Null when it cannot be shown and answered whole. `item`: what was told of what the request is about. */
export function appServerAsking(method: string, params: Json, item: Json | null, cwd: string): Asking | null {
  switch (method) {
    case COMMAND_APPROVAL:
      return commandAsking(params, cwd);
    case FILE_APPROVAL:
      return fileAsking(params, item, cwd);
    case USER_INPUT:
      return inputAsking(params, cwd);
    case ELICITATION:
      return elicitationAsking(params);
    default:
      return null;
  }
}

/** Of a request for approval, what is no part of what is approved. */
const BESIDE = [
  "kind",
  "threadId",
  "turnId",
  "itemId",
  "approvalId",
  "startedAtMs",
  "environmentId",
  "commandActions",
  "availableDecisions",
  "proposedExecpolicyAmendment",
  "proposedNetworkPolicyAmendments",
];

function approved(params: Json): Json {
  return Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) => !BESIDE.includes(name) && value !== null && value !== undefined,
    ),
  );
}

function commandAsking(params: Json, cwd: string): Asking | null {
  const input = approved(params);
  if (Object.keys(input).length === 0) return null;
  return approval({
    method: COMMAND_APPROVAL,
    question: "Run this command?",
    text: inputText(input, ["command"]),
    isWhole: true,
    input,
    decisions: decisionsOf(params["availableDecisions"]),
    cwd,
  });
}

/** The change itself was told with its item; without it nobody can judge it. */
function fileAsking(params: Json, item: Json | null, cwd: string): Asking {
  const told = arrayOf(item?.["changes"]);
  const changes = told.filter(isObject);
  const rest = approved(params);
  return approval({
    method: FILE_APPROVAL,
    question: "Make these edits?",
    text: [inputText(rest, []), ...changes.map(changeText)].filter((part) => part !== "").join("\n\n"),
    isWhole: changes.length > 0 && changes.length === told.length,
    input: { ...rest, changes },
    decisions: decisionsOf(params["availableDecisions"]),
    cwd,
  });
}

/** A kind may say more than how a file changes: where it is moved to. */
function changeText({ path, kind, diff, ...rest }: Json): string {
  const { type, ...how } = isObject(kind) ? kind : { type: kind };
  const word = textOf(type);
  const head = `${textOf(path) ?? "?"}${word === null ? "" : ` (${word})`}`;
  const more = [told(word === null && isObject(kind) ? kind : how), textOf(diff) ?? "", told(rest)];
  return [head, ...more.filter((part) => part !== "")].join("\n");
}

function told(fields: Json): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return inputText(Object.fromEntries(given), []);
}

interface Decision {
  readonly choice: Choice;
  readonly result: Result;
}

const NO: Decision = {
  choice: { label: "No", intent: "reject_once", takesText: "optional" },
  result: DECLINE,
};
const STOP: Decision = { choice: { label: "No, and stop the turn", intent: "reject_once" }, result: CANCEL };

/** What is offered, as far as it is known what it does; a No always. */
function decisionsOf(offered: unknown): readonly Decision[] {
  const known = (Array.isArray(offered) ? (offered as unknown[]) : ["accept"]).flatMap(decisionOf);
  return [...known, NO, STOP];
}

function decisionOf(decision: unknown): Decision[] {
  if (decision === "accept")
    return [{ choice: { label: "Yes", intent: "allow_once" }, result: { decision } }];
  if (decision === "acceptForSession")
    return [
      {
        choice: { label: "Yes, and don't ask again in this session", intent: "allow_always" },
        result: { decision },
      },
    ];
  const amended = isObject(decision) ? decision["acceptWithExecpolicyAmendment"] : undefined;
  const words = isObject(amended) ? arrayOf(amended["execpolicy_amendment"]).map(textOf) : [];
  if (words.length === 0 || words.includes(null)) return [];
  const label = `Yes, and don't ask again for commands that start with ${words.join(" ")}`;
  return [{ choice: { label, intent: "allow_always" }, result: { decision } }];
}

interface Approval {
  readonly method: string;
  readonly question: string;
  readonly text: string;
  readonly isWhole: boolean;
  readonly input: Json;
  readonly decisions: readonly Decision[];
  readonly cwd: string;
}

function approval({ method, question, text, isWhole, input, decisions, cwd }: Approval): Asking {
  const choices = decisions.map(({ choice }) => choice);
  const asked = requestedQuestion({
    rule: method,
    question,
    choices,
    promptType: "multiple_choice",
    constraints: { minChoice: 1, maxChoice: choices.length },
    safetyClass: "permission",
    text,
    call: { tool: method === FILE_APPROVAL ? "edit" : "shell", input, cwd },
  });
  const content = isWhole ? asked.content : { ...asked.content, cut: { missing: "the changes" } };
  return {
    question: { ...asked, content },
    answer: ({ value, text: reason }) => {
      const decision = decisions[Number(value) - 1];
      if (!decision) return rejection("option_unknown");
      return { result: reason ? { ...decision.result, [REASON]: reason } : decision.result };
    },
    cancelled: CANCEL,
    refused: DECLINE,
  };
}

/** Secrets are asked for in no chat. */
function inputAsking(params: Json, cwd: string): Asking | null {
  const given = arrayOf(params["questions"]);
  const questions = given.filter(isObject);
  const ids = new Set(questions.map(({ id }) => textOf(id) ?? ""));
  // Its answers go by their ids.
  if (questions.length < given.length || ids.size < questions.length || ids.has("")) return null;
  if (questions.length === 0 || questions.some(({ isSecret }) => isSecret === true)) return null;
  const isListed = questions.every(({ options }) => arrayOf(options).length > 0);
  return isListed ? listedAsking(questions, cwd) : wordsAsking(questions);
}

function listedAsking(questions: readonly Json[], cwd: string): Asking | null {
  const asking = callAsking(
    { request: USER_INPUT, tool: QUESTION_TOOL, input: { questions }, cwd },
    QUESTIONS,
  );
  return (
    asking &&
    mapped(asking, ({ updatedInput }) => {
      const answers =
        isObject(updatedInput) && isObject(updatedInput["answers"]) ? updatedInput["answers"] : {};
      return answersOf(questions, ({ question }) => answers[textOf(question) ?? ""]);
    })
  );
}

function wordsAsking(questions: readonly Json[]): Asking | null {
  const properties = questions.map(({ id, question, options }) => {
    const oneOf = arrayOf(options).map((option) =>
      isObject(option) ? { const: option["label"], description: option["description"] } : option,
    );
    return [
      textOf(id) ?? "",
      { type: "string", title: textOf(question) ?? "", ...(oneOf.length > 0 && { oneOf }) },
    ] as const;
  });
  const requestedSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([id]) => id),
  };
  const asking = elicitationAsking({ mode: "form", message: "It wants to know", requestedSchema });
  return (
    asking &&
    mapped(asking, ({ content }) =>
      answersOf(questions, ({ id }) => (isObject(content) ? content[textOf(id) ?? ""] : undefined)),
    )
  );
}

function mapped(asking: Asking, map: (result: Result) => Result): Asking {
  return {
    ...asking,
    answer: (given) => {
      const made = asking.answer(given);
      return "result" in made ? { result: map(made.result) } : made;
    },
    cancelled: { answers: {} },
    refused: { answers: {} },
  };
}

function answersOf(questions: readonly Json[], answerTo: (question: Json) => unknown): Result {
  const answers = questions.flatMap((question) => {
    const answer = answerTo(question);
    return typeof answer === "string" ? [[textOf(question["id"]) ?? "", { answers: [answer] }] as const] : [];
  });
  return { answers: Object.fromEntries(answers) };
}
