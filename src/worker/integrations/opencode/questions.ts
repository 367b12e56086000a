/** What a server of sessions asks (`permission.asked`, `question.asked`) → what people are asked, and what goes back. Pure. */
import type { Choice } from "../../../model/prompt.js";
import { createRejection } from "../../../model/answer/rejection.js";
import { PLAIN_NO } from "../../prompts/tool-call-decision.js";
import { inputText } from "../../prompts/content/request-content.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { requestedQuestion, type PendingRequest, type RequestResult } from "../../prompts/pending-request.js";
import { permissionRequest } from "../../prompts/permission-request.js";
import { elicitationAsking } from "../../prompts/content/elicitation.js";
import { QUESTION_TOOL, QUESTIONS } from "../../prompts/content/listed-questions.js";

export const PERMISSION = "permission.asked";
export const QUESTION = "question.asked";
/** What is told when either is over. */
export const ANSWERED = /^(?:permission|question)\.(?:replied|rejected)$/;

/** HTTP's status for an answer to what does not wait any more. */
export const NO_SUCH_REQUEST = 404;

/** How a request is answered: this is posted at this place below the request's own. */
export interface ServerReply {
  readonly at: "reply" | "reject";
  /** Null: nothing is posted with it. */
  readonly body: Json | null;
}

/** Without words a No ends the turn, and takes all that is asked beside it with it. */
const STOP_TURN: ServerReply = { at: "reply", body: { reply: "reject" } };

function result({ at, body }: ServerReply): RequestResult {
  return { at, body };
}

/** The reply in the request that was answered. */
export function replyIn({ at, body }: RequestResult): ServerReply {
  return { at: at === "reject" ? "reject" : "reply", body: isObject(body) ? body : null };
}

/** `input`: of the call that the request is about, where it was told. Null when it cannot be shown and answered whole. */
export function permissionAsking(request: Json, input: Json | null, cwd: string): PendingRequest | null {
  const permission = toText(request["permission"]);
  if (permission === null) return null;
  const metadata = isObject(request["metadata"]) ? request["metadata"] : {};
  const text = contentText(request, metadata, input);
  const decisions = decisionsFor(permission, toArray(request["always"]));
  const choices = decisions.map(({ choice }) => choice);
  const asked = requestedQuestion({
    rule: PERMISSION,
    question: QUESTIONS_OF.get(permission) ?? `Allow ${permission}?`,
    choices,
    promptType: "multiple_choice",
    constraints: { minChoice: 1, maxChoice: choices.length },
    safetyClass: "permission",
    text,
    call: { tool: permission, input: { ...input, ...metadata }, cwd },
  });
  const isWhole = input !== null || Object.keys(metadata).length > 0;
  const content = isWhole ? asked.content : { ...asked.content, cut: { missing: "the input of the call" } };
  return {
    question: { ...asked, content },
    answer: ({ value, text: reason }) => {
      const decision = decisions[Number(value) - 1];
      if (!decision) return createRejection("option_unknown");
      const words = reason && decision.reply === NO.reply ? { message: reason } : {};
      return { result: result({ ...decision.reply, body: { ...decision.reply.body, ...words } }) };
    },
    cancelled: { ...result(STOP_TURN) },
    refused: result(NO.reply),
  };
}

const QUESTIONS_OF: ReadonlyMap<string, string> = new Map([
  ["bash", "Run this command?"],
  ["edit", "Make these edits?"],
]);

/** What says most comes first. A change is told whole by its diff: what it was made of is not shown again. */
function contentText(request: Json, metadata: Json, input: Json | null): string {
  const told = "diff" in metadata ? metadata : { ...input, ...metadata };
  const text = inputText(told, ["command", "filepath", "diff"]);
  const patterns = toArray(request["patterns"]).filter(
    (pattern) => typeof pattern === "string" && pattern !== "*" && !text.includes(pattern),
  );
  return [text, ...(patterns.length > 0 ? [`for: ${patterns.join(", ")}`] : [])]
    .filter((part) => part !== "")
    .join("\n");
}

interface Decision {
  readonly choice: Choice;
  readonly reply: ServerReply;
}

const NO: Decision = {
  choice: { label: "No", intent: "reject_once", takesText: "optional" },
  reply: { at: "reply", body: { reply: "reject", message: PLAIN_NO } },
};

function decisionsFor(permission: string, always: readonly unknown[]): readonly Decision[] {
  const patterns = always.filter((pattern) => typeof pattern === "string");
  const what = patterns.includes("*") ? `any ${permission}` : `${permission} ${patterns.join(", ")}`;
  const forGood: Decision = {
    choice: {
      label: `Yes, and don't ask again for ${what} until the tool is restarted`,
      intent: "allow_always",
    },
    reply: { at: "reply", body: { reply: "always" } },
  };
  return [
    {
      choice: { label: "Yes", intent: "allow_once" },
      reply: { at: "reply", body: { reply: "once" } },
    },
    ...(patterns.length > 0 ? [forGood] : []),
    NO,
    { choice: { label: "No, and stop the turn", intent: "reject_once" }, reply: STOP_TURN },
  ];
}

const DISMISS: ServerReply = { at: "reject", body: null };

/** Null when it cannot be shown and answered whole. */
export function questionAsking(request: Json, cwd: string): PendingRequest | null {
  const questions = toArray(request["questions"]).filter(isObject);
  if (questions.length === 0) return null;
  // Where the tool acts on an option's very words, other words would be taken for a Yes.
  const isOpen = questions.every(({ custom }) => custom !== false);
  const asking = isOpen ? openAsking(questions, cwd) : closedAsking(questions);
  return asking && { ...asking, cancelled: { ...result(DISMISS) }, refused: result(DISMISS) };
}

/** With options, and own words beside them. */
function openAsking(questions: readonly Json[], cwd: string): PendingRequest | null {
  const listed = questions.map(({ multiple, ...rest }) => ({ ...rest, multiSelect: multiple === true }));
  const input = { questions: listed };
  const asking = permissionRequest({ request: QUESTION, tool: QUESTION_TOOL, input, cwd }, QUESTIONS);
  return asking && mapped(asking, (given) => openReply(questions, given));
}

function openReply(
  questions: readonly Json[],
  { behavior, message, updatedInput }: RequestResult,
): ServerReply {
  if (behavior === "deny") {
    // A plain No comes with words of ours; a person's own reach the model only as an answer.
    return message === PLAIN_NO ? DISMISS : answers(questions.map(() => [toText(message) ?? ""]));
  }
  const given = isObject(updatedInput) && isObject(updatedInput["answers"]) ? updatedInput["answers"] : {};
  return answers(
    questions.map((question) => {
      const text = toText(given[toText(question["question"]) ?? ""]) ?? "";
      if (question["multiple"] !== true) return [text];
      return text === "" ? [] : labelsIn(text, labelsOf(question));
    }),
  );
}

/** Only the options, in the form of an elicitation. */
function closedAsking(questions: readonly Json[]): PendingRequest | null {
  const properties = questions.map((question, at) => {
    const options = { type: "string", enum: labelsOf(question) };
    const type = question["multiple"] === true ? { type: "array", items: options } : options;
    return [`question ${at + 1}`, { title: toText(question["question"]) ?? "", ...type }] as const;
  });
  const requestedSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  };
  const message = toText(questions[0]?.["question"]) ?? "It wants to know";
  const asking = elicitationAsking({ mode: "form", message, requestedSchema });
  return (
    asking &&
    mapped(asking, ({ action, content }) => {
      if (action !== "accept" || !isObject(content)) return DISMISS;
      return answers(
        properties.map(([name]) => {
          const given = content[name];
          return typeof given === "string"
            ? [given]
            : toArray(given).filter((each) => typeof each === "string");
        }),
      );
    })
  );
}

function mapped(asking: PendingRequest, map: (result: RequestResult) => ServerReply): PendingRequest {
  return {
    ...asking,
    answer: (given) => {
      const made = asking.answer(given);
      return "result" in made ? { result: result(map(made.result)) } : made;
    },
  };
}

function answers(given: readonly (readonly string[])[]): ServerReply {
  return { at: "reply", body: { answers: given } };
}

function labelsOf({ options }: Json): string[] {
  return toArray(options)
    .filter(isObject)
    .flatMap(({ label }) => (typeof label === "string" ? [label] : []));
}

const SEVERAL = ", ";

/** Options that were joined into one text, apart again; words that are none stay as they are. */
function labelsIn(text: string, labels: readonly string[]): string[] {
  for (const label of labels) {
    if (text === label) return [label];
    if (!text.startsWith(`${label}${SEVERAL}`)) continue;
    return [label, ...labelsIn(text.slice(label.length + SEVERAL.length), labels)];
  }
  return [text];
}
