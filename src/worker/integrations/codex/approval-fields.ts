/** Selects the fields of an app server's approval requests that a card shows: all of them, also unknown ones, except these. */
import { isObject, type Json } from "../../../model/data/json.js";

/** Fields that are on no card, and why. */
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

/** Where nearly every command runs: on this machine. Any other environment is shown. */
const USUAL: ReadonlyMap<string, unknown> = new Map([["environmentId", "local"]]);

/** What is approved: of the request all that people need to judge it. */
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

/** Of the call of an MCP server's tool (`_meta` of its approval), what is on no card, and why. */
export const NOT_SHOWN_OF_TOOL: Readonly<Record<string, string>> = {
  codex_approval_kind: "what is asked depends on it",
  persist: "they are choices",
  tool_params_display: "the arguments themselves are shown",
  tool_name: "the question names it",
};

/** The arguments of such a call, and what else is said of it; null where it is none, or its arguments were not told. */
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
