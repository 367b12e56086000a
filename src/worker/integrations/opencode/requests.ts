/**
 * What a server of sessions asks, by its own ids: each is asked once, answered once, and settled when the server says so. Not
 * `AttachedRequests`: there is no dialog here that what is disputed could be left to, so it has to be refused.
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
  permissionAsking,
  QUESTION,
  questionAsking,
  NO_SUCH_REQUEST,
  replyIn,
  type ServerReply,
} from "./questions.js";
import { isSwept, sweep, type Sweepable } from "./sweep.js";

/** What a call is to do is told in the same breath in which it is asked about, sometimes after that. */
const INPUT_WITHIN_MS = 2000;

export interface ServerRequestsOptions {
  readonly pendingRequests: Pick<PendingRequests, "open">;
  readonly clock: Clock;
  readonly cwd: string;
  readonly post: (path: string, body: object | null) => Promise<LoopbackResponse>;
  /** Somebody else allowed or answered something; in one word what. */
  readonly onForeign: (what: string) => void;
  readonly onProblem: (text: string) => void;
}

interface Open extends Sweepable {
  /** All of it, as it was told. */
  readonly told: string;
  readonly stop: AbortController;
  sent: boolean;
}

export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #open = new Map<string, Open>();
  /** The inputs of calls that are under way, by their ids; and who waits for one. */
  readonly #inputs = new Map<string, Json>();
  readonly #waiting = new Map<string, (input: Json) => void>();

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  onEvent(type: string, told: Json): void {
    if (type === PERMISSION) void this.#ask("permission", told, () => this.#permission(told));
    else if (type === QUESTION)
      void this.#ask("question", told, () => questionAsking(told, this.#options.cwd));
    else if (ANSWERED.test(type)) this.#replied(type, told);
    else if (type === "message.part.updated" && isObject(told["part"])) this.#part(told["part"]);
  }

  /** What nobody can be shown gets a No. `type`: what it was told as, or how it begins. */
  refuse(type: string, id: string): void {
    const [kind = ""] = type.split(".", 1);
    if (id === "" || (kind !== "permission" && kind !== "question")) return;
    const reply: ServerReply =
      kind === "question" ? { at: "reject", body: null } : { at: "reply", body: { reply: "reject" } };
    sweep(this.#open.values(), this.#open.get(id)?.session ?? null, reply.body);
    this.#options.onProblem("(it asked something that cannot be shown: refused)");
    void this.#send(kind, id, reply);
  }

  async #permission(request: Json): Promise<PendingRequest | null> {
    const call = isObject(request["tool"]) ? toText(request["tool"]["callID"]) : null;
    const input = call === null ? null : await this.#inputOf(call);
    return permissionAsking(request, input, this.#options.cwd);
  }

  #inputOf(call: string): Promise<Json | null> {
    const known = this.#inputs.get(call);
    if (known) return Promise.resolve(known);
    const told = new Promise<Json>((resolve) => this.#waiting.set(call, resolve));
    return withTimeLimit(told, INPUT_WITHIN_MS, this.#options.clock)
      .catch(() => null)
      .finally(() => this.#waiting.delete(call));
  }

  #part({ type, callID, state }: Json): void {
    if (type !== "tool" || !isObject(state) || state["status"] === "pending") return;
    const call = toText(callID) ?? "";
    if (state["status"] !== "running" || !isObject(state["input"])) {
      this.#inputs.delete(call);
      return;
    }
    this.#inputs.set(call, state["input"]);
    this.#waiting.get(call)?.(state["input"]);
  }

  /** From the moment it is heard of it is known, so that nobody else's answer is missed while it is still being read. */
  async #ask(
    kind: "permission" | "question",
    request: Json,
    read: () => PendingRequest | null | Promise<PendingRequest | null>,
  ): Promise<void> {
    const id = toText(request["id"]);
    if (id === null || this.#isKnown(kind, id, request)) return;
    const open: Open = {
      told: JSON.stringify(request),
      session: toText(request["sessionID"]),
      sweptBy: new Set(),
      stop: new AbortController(),
      sent: false,
    };
    this.#open.set(id, open);
    try {
      const asking = await read();
      if (open.stop.signal.aborted) return;
      if (asking) await this.#answered(kind, id, open, asking);
      else this.refuse(kind, id);
    } finally {
      this.#open.delete(id);
    }
  }

  /** Told again it is asked once. Two that differ and have one id are both refused: a yes to one would be taken for the other. */
  #isKnown(kind: "permission" | "question", id: string, request: Json): boolean {
    const known = this.#open.get(id);
    if (known && known.told !== JSON.stringify(request)) {
      known.stop.abort("taken_back");
      this.refuse(kind, id);
    }
    return known !== undefined;
  }

  async #answered(kind: string, id: string, open: Open, asking: PendingRequest): Promise<void> {
    let acknowledge: (proof: DeliveryProof) => void = () => undefined;
    // Of this very answer: others are on their way beside it.
    const proof = new Promise<DeliveryProof>((resolve) => (acknowledge = resolve));
    const request = { ...asking, acknowledged: () => proof };
    const result = await this.#options.pendingRequests.open(request, open.stop.signal);
    // Whoever has taken it back wants no answer to it.
    if (result === asking.cancelled) return;
    open.sent = true;
    const reply = replyIn(result);
    sweep(this.#open.values(), open.session, reply.body);
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

  #replied(type: string, told: Json): void {
    const open = this.#open.get(toText(told["requestID"]) ?? "");
    if (!open) return;
    if (open.sent) {
      // What was asked after it was sent, and before it was taken, is settled by it, too.
      sweep(this.#open.values(), open.session, told);
      return;
    }
    const isOurs = isSwept(open, told);
    open.stop.abort(isOurs ? "taken_back" : "answered_elsewhere");
    if (!isOurs) this.#options.onForeign(type.startsWith("question") ? "it asked" : "it wanted to do");
  }
}
