/** The shared parts of an app server's approval requests, and the requests for permissions and for MCP tools. Pure. */
import type { ChoiceIntent } from "../../../model/prompt.js";
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { formatInput } from "../../prompts/content/request-content.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { createDecisionRequest, type Decision, type DecisionRequest } from "../decision-request.js";

/** Fields that are not shown, and why. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  kind: "what is asked depends on it",
  threadId: "a name by which the server knows the thread",
  turnId: "a name by which the server knows the turn",
  itemId: "a name by which the server knows the call",
  approvalId: "a name by which the server knows the request",
  startedAtMs: "the card has a time of its own",
  commandActions: "a guess at what the command does: the command itself is shown",
  availableDecisions: "they are the choices",
  proposedExecpolicyAmendment: "a choice names it, where it is offered",
  proposedNetworkPolicyAmendments: "a choice names it, where it is offered",
};

/** A command usually runs on this machine; another environment is shown. */
const USUAL: ReadonlyMap<string, unknown> = new Map([["environmentId", "local"]]);

export function selectApprovedFields(params: Json): Json {
  return Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) =>
        !Object.hasOwn(NOT_SHOWN, name) &&
        !(USUAL.has(name) && value === USUAL.get(name)) &&
        value !== null &&
        value !== undefined,
    ),
  );
}

/** Fields in `_meta` of an MCP tool's approval that are not shown, and why. */
export const NOT_SHOWN_OF_TOOL: Readonly<Record<string, string>> = {
  codex_approval_kind: "what is asked depends on it",
  persist: "they are choices",
  tool_params_display: "the arguments themselves are shown",
  tool_name: "the question names it",
};

/** Null: it is no such call, or its arguments are missing. */
export function readApprovedCall({
  _meta: call,
}: Json): { readonly input: Json; readonly besides: Json } | null {
  if (!isObject(call) || call["codex_approval_kind"] !== "mcp_tool_call") return null;
  const { tool_params: input, ...rest } = call;
  const besides = Object.entries(rest).filter(
    ([name, value]) => !Object.hasOwn(NOT_SHOWN_OF_TOOL, name) && value !== null && value !== undefined,
  );
  return isObject(input) ? { input, besides: Object.fromEntries(besides) } : null;
}

/** The reason of a No. The protocol has no field for it, so it is sent to the model separately. */
export const REASON = "reason";

export function createApproval(request: Omit<DecisionRequest, "safetyClass" | "addText">): PendingRequest {
  return createDecisionRequest({
    ...request,
    safetyClass: "permission",
    addText: (result, reason) => ({ ...result, [REASON]: reason }),
  });
}

export const PERMISSIONS = "item/permissions/requestApproval";

const createOffer = (
  label: string,
  intent: ChoiceIntent,
  result: RequestResult,
  takesText?: "optional",
): Decision => ({ choice: { label, intent, ...(takesText && { takesText }) }, result });

export function createPermissionsRequest(params: Json, cwd: string): PendingRequest | null {
  const { permissions } = params;
  if (!isObject(permissions) || Object.keys(permissions).length === 0) return null;
  const input = selectApprovedFields(params);
  const nothing = { permissions: {}, scope: "turn" };
  return createApproval({
    rule: PERMISSIONS,
    question: "Grant these permissions?",
    text: formatInput(input, []),
    call: { tool: "permissions", input, cwd },
    decisions: [
      createOffer("Yes, for this turn", "allow_once", { permissions, scope: "turn" }),
      createOffer("Yes, for this session", "allow_always", { permissions, scope: "session" }),
      createOffer("No", "reject_once", nothing, "optional"),
    ],
    cancelled: nothing,
    refused: nothing,
  });
}

const LASTING: ReadonlyMap<string, string> = new Map([
  ["session", "Yes, and don't ask again in this session"],
  ["always", "Yes, and never ask again for this tool"],
]);

/** The approval of an MCP tool is a form without fields, with the call beside it. Null where it is not. */
export function createToolRequest(method: string, params: Json, cwd: string): PendingRequest | null {
  const call = readApprovedCall(params);
  const message = toText(params["message"]);
  const server = toText(params["serverName"]);
  const tool = toText(toObject(params["_meta"])["tool_name"]);
  if (!call || message === null || server === null || tool === null || hasFields(params)) return null;
  const accept = { action: "accept", content: {} };
  const lasting = toArray(toObject(params["_meta"])["persist"]).flatMap((persist) => {
    const label = LASTING.get(toText(persist) ?? "");
    return label === undefined ? [] : [createOffer(label, "allow_always", { ...accept, _meta: { persist } })];
  });
  return createApproval({
    rule: method,
    question: message,
    text: [call.input, { ...call.besides, server, tool }]
      .map((part) => formatInput(part, []))
      .join("\n\n")
      .trim(),
    call: { tool: `mcp__${server}__${tool}`, input: call.input, cwd },
    decisions: [
      createOffer("Yes", "allow_once", accept),
      ...lasting,
      createOffer("No", "reject_once", { action: "decline" }, "optional"),
    ],
    cancelled: { action: "cancel" },
    refused: { action: "decline" },
  });
}

function hasFields({ mode, requestedSchema: schema }: Json): boolean {
  const properties = isObject(schema) ? schema["properties"] : null;
  return mode !== "form" || !isObject(properties) || Object.keys(properties).length > 0;
}
