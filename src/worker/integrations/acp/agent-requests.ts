/** What an agent may ask of us, by the protocol's names. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { RequestHandler } from "./agent-connection.js";
import { ELICITATION_METHOD, elicitationAsking } from "../../prompts/content/elicitation.js";
import {
  CANCELLED,
  permissionAsking,
  permissionIn,
  PERMISSION_METHOD,
  selectOption,
  type PermissionRequest,
} from "./permission/permission.js";
import { questionsAsking } from "./permission/permission-questions.js";
import type { Automatic } from "./permission/permission-mode.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { isEnded, type ToolCall } from "../../runtimes/protocol/tool-call.js";

export interface AgentRequestsOptions {
  readonly cwd: string;
  readonly desk: PendingRequests;
  readonly requests: AgentRequests;
  /** What was reported of a call by now. */
  readonly call: (toolCallId: string) => ToolCall | undefined;
  /** What is answered without asking; null: somebody is asked. */
  readonly unasked: (request: PermissionRequest) => Promise<Automatic | null>;
  /** What is done for it on its word. */
  readonly services: Readonly<Record<string, RequestHandler>>;
}

export function requestHandlers({
  cwd,
  desk,
  requests: { isPlan, questionsIn },
  call,
  unasked,
  services,
}: AgentRequestsOptions): Readonly<Record<string, RequestHandler>> {
  return {
    ...services,
    [PERMISSION_METHOD]: async (params, signal) => {
      const request = permissionIn(params, call, isPlan);
      if (!request) throw RequestError.invalidParams(undefined, "the options cannot be told apart");
      const listed = questionsIn?.(params);
      const isOver = (): boolean => isEnded(request.call && call(request.call.id));
      if (listed !== undefined)
        return desk.open({ ...whole(questionsAsking(listed, request, cwd)), isOver }, signal);
      const asking = { ...permissionAsking(request, cwd), isOver };
      const automatic = await unasked(request);
      if (signal.aborted) return CANCELLED;
      if (automatic?.kind === "allow") return selectOption(automatic.option);
      return automatic ? asking.refused : desk.open(asking, signal);
    },
    [ELICITATION_METHOD]: (params, signal) => desk.open(whole(elicitationAsking(params)), signal),
  };
}

function whole(asking: PendingRequest | null): PendingRequest {
  if (!asking) throw RequestError.invalidParams(undefined, "this form cannot be shown");
  return asking;
}

/** The agent takes a request back with an error of the protocol; any other reason is the end of the connection. */
export function whyGone(reason: unknown): WithdrawReason {
  const isCoded = reason instanceof Error && "code" in reason && typeof reason.code === "number";
  return isCoded ? "taken_back" : "session_ended";
}
