/** Turns requests of an app server (`item/…/requestApproval`, `item/tool/requestUserInput`) into pending requests. Pure. */
import type { Choice } from "../../../model/prompt.js";
import { formatInput } from "../../prompts/content/request-content.js";
import { getAtPath, isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { createElicitationRequest } from "../../prompts/content/elicitation.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import type { Decision } from "../decision-request.js";
import { createQuestionRequest, mapResult, readAnswer } from "../question-request.js";
import {
  createApproval,
  createPermissionsRequest,
  createToolRequest,
  PERMISSIONS,
  selectApprovedFields,
} from "./approvals.js";

export const COMMAND_APPROVAL = "item/commandExecution/requestApproval";
export const FILE_APPROVAL = "item/fileChange/requestApproval";
export const USER_INPUT = "item/tool/requestUserInput";
const ELICITATION = "mcpServer/elicitation/request";

const DECLINE = { decision: "decline" };
const CANCEL = { decision: "cancel" };
const UNANSWERED = { cancelled: CANCEL, refused: DECLINE };

/** Null when it cannot be shown and answered completely. `item`: the reported item of the request. */
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
      return (
        createToolRequest(method, params, cwd) ?? createElicitationRequest(params, describeServer(params))
      );
    default:
      return null;
  }
}

/** A command of another kind is not shown, because the effect of a Yes is unknown. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["command", "Run this command?"],
  ["writeStdin", "Send this input to the running program?"],
]);

/** Input for a running program is not a command. */
const SHELL_CALLS: ReadonlyMap<string, string> = new Map([
  ["command", "shell"],
  ["writeStdin", "write_stdin"],
]);

function createCommandRequest(params: Json, cwd: string): PendingRequest | null {
  const input = selectApprovedFields(params);
  const kind = toText(params["kind"]) ?? "command";
  const question = COMMANDS.get(kind);
  if (question === undefined || Object.keys(input).length === 0) return null;
  return createApproval({
    rule: COMMAND_APPROVAL,
    question: isObject(params["networkApprovalContext"]) ? "Allow this network access?" : question,
    text: formatInput(input, ["command"]),
    call: { tool: SHELL_CALLS.get(kind) ?? kind, input, cwd },
    decisions: listDecisions(readArray(params["availableDecisions"]) ?? ["accept"]),
    ...UNANSWERED,
  });
}

function createFileRequest(params: Json, item: Json | null, cwd: string): PendingRequest {
  const listedChanges = toArray(item?.["changes"]);
  const changes = listedChanges.filter(isObject);
  const rest = selectApprovedFields(params);
  return createApproval({
    rule: FILE_APPROVAL,
    question: "Make these edits?",
    text: [formatInput(rest, []), ...changes.map(formatChange)].filter((part) => part !== "").join("\n\n"),
    call: { tool: "edit", input: { ...rest, changes }, cwd },
    missing: changes.length > 0 && changes.length === listedChanges.length ? null : "the changes",
    decisions: listDecisions(readArray(params["availableDecisions"]) ?? FILE_DECISIONS, "for these files"),
    ...UNANSWERED,
  });
}

function formatChange({ path, kind, diff, ...rest }: Json): string {
  const { type, ...how } = isObject(kind) ? kind : { type: kind };
  const word = toText(type);
  const head = `${toText(path) ?? "?"}${word === null ? "" : ` (${word})`}`;
  const more = [
    formatGiven(word === null && isObject(kind) ? kind : how),
    toText(diff) ?? "",
    formatGiven(rest),
  ];
  return [head, ...more.filter((part) => part !== "")].join("\n");
}

function formatGiven(fields: Json): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return formatInput(Object.fromEntries(given), []);
}

const FILE_DECISIONS = ["accept", "acceptForSession", "cancel"];

function readArray(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as unknown[]) : null;
}

const NO: Decision = {
  choice: { label: "No", intent: "reject_once", takesText: "optional" },
  result: DECLINE,
};
const STOP: Decision = {
  choice: { label: "No, and stop the turn", intent: "reject_once" },
  result: CANCEL,
};

/** The offered decisions that we know, and always a No. */
function listDecisions(offered: readonly unknown[], scope = "in this session"): readonly Decision[] {
  return [
    ...offered.flatMap((decision) => readApprovals(decision, scope)),
    { ...NO, isUndrawn: !offered.includes(DECLINE.decision) },
    { ...STOP, isUndrawn: !offered.includes(CANCEL.decision) },
  ];
}

function readApprovals(decision: unknown, scope: string): Decision[] {
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
  return [readCommandRule(decision), readHostRule(decision)].filter((answer) => answer !== null);
}

function readCommandRule(decision: Json): Decision | null {
  const rule = getAtPath("acceptWithExecpolicyAmendment.execpolicy_amendment", decision);
  const words = toArray(rule).map(toText);
  if (words.length === 0 || words.includes(null)) return null;
  const label = `Yes, and don't ask again for commands that start with ${words.join(" ")}`;
  return { choice: { label, intent: "allow_always" }, result: { decision } };
}

function readHostRule(decision: Json): Decision | null {
  const { host, action } = toObject(
    getAtPath("applyNetworkPolicyAmendment.network_policy_amendment", decision),
  );
  if (typeof host !== "string") return null;
  const labels = new Map<unknown, Choice>([
    ["allow", { label: `Yes, and don't ask again for ${host}`, intent: "allow_always" }],
    ["deny", { label: `No, and block ${host}`, intent: "reject_always" }],
  ]);
  const choice = labels.get(action);
  return choice ? { choice, result: { decision } } : null;
}

function describeServer({ serverName }: Json): string {
  const server = toText(serverName);
  return server === null ? "" : `Asked by the MCP server ${server}`;
}

/** Null for secrets: people must not type them in a chat. */
function createInputRequest(params: Json, cwd: string): PendingRequest | null {
  const given = toArray(params["questions"]);
  const questions = given.filter(isObject);
  const ids = new Set(questions.map(({ id }) => toText(id) ?? ""));
  if (questions.length < given.length || ids.size < questions.length || ids.has("")) return null;
  if (questions.length === 0 || questions.some(({ isSecret }) => isSecret === true)) return null;
  const isListed = questions.every(({ options }) => toArray(options).length > 0);
  const request = isListed
    ? createQuestionRequest(USER_INPUT, questions, cwd)
    : createElicitationRequest(createForm(questions));
  const read = isListed ? readAnswer : readField;
  return (
    request && {
      ...mapResult(request, (result) => collectAnswers(questions, (question) => read(result, question))),
      cancelled: { answers: {} },
      refused: { answers: {} },
    }
  );
}

function createForm(questions: readonly Json[]): Json {
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
  return { mode: "form", message: "It wants to know", requestedSchema };
}

function readField({ content }: RequestResult, { id }: Json): unknown {
  return toObject(content)[toText(id) ?? ""];
}

function collectAnswers(questions: readonly Json[], answerTo: (question: Json) => unknown): RequestResult {
  const answers = questions.flatMap((question) => {
    const answer = answerTo(question);
    return typeof answer === "string" ? [[toText(question["id"]) ?? "", { answers: [answer] }] as const] : [];
  });
  return { answers: Object.fromEntries(answers) };
}
