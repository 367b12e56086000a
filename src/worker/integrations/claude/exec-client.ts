/** Drives a tool that reads and writes lines of JSON: tasks, events and requests (`can_use_tool`), as the agents' SDKs do. */
import { isObject, toText, type Json } from "../../../model/data/json.js";
import type { RequestResult } from "../../prompts/pending-request.js";
import {
  createCallPermission,
  createDenyResult,
  createUnshowableResult,
} from "../../prompts/permission-request.js";
import type { CallRules } from "../../prompts/tool-call-request.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { SAME_ID } from "../../runtimes/protocol/rpc-peer.js";
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
  readonly #waiting = new Map<string, { answered(): void; gone(): void }>();
  readonly #openCalls = new Map<string, AbortController>();
  /** Null until the tool has named it, even where it resumes a session. */
  #session: string | null = null;
  #requests = 0;

  constructor(options: ClaudeExecClientOptions) {
    super(options);
    this.#lines = this.readLines({
      onMessage: (message) => this.#onMessage(message),
      onTooDeep: (message) => this.#onTooDeep(message),
    });
  }

  get session(): string | null {
    return this.#session;
  }

  async open(): Promise<void> {
    const { context, clock } = this.options;
    const greeting = {
      subtype: "initialize",
      ...(context !== null && { appendSystemPrompt: context }),
    };
    await awaitGreeting(this.#request(greeting), clock);
  }

  async ping(): Promise<void> {
    await this.#request({ subtype: PING });
  }

  override close(): void {
    super.close();
    for (const waiting of this.#waiting.values()) waiting.gone();
    this.#waiting.clear();
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
    await this.#request({ subtype: "interrupt" }).catch(() => undefined);
  }

  #request(request: Json): Promise<void> {
    this.#requests += 1;
    const id = `atlasbridge-${this.#requests}`;
    return new Promise((resolve, reject) => {
      const onEnded = (): void => reject(new Error("it ended"));
      this.#waiting.set(id, { answered: resolve, gone: onEnded });
      if (this.isClosed || !this.#lines.send({ type: "control_request", request_id: id, request })) onEnded();
    });
  }

  #onMessage(message: Json): void {
    const { type } = message;
    if (type === "control_response") this.#onAnswer(message["response"]);
    else if (type === "control_request") this.#onRequest(message);
    else if (type === "control_cancel_request")
      this.#openCalls.get(toText(message["request_id"]) ?? "")?.abort("taken_back");
    else this.#onEvent(message);
  }

  /** Settles the message for the side that waits. */
  #onTooDeep({ type, request_id, request, response }: Json): void {
    const id = toText(request_id);
    if (type === "control_response") this.#onAnswer(response);
    else if (type === "control_request" && id !== null && !this.#refuseSameId(id))
      this.#answer(id, isObject(request) && request["subtype"] === PERMISSION ? UNSHOWABLE : null);
  }

  #onAnswer(response: unknown): void {
    const id = isObject(response) ? (toText(response["request_id"]) ?? "") : "";
    this.#waiting.get(id)?.answered();
    this.#waiting.delete(id);
  }

  #onRequest({ request_id, request }: Json): void {
    const id = toText(request_id);
    if (id === null || this.#refuseSameId(id)) return;
    const about = isObject(request) ? request : {};
    if (about["subtype"] !== PERMISSION) this.#answer(id, null);
    // A call that cannot be read is refused and does not end the session.
    else void this.#permit(id, about).catch(() => this.#answer(id, UNSHOWABLE));
  }

  /** Refuses both requests of one id: the tool would take any answer for the request that it sent last. */
  #refuseSameId(id: string): boolean {
    const same = this.#openCalls.get(id);
    if (!same) return false;
    same.abort("same_id");
    for (let requests = 2; requests > 0; requests -= 1) this.#answer(id, createDenyResult(SAME_ID));
    return true;
  }

  async #permit(id: string, request: Json): Promise<void> {
    const { cwd, rules, pendingRequests } = this.options;
    const { tool_name, input, permission_suggestions: suggestions } = request;
    const tool = toText(tool_name);
    const pendingRequest =
      tool !== null && isObject(input)
        ? createCallPermission({ request: PERMISSION, tool, input, cwd, suggestions }, rules)
        : null;
    if (!pendingRequest) {
      this.#answer(id, UNSHOWABLE);
      return;
    }
    const stop = new AbortController();
    this.#openCalls.set(id, stop);
    const result = await pendingRequests.open(pendingRequest, stop.signal);
    this.#openCalls.delete(id);
    // A request that the tool withdrew gets no answer; one that was cancelled here does.
    if (result !== pendingRequest.cancelled) this.#answer(id, result);
    else if (!stop.signal.aborted) this.#answer(id, createDenyResult("The turn was cancelled."));
  }

  /** Null: the request is unknown. */
  #answer(id: string, result: RequestResult | null): void {
    const response = result
      ? { subtype: "success", request_id: id, response: result }
      : { subtype: "error", request_id: id, error: "not supported" };
    this.#lines.send({ type: "control_response", response });
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

function readProblem({ result, subtype, errors }: Json): string {
  const [first] = Array.isArray(errors) ? (errors as unknown[]).map(toText) : [];
  return toText(result) ?? first ?? toText(subtype) ?? "it failed";
}
