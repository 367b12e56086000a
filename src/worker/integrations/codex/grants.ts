/** What an app server wants to be granted besides commands and edits: wider permissions, a call of an MCP server's tool. Pure. */
import { formatInput } from "../../prompts/content/request-content.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { readApprovedCall, selectApprovedFields } from "./approval-fields.js";
import { createDecisionRequest, type CodexDecision } from "./decisions.js";

export const PERMISSIONS = "item/permissions/requestApproval";

const createOffer = (
  label: string,
  intent: CodexDecision["choice"]["intent"],
  result: RequestResult,
  takesText?: "optional",
): CodexDecision => ({ choice: { label, intent, ...(takesText && { takesText }) }, result, isOffered: true });

/** Grants exactly what was requested, or nothing. */
export function createPermissionsRequest(params: Json, cwd: string): PendingRequest | null {
  const { permissions } = params;
  if (!isObject(permissions) || Object.keys(permissions).length === 0) return null;
  const input = selectApprovedFields(params);
  const nothing = { permissions: {}, scope: "turn" };
  return createDecisionRequest({
    method: PERMISSIONS,
    question: "Grant these permissions?",
    text: formatInput(input, []),
    call: { tool: "permissions", input, cwd },
    missing: null,
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

/** It comes as a form with nothing to fill in, and the call beside it. Null where it is no such call. */
export function createToolRequest(method: string, params: Json, cwd: string): PendingRequest | null {
  const call = readApprovedCall(params);
  const message = toText(params["message"]);
  const server = toText(params["serverName"]);
  const tool = toText(readTool(params));
  if (!call || message === null || server === null || tool === null || hasFields(params)) return null;
  const accept = { action: "accept", content: {} };
  const lasting = toArray(isObject(params["_meta"]) ? params["_meta"]["persist"] : null).flatMap(
    (persist) => {
      const label = LASTING.get(toText(persist) ?? "");
      return label === undefined
        ? []
        : [createOffer(label, "allow_always", { ...accept, _meta: { persist } })];
    },
  );
  return createDecisionRequest({
    method,
    question: message,
    text: [call.input, { ...call.besides, server, tool }]
      .map((part) => formatInput(part, []))
      .join("\n\n")
      .trim(),
    call: { tool: `mcp__${server}__${tool}`, input: call.input, cwd },
    missing: null,
    decisions: [
      createOffer("Yes", "allow_once", accept),
      ...lasting,
      createOffer("No", "reject_once", { action: "decline" }, "optional"),
    ],
    cancelled: { action: "cancel" },
    refused: { action: "decline" },
  });
}

function readTool({ _meta: call }: Json): unknown {
  return isObject(call) ? call["tool_name"] : null;
}

function hasFields({ mode, requestedSchema: schema }: Json): boolean {
  const properties = isObject(schema) ? schema["properties"] : null;
  return mode !== "form" || !isObject(properties) || Object.keys(properties).length > 0;
}
