import { RequestError } from "@agentclientprotocol/sdk";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { Json } from "../../../model/data/json.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import { SAME_ID, type RequestHandler } from "./agent-connection.js";
import { ELICITATION_METHOD, createElicitationRequest } from "../../prompts/content/elicitation.js";
import {
  CANCELLED,
  createPermissionRequest,
  readPermissionRequest,
  PERMISSION_METHOD,
  selectOption,
  type PermissionRequest,
} from "./permission/permission.js";
import {
  CALL_CHANGED,
  KEEPS_CHANGING,
  type CallReports,
  type CallWatch,
  watchCall,
} from "./permission/call-changes.js";
import { createQuestionsRequest } from "./permission/permission-questions.js";
import type { Automatic } from "./permission/permission-mode.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { isEnded, type ToolCall } from "../../runtimes/protocol/tool-call.js";

export interface AgentRequestsOptions {
  readonly cwd: string;
  readonly pendingRequests: PendingRequests;
  readonly requests: AgentRequests;
  readonly calls: CallReports;
  /** Null: people are asked. `isChanged`: the agent has changed the call since it asked. */
  readonly autoDecide: (request: PermissionRequest, isChanged: () => boolean) => Promise<Automatic | null>;
  readonly services: Readonly<Record<string, RequestHandler>>;
}

export function createRequestHandlers(
  options: AgentRequestsOptions,
): Readonly<Record<string, RequestHandler>> {
  const { cwd, pendingRequests, requests, calls, services } = options;
  return {
    ...services,
    [PERMISSION_METHOD]: (params, signal) => {
      const request = readPermissionRequest(params, calls.find, requests.isPlan);
      if (!request) throw RequestError.invalidParams(undefined, "the options cannot be told apart");
      const listed = requests.readQuestions?.(params);
      if (listed === undefined) return decidePermission(options, params, request, signal);
      const isOver = endsAfter(calls, request.call);
      return pendingRequests.open(
        { ...requireRequest(createQuestionsRequest(listed, request, cwd)), isOver },
        signal,
      );
    },
    [ELICITATION_METHOD]: (params, signal) =>
      pendingRequests.open(requireRequest(createElicitationRequest(params)), signal),
  };
}

/** How often people are asked about a call that keeps changing. Agents complete a call within a few reports. */
export const CALL_CHANGES_MAX = 10;

/** A call that changes while people look at it is asked about again, and refused in the end: nobody may allow what they have not seen. */
async function decidePermission(
  options: AgentRequestsOptions,
  params: Json,
  first: PermissionRequest,
  signal: AbortSignal,
): Promise<RequestResult> {
  const { cwd, calls, requests } = options;
  const isOver = endsAfter(calls, first.call);
  for (let request = first, times = 0; ; times += 1) {
    const isLast = times === CALL_CHANGES_MAX;
    const watch = watchCall(calls, request.call, isLast ? KEEPS_CHANGING : CALL_CHANGED);
    const pending = { ...createPermissionRequest(request, cwd), isOver };
    const result = await decide(options, request, pending, { watch, isLast, signal });
    watch.stop();
    const changed = watch.findChanged();
    if (signal.aborted || result !== null || changed === null) return result ?? CANCELLED;
    if (isLast) return pending.refused;
    request = readPermissionRequest(params, calls.find, requests.isPlan, changed) ?? request;
  }
}

/** Null: the agent has changed the call, and nothing was decided. */
async function decide(
  { autoDecide, pendingRequests }: AgentRequestsOptions,
  request: PermissionRequest,
  pending: PendingRequest,
  {
    watch,
    isLast,
    signal,
  }: { readonly watch: CallWatch; readonly isLast: boolean; readonly signal: AbortSignal },
): Promise<RequestResult | null> {
  const automatic = await autoDecide(request, () => watch.findChanged() !== null);
  if (signal.aborted) return CANCELLED;
  if (automatic?.kind === "deny") return pending.refused;
  // The last time people are asked even about a changed call, so that its card says how it ended.
  if (watch.findChanged() !== null && !isLast) return null;
  if (automatic && watch.findChanged() === null) return selectOption(automatic.option);
  const result = await pendingRequests.open(pending, AbortSignal.any([signal, watch.signal]));
  return result === pending.cancelled && watch.findChanged() !== null ? null : result;
}

/** A call that had failed before may be asked about again, so it does not count. */
function endsAfter(calls: CallReports, call: ToolCall | null): () => boolean {
  const isEndedNow = (): boolean => isEnded(call && calls.find(call.id));
  const wasEnded = isEndedNow();
  return () => !wasEnded && isEndedNow();
}

function requireRequest(pendingRequest: PendingRequest | null): PendingRequest {
  if (!pendingRequest) throw RequestError.invalidParams(undefined, "this form cannot be shown");
  return pendingRequest;
}

/** An error with a code means that the agent withdrew the request; any other reason is the end of the connection. */
export function toWithdrawReason(reason: unknown): WithdrawReason {
  if (reason === CALL_CHANGED) return "superseded";
  if (reason === SAME_ID) return "same_id";
  if (reason === KEEPS_CHANGING) return "kept_changing";
  const isCoded = reason instanceof Error && "code" in reason && typeof reason.code === "number";
  return isCoded ? "taken_back" : "session_ended";
}
