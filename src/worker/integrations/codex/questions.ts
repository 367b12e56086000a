/** What an app server asks (`item/…/requestApproval`, `item/tool/requestUserInput`) → what people are asked. Pure. */
import type { Choice } from "../../../model/prompt.js";
import { inputText } from "../../prompts/content/request-content.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { elicitationAsking } from "../../prompts/content/elicitation.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { permissionRequest } from "../../prompts/permission-request.js";
import { QUESTION_TOOL, QUESTIONS } from "../../prompts/content/listed-questions.js";
import { approvedFields } from "./approval-fields.js";
import { createDecisionRequest, type CodexDecision } from "./decisions.js";
import { PERMISSIONS, createPermissionsRequest, createToolRequest } from "./grants.js";

export const COMMAND_APPROVAL = "item/commandExecution/requestApproval";
export const FILE_APPROVAL = "item/fileChange/requestApproval";
export const USER_INPUT = "item/tool/requestUserInput";
export const ELICITATION = "mcpServer/elicitation/request";

const DECLINE = { decision: "decline" };
const CANCEL = { decision: "cancel" };

/** Null when it cannot be shown and answered whole. `item`: what was told of what the request is about. */
export function createCodexRequest(
  method: string,
  params: Json,
  item: Json | null,
  cwd: string,
): PendingRequest | null {
  switch (method) {
    case COMMAND_APPROVAL:
      return createCommandRequest(params, cwd);
    case FILE_APPROVAL:
      return createFileRequest(params, item, cwd);
    case USER_INPUT:
      return createInputRequest(params, cwd);
    case PERMISSIONS:
      return createPermissionsRequest(params, cwd);
    case ELICITATION:
      return createToolRequest(method, params, cwd) ?? elicitationAsking(params, describeServer(params));
    default:
      return null;
  }
}

/** What is asked, by the kind of a command; of another kind nobody knows what a yes does. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["command", "Run this command?"],
  ["writeStdin", "Send this input to the running program?"],
]);

function createCommandRequest(params: Json, cwd: string): PendingRequest | null {
  const input = approvedFields(params);
  const question = COMMANDS.get(toText(params["kind"]) ?? "command");
  if (question === undefined || Object.keys(input).length === 0) return null;
  return approval({
    method: COMMAND_APPROVAL,
    question: isObject(params["networkApprovalContext"]) ? "Allow this network access?" : question,
    text: inputText(input, ["command"]),
    isWhole: true,
    input,
    decisions: listDecisions(arrayOrNull(params["availableDecisions"]) ?? ["accept"]),
    cwd,
  });
}

/** The change itself was told with its item; without it nobody can judge it. */
function createFileRequest(params: Json, item: Json | null, cwd: string): PendingRequest {
  const told = toArray(item?.["changes"]);
  const changes = told.filter(isObject);
  const rest = approvedFields(params);
  return approval({
    method: FILE_APPROVAL,
    question: "Make these edits?",
    text: [inputText(rest, []), ...changes.map(changeText)].filter((part) => part !== "").join("\n\n"),
    isWhole: changes.length > 0 && changes.length === told.length,
    input: { ...rest, changes },
    decisions: listDecisions(arrayOrNull(params["availableDecisions"]) ?? FILE_DECISIONS, "for these files"),
    cwd,
  });
}

/** A kind may say more than how a file changes: where it is moved to. */
function changeText({ path, kind, diff, ...rest }: Json): string {
  const { type, ...how } = isObject(kind) ? kind : { type: kind };
  const word = toText(type);
  const head = `${toText(path) ?? "?"}${word === null ? "" : ` (${word})`}`;
  const more = [told(word === null && isObject(kind) ? kind : how), toText(diff) ?? "", told(rest)];
  return [head, ...more.filter((part) => part !== "")].join("\n");
}

function told(fields: Json): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return inputText(Object.fromEntries(given), []);
}

/** What is offered for files, where the request does not say it. */
const FILE_DECISIONS = ["accept", "acceptForSession", "cancel"];

function arrayOrNull(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as unknown[]) : null;
}

type Answer = Omit<CodexDecision, "isOffered">;

const NO: Answer = {
  choice: { label: "No", intent: "reject_once", takesText: "optional" },
  result: DECLINE,
};
const STOP: Answer = { choice: { label: "No, and stop the turn", intent: "reject_once" }, result: CANCEL };

/** What is offered, as far as it is known what it does; a No always. */
function listDecisions(offered: readonly unknown[], scope = "in this session"): readonly CodexDecision[] {
  const known = offered.flatMap((decision) => approvalsFor(decision, scope));
  return [
    ...known.map((yes) => ({ ...yes, isOffered: true })),
    { ...NO, isOffered: offered.includes(DECLINE.decision) },
    { ...STOP, isOffered: offered.includes(CANCEL.decision) },
  ];
}

function approvalsFor(decision: unknown, scope: string): Answer[] {
  if (decision === "accept")
    return [{ choice: { label: "Yes", intent: "allow_once" }, result: { decision } }];
  if (decision === "acceptForSession")
    return [
      {
        choice: { label: `Yes, and don't ask again ${scope}`, intent: "allow_always" },
        result: { decision },
      },
    ];
  if (!isObject(decision)) return [];
  return [commandRule(decision), hostRule(decision)].filter((answer) => answer !== null);
}

function commandRule(decision: Json): Answer | null {
  const amended = decision["acceptWithExecpolicyAmendment"];
  const words = isObject(amended) ? toArray(amended["execpolicy_amendment"]).map(toText) : [];
  if (words.length === 0 || words.includes(null)) return null;
  const label = `Yes, and don't ask again for commands that start with ${words.join(" ")}`;
  return { choice: { label, intent: "allow_always" }, result: { decision } };
}

function hostRule(decision: Json): Answer | null {
  const amended = decision["applyNetworkPolicyAmendment"];
  const rule = isObject(amended) ? amended["network_policy_amendment"] : null;
  const host = isObject(rule) ? toText(rule["host"]) : null;
  if (!isObject(rule) || host === null) return null;
  const labels = new Map<unknown, Choice>([
    ["allow", { label: `Yes, and don't ask again for ${host}`, intent: "allow_always" }],
    ["deny", { label: `No, and block ${host}`, intent: "reject_always" }],
  ]);
  const choice = labels.get(rule["action"]);
  return choice ? { choice, result: { decision } } : null;
}

interface Approval {
  readonly method: string;
  readonly question: string;
  readonly text: string;
  readonly isWhole: boolean;
  readonly input: Json;
  readonly decisions: readonly CodexDecision[];
  readonly cwd: string;
}

function approval({ method, question, text, isWhole, input, decisions, cwd }: Approval): PendingRequest {
  return createDecisionRequest({
    ...{ method, question, text, decisions },
    call: { tool: method === FILE_APPROVAL ? "edit" : "shell", input, cwd },
    missing: isWhole ? null : "the changes",
    cancelled: CANCEL,
    refused: DECLINE,
  });
}

/** Whose form or page it is. */
function describeServer({ serverName }: Json): string {
  const server = toText(serverName);
  return server === null ? "" : `Asked by the MCP server ${server}`;
}

/** Secrets are asked for in no chat. */
function createInputRequest(params: Json, cwd: string): PendingRequest | null {
  const given = toArray(params["questions"]);
  const questions = given.filter(isObject);
  const ids = new Set(questions.map(({ id }) => toText(id) ?? ""));
  // Its answers go by their ids.
  if (questions.length < given.length || ids.size < questions.length || ids.has("")) return null;
  if (questions.length === 0 || questions.some(({ isSecret }) => isSecret === true)) return null;
  const isListed = questions.every(({ options }) => toArray(options).length > 0);
  return isListed ? createListedRequest(questions, cwd) : createTextRequest(questions);
}

function createListedRequest(questions: readonly Json[], cwd: string): PendingRequest | null {
  const asking = permissionRequest(
    { request: USER_INPUT, tool: QUESTION_TOOL, input: { questions }, cwd },
    QUESTIONS,
  );
  return (
    asking &&
    mapResult(asking, ({ updatedInput }) => {
      const answers =
        isObject(updatedInput) && isObject(updatedInput["answers"]) ? updatedInput["answers"] : {};
      return collectAnswers(questions, ({ question }) => answers[toText(question) ?? ""]);
    })
  );
}

function createTextRequest(questions: readonly Json[]): PendingRequest | null {
  const properties = questions.map(({ id, question, options }) => {
    const oneOf = toArray(options).map((option) =>
      isObject(option) ? { const: option["label"], description: option["description"] } : option,
    );
    return [
      toText(id) ?? "",
      { type: "string", title: toText(question) ?? "", ...(oneOf.length > 0 && { oneOf }) },
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
    mapResult(asking, ({ content }) =>
      collectAnswers(questions, ({ id }) => (isObject(content) ? content[toText(id) ?? ""] : undefined)),
    )
  );
}

function mapResult(asking: PendingRequest, map: (result: RequestResult) => RequestResult): PendingRequest {
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

function collectAnswers(questions: readonly Json[], answerTo: (question: Json) => unknown): RequestResult {
  const answers = questions.flatMap((question) => {
    const answer = answerTo(question);
    return typeof answer === "string" ? [[toText(question["id"]) ?? "", { answers: [answer] }] as const] : [];
  });
  return { answers: Object.fromEntries(answers) };
}
