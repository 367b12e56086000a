/** Asks people about the requests of a session server that has no dialogs: what cannot be shown is refused. */
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

/** A call's input is reported together with its request, sometimes a little later. */
const INPUT_WITHIN_MS = 2000;

const UNSHOWABLE = "(it asked something that cannot be shown: refused)";
const SAME_ID = "(it asked for two things under one id: both refused)";

export interface ServerRequestsOptions extends Pick<
  OpenCodeClientOptions,
  "http" | "cwd" | "onEvent" | "onTooLong" | "onEnd"
> {
  readonly pendingRequests: Pick<PendingRequests, "open">;
  readonly clock: Clock;
  /** Somebody else allowed or answered something; in one word what. */
  readonly onForeign: (what: string) => void;
  readonly onProblem: (text: string) => void;
  /** Called with an event that is nested too deeply to be read. */
  readonly onTooDeep: () => void;
}

export class ServerRequests {
  readonly client: OpenCodeClient;
  readonly #options: ServerRequestsOptions;
  readonly #stops = new Map<OpenCodeRequest, AbortController>();
  /** Who waits for the input of a request's call. */
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

  /** The request waits from the first moment, so that another client's answer is not missed while its input is awaited. */
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
    // Of this very answer: others are on their way beside it.
    const proof = new Promise<DeliveryProof>((resolve) => (acknowledge = resolve));
    const request = { ...pendingRequest, acknowledged: () => proof };
    const result = await this.#options.pendingRequests.open(request, signal);
    // Whoever has taken it back wants no answer to it.
    if (result === pendingRequest.cancelled) return;
    const sent = await this.client.reply(waiting, result);
    if (sent !== "acknowledged") this.#options.onProblem("(the tool did not take the answer)");
    acknowledge(sent);
  }

  #onAnswered(waiting: OpenCodeRequest, by: "us" | "swept" | "others"): void {
    const stop = this.#stops.get(waiting);
    // Of an answer of ours that is on its way the server's response tells whether it counted.
    if (!stop || waiting.sent) return;
    stop.abort(by === "swept" ? "taken_back" : "answered_elsewhere");
    if (by !== "swept") this.#options.onForeign(waiting.type === QUESTION ? "it asked" : "it wanted to do");
  }
}
