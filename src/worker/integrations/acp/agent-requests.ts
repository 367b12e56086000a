/** What an agent may ask of us, by the protocol's names. */
import { RequestError } from "@agentclientprotocol/sdk";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { RequestHandler } from "./agent-connection.js";
import { ELICITATION_METHOD, elicitationAsking } from "../../prompts/content/elicitation.js";
import {
  CANCELLED,
  createPermissionRequest,
  readPermissionRequest,
  PERMISSION_METHOD,
  selectOption,
  type PermissionRequest,
} from "./permission/permission.js";
import { createQuestionsRequest } from "./permission/permission-questions.js";
import type { Automatic } from "./permission/permission-mode.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { isEnded, type ToolCall } from "../../runtimes/protocol/tool-call.js";

export interface AgentRequestsOptions {
  readonly cwd: string;
  readonly pendingRequests: PendingRequests;
  readonly requests: AgentRequests;
  /** What was reported of a call by now. */
  readonly call: (toolCallId: string) => ToolCall | undefined;
  /** What is answered without asking; null: somebody is asked. */
  readonly autoDecide: (request: PermissionRequest) => Promise<Automatic | null>;
  /** What is done for it on its word. */
  readonly services: Readonly<Record<string, RequestHandler>>;
}

export function requestHandlers({
  cwd,
  pendingRequests,
  requests: { isPlan, questionsIn },
  call,
  autoDecide,
  services,
}: AgentRequestsOptions): Readonly<Record<string, RequestHandler>> {
  return {
    ...services,
    [PERMISSION_METHOD]: async (params, signal) => {
      const request = readPermissionRequest(params, call, isPlan);
      if (!request) throw RequestError.invalidParams(undefined, "the options cannot be told apart");
      const listed = questionsIn?.(params);
      const isCallEnded = (): boolean => isEnded(request.call && call(request.call.id));
      // A call that failed may be asked about again.
      const wasEnded = isCallEnded();
      const isOver = (): boolean => !wasEnded && isCallEnded();
      if (listed !== undefined)
        return pendingRequests.open(
          { ...whole(createQuestionsRequest(listed, request, cwd)), isOver },
          signal,
        );
      const asking = { ...createPermissionRequest(request, cwd), isOver };
      const automatic = await autoDecide(request);
      if (signal.aborted) return CANCELLED;
      if (automatic?.kind === "allow") return selectOption(automatic.option);
      return automatic ? asking.refused : pendingRequests.open(asking, signal);
    },
    [ELICITATION_METHOD]: (params, signal) => pendingRequests.open(whole(elicitationAsking(params)), signal),
  };
}

function whole(asking: PendingRequest | null): PendingRequest {
  if (!asking) throw RequestError.invalidParams(undefined, "this form cannot be shown");
  return asking;
}

/** The agent takes a request back with an error of the protocol; any other reason is the end of the connection. */
export function withdrawReasonFor(reason: unknown): WithdrawReason {
  const isCoded = reason instanceof Error && "code" in reason && typeof reason.code === "number";
  return isCoded ? "taken_back" : "session_ended";
}
