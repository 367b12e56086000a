/** Drives a tool that reads and writes lines of JSON: tasks, events and requests (`can_use_tool`), as the agents' SDKs do. */
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import type { WithdrawReason } from "../../../sdk/adapter.js";
import {
  createCallPermission,
  createDenyResult,
  createUnshowableResult,
} from "../../prompts/permission-request.js";
import type { CallRules } from "../../prompts/tool-call-request.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { isRpcId, RpcPeer, type PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import type { TurnEnd } from "../../runtimes/exec/exec-client.js";
import type { JsonLines } from "../../runtimes/exec/json-lines.js";
import { findSessionId } from "../../runtimes/exec/session-id.js";
import { TurnClient, type TurnClientOptions } from "../../runtimes/exec/turn-client.js";

const PERMISSION = "can_use_tool";
/** It changes nothing, and a reply proves that everything before it was read. Old versions (2.0) do not reply to unknown requests. */
const PING = "mcp_status";

export interface ClaudeExecClientOptions extends TurnClientOptions {
  readonly rules: CallRules | null;
  readonly sessionIn: readonly string[];
}

export class ClaudeExecClient extends TurnClient<ClaudeExecClientOptions> {
  readonly #lines: JsonLines;
  readonly #peer: RpcPeer;
  readonly #openCalls = new Map<PeerRpcId, AbortController>();
  /** Null until the tool has named it, even where it resumes a session. */
  #session: string | null = null;

  constructor(options: ClaudeExecClientOptions) {
    super(options);
    this.#lines = this.readLines({
      onMessage: (message) => {
        const control = readControl(message);
        if (control) this.#peer.receive(control);
        else this.#onEvent(message);
      },
      // Settles the message for the side that waits.
      onTooDeep: (message) => {
        const control = readControl(message);
        if (control) this.#peer.receive({ ...control, params: {} });
      },
    });
    this.#peer = new RpcPeer({
      send: (message) => this.#lines.send(formatControl({ ...message })),
      isOpen: (id) => this.#takeBack(id, "same_id"),
      onRequest: (id, method, params) => {
        if (method !== PERMISSION) this.#peer.refuse(id, UNSUPPORTED);
        // A call that cannot be read is refused and does not end the session.
        else void this.#permit(id, params).catch(() => this.#peer.answer(id, UNSHOWABLE));
      },
      onNotification: (method, { request_id: id }) =>
        method === CANCEL_REQUEST && isRpcId(id) && this.#takeBack(id, "taken_back"),
    });
  }

  get session(): string | null {
    return this.#session;
  }

  async open(): Promise<void> {
    const { context, clock } = this.options;
    const params = context === null ? {} : { appendSystemPrompt: context };
    await awaitGreeting(this.#peer.request("initialize", params), clock);
  }

  async ping(): Promise<void> {
    await this.#peer.request(PING, {});
  }

  override close(): void {
    super.close();
    this.#peer.close();
  }

  protected startTurn(text: string): void {
    const content = [{ type: "text", text }];
    this.#lines.send({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: this.#session ?? this.options.resume ?? "",
    });
  }

  protected async interrupt(): Promise<void> {
    await this.#peer.request("interrupt", {}).catch(() => undefined);
  }

  #takeBack(id: PeerRpcId, why: WithdrawReason): boolean {
    const open = this.#openCalls.get(id);
    open?.abort(why);
    return open !== undefined;
  }

  async #permit(
    id: PeerRpcId,
    { tool_name, input, permission_suggestions: suggestions }: Json,
  ): Promise<void> {
    const { cwd, rules, pendingRequests } = this.options;
    const tool = toText(tool_name);
    const pendingRequest =
      tool !== null && isObject(input)
        ? createCallPermission({ request: PERMISSION, tool, input, cwd, suggestions }, rules)
        : null;
    if (!pendingRequest) {
      this.#peer.answer(id, UNSHOWABLE);
      return;
    }
    const stop = new AbortController();
    this.#openCalls.set(id, stop);
    const result = await pendingRequests.open(pendingRequest, stop.signal);
    this.#openCalls.delete(id);
    // A request that the tool withdrew gets no answer; one that was cancelled here does.
    if (result !== pendingRequest.cancelled) this.#peer.answer(id, result);
    else if (!stop.signal.aborted) this.#peer.answer(id, createDenyResult("The turn was cancelled."));
  }

  #onEvent(event: Json): void {
    this.#session = findSessionId([event], this.options.sessionIn) ?? this.#session;
    this.showEvent(event);
    if (event["type"] === "result") this.finishTurn(this.#readTurnEnd(event));
  }

  #readTurnEnd(event: Json): TurnEnd {
    const cost = event["total_cost_usd"];
    const costUsd = typeof cost === "number" ? cost : null;
    if (this.watch.isCancelled) return { stopReason: "cancelled", problem: null, costUsd };
    const isFailed = event["is_error"] === true || event["subtype"] !== "success";
    const stopReason = toText(event["stop_reason"]) ?? "end_turn";
    return { stopReason, problem: isFailed ? readProblem(event) : null, costUsd };
  }
}

const UNSHOWABLE = createUnshowableResult();
const UNSUPPORTED = "not supported";
const CANCEL_REQUEST = "control_cancel_request";

/** Before the numbers of our requests. */
const OWN_ID = "atlasbridge-";

/** The number of our request; null if the id is none of ours. */
function readOwnId(id: unknown): number | null {
  const [, number] = /^atlasbridge-(\d{1,15})$/.exec(toText(id) ?? "") ?? [];
  return number === undefined ? null : Number(number);
}

/** The message as JSON-RPC; null for an event. Any response counts as an answer, even an error. */
function readControl({ type, request_id: id, request, response }: Json): Json | null {
  switch (type) {
    case "control_response":
      return { id: readOwnId(toObject(response)["request_id"]), result: {} };
    case "control_request":
      return { id, method: toText(toObject(request)["subtype"]) ?? "", params: request };
    case CANCEL_REQUEST:
      return { method: CANCEL_REQUEST, params: { request_id: id } };
    default:
      return null;
  }
}

/** The message that sends this JSON-RPC. The tool expects a denial where a call is refused. */
function formatControl({ id, method, params, result, error }: Json): object {
  if (method !== undefined)
    return {
      type: "control_request",
      request_id: `${OWN_ID}${String(id)}`,
      request: { subtype: method, ...(params as Json) },
    };
  const refusal = isObject(error) ? (toText(error["message"]) ?? "") : null;
  const response =
    refusal === UNSUPPORTED
      ? { subtype: "error", request_id: id, error: UNSUPPORTED }
      : {
          subtype: "success",
          request_id: id,
          response: refusal === null ? result : createDenyResult(refusal),
        };
  return { type: "control_response", response };
}

function readProblem({ result, subtype, errors }: Json): string {
  const [first] = toArray(errors).map(toText);
  return toText(result) ?? first ?? toText(subtype) ?? "it failed";
}
