/** Asks people about the requests of a session server without dialogs, and refuses what cannot be shown. */
import type { Clock } from "../../../model/clock.js";
import type { Json } from "../../../model/data/json.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { DeliveryProof, PendingRequest } from "../../prompts/pending-request.js";
import type { PendingRequests } from "../../prompts/pending-requests.js";
import { OpenCodeClient, type OpenCodeClientOptions, type OpenCodeRequest } from "./client.js";
import {
  createPermissionRequest,
  createQuestionRequest,
  DISMISS,
  PERMISSION,
  QUESTION,
  STOP_TURN,
} from "./questions.js";

/** The input of a call may be reported after its request. */
const INPUT_WITHIN_MS = 2000;

const UNSHOWABLE = "(it asked something that cannot be shown: refused)";
const SAME_ID = "(it asked for two things under one id: both refused)";

export interface ServerRequestsOptions extends Pick<
  OpenCodeClientOptions,
  "http" | "cwd" | "onEvent" | "onTooLong" | "onEnd"
> {
  readonly pendingRequests: Pick<PendingRequests, "open">;
  readonly clock: Clock;
  /** `what`: which kind of request somebody else answered. */
  readonly onForeign: (what: string) => void;
  readonly onProblem: (text: string) => void;
  readonly onTooDeep: () => void;
}

export class ServerRequests {
  readonly client: OpenCodeClient;
  readonly #options: ServerRequestsOptions;
  readonly #stops = new Map<OpenCodeRequest, AbortController>();
  readonly #awaited = new Map<Json, (input: Json) => void>();

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.client = new OpenCodeClient({
      ...options,
      onRequest: (waiting) => {
        void this.#ask(waiting);
        return true;
      },
      onSameId: (waiting) => {
        this.#stops.get(waiting)?.abort("same_id");
        this.#refuse(waiting, SAME_ID);
      },
      onAnswered: (waiting, by) => this.#onAnswered(waiting, by),
      onEvent: (...event) => {
        for (const [request, take] of this.#awaited) {
          const input = this.client.findInput(request);
          if (input) take(input);
        }
        options.onEvent(...event);
      },
      onTooDeep: (type, id) => {
        options.onTooDeep();
        if (id !== "" && (type === PERMISSION || type === QUESTION))
          this.#refuse({ id, type, session: null }, UNSHOWABLE);
      },
    });
  }

  #refuse(waiting: Pick<OpenCodeRequest, "id" | "type" | "session">, why: string): void {
    this.#options.onProblem(why);
    const result = { ...(waiting.type === QUESTION ? DISMISS : STOP_TURN) };
    void this.client.reply(waiting, result).then((sent) => {
      if (sent !== "acknowledged") this.#options.onProblem("(the tool did not take the refusal)");
    });
  }

  /** The request is registered first, so that another client's answer is noticed while its input is awaited. */
  async #ask(waiting: OpenCodeRequest): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(waiting, stop);
    try {
      const pendingRequest = await this.#read(waiting);
      if (stop.signal.aborted) return;
      if (pendingRequest) await this.#answer(waiting, pendingRequest, stop.signal);
      else this.#refuse(waiting, UNSHOWABLE);
    } finally {
      this.#stops.delete(waiting);
      this.client.forget(waiting.id);
    }
  }

  async #read({ type, request }: OpenCodeRequest): Promise<PendingRequest | null> {
    const { cwd } = this.#options;
    if (type === QUESTION) return createQuestionRequest(request, cwd);
    return createPermissionRequest(request, await this.#awaitInput(request), cwd);
  }

  #awaitInput(request: Json): Promise<Json | null> {
    const known = this.client.findInput(request);
    if (known || !("tool" in request)) return Promise.resolve(known);
    const input = new Promise<Json>((resolve) => this.#awaited.set(request, resolve));
    return withTimeLimit(input, INPUT_WITHIN_MS, this.#options.clock)
      .catch(() => null)
      .finally(() => this.#awaited.delete(request));
  }

  async #answer(
    waiting: OpenCodeRequest,
    pendingRequest: PendingRequest,
    signal: AbortSignal,
  ): Promise<void> {
    let acknowledge: (proof: DeliveryProof) => void = () => undefined;
    // Other answers may be on their way, too.
    const proof = new Promise<DeliveryProof>((resolve) => (acknowledge = resolve));
    const request = { ...pendingRequest, acknowledged: () => proof };
    const result = await this.#options.pendingRequests.open(request, signal);
    // The server took it back and expects no answer.
    if (result === pendingRequest.cancelled) return;
    const sent = await this.client.reply(waiting, result);
    if (sent !== "acknowledged") this.#options.onProblem("(the tool did not take the answer)");
    acknowledge(sent);
  }

  #onAnswered(waiting: OpenCodeRequest, by: "us" | "swept" | "others"): void {
    const stop = this.#stops.get(waiting);
    // The server's response tells whether our answer counted.
    if (!stop || waiting.sent) return;
    stop.abort(by === "swept" ? "taken_back" : "answered_elsewhere");
    if (by !== "swept") this.#options.onForeign(waiting.type === QUESTION ? "it asked" : "it wanted to do");
  }
}
