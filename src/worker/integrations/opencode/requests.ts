/**
 * The requests of a session server, by its ids: each is raised once, answered once, and settled when the server reports its end. Not
 * `AttachedRequests`: without a dialog a disputed request must be refused.
 */
import type { Clock } from "../../../model/clock.js";
import { withTimeLimit } from "../../../observe/within.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import type { LoopbackResponse } from "../../loopback/loopback-client.js";
import type { DeliveryProof, PendingRequest } from "../../prompts/pending-request.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import {
  ANSWERED,
  PERMISSION,
  createPermissionRequest,
  QUESTION,
  createQuestionRequest,
  NO_SUCH_REQUEST,
  toReply,
  type ServerReply,
} from "./questions.js";
import { isSwept, markSwept, type Sweepable } from "./sweep.js";

/** A call's input is reported together with its request, sometimes a little later. */
const INPUT_WITHIN_MS = 2000;

const UNSHOWABLE = "(it asked something that cannot be shown: refused)";
const SAME_ID = "(it asked for two things under one id: both refused)";

export interface ServerRequestsOptions {
  readonly pendingRequests: Pick<PendingRequests, "open">;
  readonly clock: Clock;
  readonly cwd: string;
  readonly post: (path: string, body: object | null) => Promise<LoopbackResponse>;
  /** Somebody else allowed or answered something; in one word what. */
  readonly onForeign: (what: string) => void;
  readonly onProblem: (text: string) => void;
}

interface OpenServerRequest extends Sweepable {
  /** The whole request, as it was reported. */
  readonly content: string;
  readonly stop: AbortController;
  sent: boolean;
}

export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #open = new Map<string, OpenServerRequest>();
  /** The inputs of calls that are under way, by their ids; and who waits for one. */
  readonly #inputs = new Map<string, Json>();
  readonly #waiting = new Map<string, (input: Json) => void>();

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  onEvent(type: string, details: Json): void {
    if (type === PERMISSION)
      void this.#ask("permission", details, () => this.#createPermissionRequest(details));
    else if (type === QUESTION)
      void this.#ask("question", details, () => createQuestionRequest(details, this.#options.cwd));
    else if (ANSWERED.test(type)) this.#onReplied(type, details);
    else if (type === "message.part.updated" && isObject(details["part"])) this.#onPart(details["part"]);
  }

  /** Refuses a request that cannot be shown. `type`: of its event, or the beginning of it. */
  refuse(type: string, id: string): void {
    const [kind = ""] = type.split(".", 1);
    if (id !== "" && (kind === "permission" || kind === "question")) this.#refuse(kind, id, UNSHOWABLE);
  }

  #refuse(kind: "permission" | "question", id: string, why: string): void {
    const reply: ServerReply =
      kind === "question" ? { at: "reject", body: null } : { at: "reply", body: { reply: "reject" } };
    markSwept(this.#open.values(), this.#open.get(id)?.session ?? null, reply.body);
    this.#options.onProblem(why);
    void this.#send(kind, id, reply).then((sent) => {
      if (sent !== "acknowledged") this.#options.onProblem("(the tool did not take the refusal)");
    });
  }

  async #createPermissionRequest(request: Json): Promise<PendingRequest | null> {
    const call = isObject(request["tool"]) ? toText(request["tool"]["callID"]) : null;
    const input = call === null ? null : await this.#awaitInput(call);
    return createPermissionRequest(request, input, this.#options.cwd);
  }

  #awaitInput(call: string): Promise<Json | null> {
    const known = this.#inputs.get(call);
    if (known) return Promise.resolve(known);
    const details = new Promise<Json>((resolve) => this.#waiting.set(call, resolve));
    return withTimeLimit(details, INPUT_WITHIN_MS, this.#options.clock)
      .catch(() => null)
      .finally(() => this.#waiting.delete(call));
  }

  #onPart({ type, callID, state }: Json): void {
    if (type !== "tool" || !isObject(state) || state["status"] === "pending") return;
    const call = toText(callID) ?? "";
    if (state["status"] !== "running" || !isObject(state["input"])) {
      this.#inputs.delete(call);
      return;
    }
    this.#inputs.set(call, state["input"]);
    this.#waiting.get(call)?.(state["input"]);
  }

  /** Registers the request before reading it, so that another client's answer is not missed meanwhile. */
  async #ask(
    kind: "permission" | "question",
    request: Json,
    read: () => PendingRequest | null | Promise<PendingRequest | null>,
  ): Promise<void> {
    const id = toText(request["id"]);
    if (id === null || this.#isKnown(kind, id, request)) return;
    const open: OpenServerRequest = {
      content: JSON.stringify(request),
      session: toText(request["sessionID"]),
      sweptBy: new Set(),
      stop: new AbortController(),
      sent: false,
    };
    this.#open.set(id, open);
    try {
      const pendingRequest = await read();
      if (open.stop.signal.aborted) return;
      if (pendingRequest) await this.#onAnswer(kind, id, open, pendingRequest);
      else this.refuse(kind, id);
    } finally {
      this.#open.delete(id);
    }
  }

  /** A repeated request is raised once. Two different ones with the same id are both refused: a Yes to one would count for the other. */
  #isKnown(kind: "permission" | "question", id: string, request: Json): boolean {
    const known = this.#open.get(id);
    if (known && known.content !== JSON.stringify(request)) {
      known.stop.abort("same_id");
      this.#refuse(kind, id, SAME_ID);
    }
    return known !== undefined;
  }

  async #onAnswer(
    kind: string,
    id: string,
    open: OpenServerRequest,
    pendingRequest: PendingRequest,
  ): Promise<void> {
    let acknowledge: (proof: DeliveryProof) => void = () => undefined;
    // Of this very answer: others are on their way beside it.
    const proof = new Promise<DeliveryProof>((resolve) => (acknowledge = resolve));
    const request = { ...pendingRequest, acknowledged: () => proof };
    const result = await this.#options.pendingRequests.open(request, open.stop.signal);
    // Whoever has taken it back wants no answer to it.
    if (result === pendingRequest.cancelled) return;
    open.sent = true;
    const reply = toReply(result);
    markSwept(this.#open.values(), open.session, reply.body);
    const sent = await this.#send(kind, id, reply);
    if (sent !== "acknowledged") this.#options.onProblem("(the tool did not take the answer)");
    acknowledge(sent);
  }

  /** Never rejects. */
  async #send(kind: string, id: string, { at, body }: ServerReply): Promise<DeliveryProof> {
    try {
      const { status } = await this.#options.post(`/${kind}/${encodeURIComponent(id)}/${at}`, body);
      if (status === NO_SUCH_REQUEST) return "overtaken";
      return status === 200 ? "acknowledged" : "refused";
    } catch {
      return "gone";
    }
  }

  #onReplied(type: string, details: Json): void {
    const open = this.#open.get(toText(details["requestID"]) ?? "");
    if (!open) return;
    if (open.sent) {
      // What was asked after it was sent, and before it was taken, is settled by it, too.
      markSwept(this.#open.values(), open.session, details);
      return;
    }
    const isOurs = isSwept(open, details);
    open.stop.abort(isOurs ? "taken_back" : "answered_elsewhere");
    if (!isOurs) this.#options.onForeign(type.startsWith("question") ? "it asked" : "it wanted to do");
  }
}
