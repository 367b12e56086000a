/** Turns a session server's requests (`permission.asked`, `question.asked`) into pending requests. Pure. */
import { PLAIN_NO } from "../../prompts/tool-call-decision.js";
import { formatInput } from "../../prompts/content/request-content.js";
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { createElicitationRequest } from "../../prompts/content/elicitation.js";
import { createDecisionRequest, type Decision } from "../decision-request.js";
import { createQuestionRequest as askQuestions, mapResult, readAnswer } from "../question-request.js";

export const PERMISSION = "permission.asked";
export const QUESTION = "question.asked";
export const ANSWERED = /^(?:permission|question)\.(?:replied|rejected)$/;

/** The request no longer waits. */
export const NO_SUCH_REQUEST = 404;

/** The body is posted at this path below the request's. */
export type ServerReply = { readonly at: "reply" | "reject"; readonly body: Json | null };

/** A No without a message ends the turn and all its other requests. */
export const STOP_TURN: ServerReply = { at: "reply", body: { reply: "reject" } };

export function toReply({ at, body }: RequestResult): ServerReply {
  return { at: at === "reject" ? "reject" : "reply", body: isObject(body) ? body : null };
}

/** `input`: of the request's call; null: not reported. Null when it cannot be shown and answered completely. */
export function createPermissionRequest(
  request: Json,
  input: Json | null,
  cwd: string,
): PendingRequest | null {
  const permission = toText(request["permission"]);
  if (permission === null) return null;
  const metadata = toObject(request["metadata"]);
  return createDecisionRequest({
    rule: PERMISSION,
    question: PERMISSION_QUESTIONS.get(permission) ?? `Allow ${permission}?`,
    safetyClass: "permission",
    text: formatContent(request, metadata, input),
    call: { tool: permission, input: { ...input, ...metadata }, cwd },
    decisions: listDecisions(permission, toArray(request["always"])),
    addText: (_, message) => ({ ...NO_REPLY, body: { ...NO_REPLY.body, message } }),
    missing: input === null && Object.keys(metadata).length === 0 ? "the input of the call" : null,
    // A copy: a result that is this very object means that nobody has answered.
    cancelled: { ...STOP_TURN },
    refused: NO_REPLY,
  });
}

const PERMISSION_QUESTIONS: ReadonlyMap<string, string> = new Map([
  ["bash", "Run this command?"],
  ["edit", "Make these edits?"],
]);

/**
 * The most important fields come first. A diff shows the whole change, so its input is left out. Patterns are left out where the text
 * shows them.
 */
function formatContent(request: Json, metadata: Json, input: Json | null): string {
  const changes = "diff" in metadata ? metadata : { ...input, ...metadata };
  const text = formatInput(changes, ["command", "filepath", "diff"]);
  const isShown = (pattern: string): boolean =>
    input === null ? Object.values(changes).includes(pattern) : text.includes(pattern);
  const patterns = toArray(request["patterns"]).filter(
    (pattern) => typeof pattern === "string" && pattern !== "*" && !isShown(pattern),
  );
  return [text, ...(patterns.length > 0 ? [`for: ${patterns.join(", ")}`] : [])]
    .filter((part) => part !== "")
    .join("\n");
}

const NO_REPLY: ServerReply = { at: "reply", body: { reply: "reject", message: PLAIN_NO } };

function listDecisions(permission: string, always: readonly unknown[]): readonly Decision[] {
  const patterns = always.filter((pattern) => typeof pattern === "string");
  const what = patterns.includes("*") ? `any ${permission}` : `${permission} ${patterns.join(", ")}`;
  const label = `Yes, and don't ask again for ${what} until the tool is restarted`;
  const forGood: Decision = {
    choice: { label, intent: "allow_always" },
    result: { at: "reply", body: { reply: "always" } },
  };
  return [
    {
      choice: { label: "Yes", intent: "allow_once" },
      result: { at: "reply", body: { reply: "once" } },
    },
    ...(patterns.length > 0 ? [forGood] : []),
    // The dialog has no No that lets the turn continue.
    {
      choice: { label: "No", intent: "reject_once", takesText: "optional" },
      result: NO_REPLY,
      isUndrawn: true,
    },
    { choice: { label: "No, and stop the turn", intent: "reject_once" }, result: STOP_TURN },
  ];
}

export const DISMISS: ServerReply = { at: "reject", body: null };

/** Null when it cannot be shown and answered completely. */
export function createQuestionRequest(request: Json, cwd: string): PendingRequest | null {
  const questions = toArray(request["questions"]).filter(isObject);
  if (questions.length === 0) return null;
  // Some tools act on the exact words of an option; then other words must not count as a Yes.
  const isOpen = questions.every(({ custom }) => custom !== false);
  const pendingRequest = isOpen ? createOpenQuestions(questions, cwd) : createClosedQuestions(questions);
  return pendingRequest && { ...pendingRequest, cancelled: { ...DISMISS }, refused: DISMISS };
}

function createOpenQuestions(questions: readonly Json[], cwd: string): PendingRequest | null {
  const listed = questions.map(({ multiple, ...rest }) => ({ ...rest, multiSelect: multiple === true }));
  const pendingRequest = askQuestions(QUESTION, listed, cwd);
  return pendingRequest && mapResult(pendingRequest, (given) => createOpenReply(questions, given));
}

function createOpenReply(questions: readonly Json[], result: RequestResult): ServerReply {
  const { behavior, message } = result;
  if (behavior === "deny") {
    // A person's words can reach the model only as an answer.
    return message === PLAIN_NO ? DISMISS : createAnswers(questions.map(() => [toText(message) ?? ""]));
  }
  return createAnswers(
    questions.map((question) => {
      const text = toText(readAnswer(result, question)) ?? "";
      if (question["multiple"] !== true) return [text];
      return text === "" ? [] : splitLabels(text, listLabels(question));
    }),
  );
}

function createClosedQuestions(questions: readonly Json[]): PendingRequest | null {
  const properties = questions.map((question, at) => {
    const options = { type: "string", enum: listLabels(question) };
    const type = question["multiple"] === true ? { type: "array", items: options } : options;
    return [`question ${at + 1}`, { title: toText(question["question"]) ?? "", ...type }] as const;
  });
  const requestedSchema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  };
  const message = toText(questions[0]?.["question"]) ?? "It wants to know";
  const pendingRequest = createElicitationRequest({ mode: "form", message, requestedSchema });
  return (
    pendingRequest &&
    mapResult(pendingRequest, ({ action, content }) => {
      if (action !== "accept" || !isObject(content)) return DISMISS;
      return createAnswers(
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

function createAnswers(given: readonly (readonly string[])[]): ServerReply {
  return { at: "reply", body: { answers: given } };
}

function listLabels({ options }: Json): string[] {
  return toArray(options)
    .filter(isObject)
    .flatMap(({ label }) => (typeof label === "string" ? [label] : []));
}

const SEVERAL = ", ";

/** Splits joined options; other text stays as it is. */
function splitLabels(text: string, labels: readonly string[]): string[] {
  for (const label of labels) {
    if (text === label) return [label];
    if (!text.startsWith(`${label}${SEVERAL}`)) continue;
    return [label, ...splitLabels(text.slice(label.length + SEVERAL.length), labels)];
  }
  return [text];
}
