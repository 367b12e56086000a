/** The client of opencode's session server (HTTP with a stream of events), under `exec` and beside its terminal. */
import { isDeepStrictEqual } from "node:util";
import { isObject, toObject, toText, type Json } from "../../../model/data/json.js";
import type { EventListener, LoopbackClient, LoopbackResponse } from "../../loopback/loopback-client.js";
import type { DeliveryProof, RequestResult } from "../../prompts/pending-request.js";
import { ANSWERED, NO_SUCH_REQUEST, PERMISSION, QUESTION, toReply } from "./questions.js";

const INPUTS_MAX = 64;
/** After this many ids with two different requests, no request is taken. */
const DISPUTED_MAX = 64;
/** A No ends all requests of its session, and "always" those that it covers. */
const SWEEPING: readonly string[] = ["reject", "always"];

export type RequestType = typeof PERMISSION | typeof QUESTION;

export const REQUEST_TYPES: readonly RequestType[] = [PERMISSION, QUESTION];

/** `ours`: it requires our password. `open`: it accepts answers from anybody. `other`: another server. */
export type ServerAccess = "ours" | "open" | "other";

export interface OpenCodeRequest {
  readonly id: string;
  readonly type: RequestType;
  readonly request: Json;
  readonly session: string | null;
  /** Our answers to other requests that may have settled this one. */
  readonly sweptBy: Set<string>;
  sent: Json | null;
}

export interface OpenCodeClientOptions extends Pick<EventListener, "onTooLong" | "onEnd"> {
  readonly http: Pick<LoopbackClient, "request" | "openEvents" | "close">;
  readonly cwd: string;
  /** Returns false to ignore the request. */
  readonly onRequest: (waiting: OpenCodeRequest) => boolean;
  /** Called when another request came with the same id: a yes to one would count for the other. */
  readonly onSameId: (waiting: OpenCodeRequest) => void;
  /** `swept`: our answer to another request settled it. */
  readonly onAnswered: (waiting: OpenCodeRequest, by: "us" | "swept" | "others") => void;
  readonly onEvent: (type: string, details: Json, event: Json) => void;
  readonly onTooDeep: (type: string, id: string) => void;
}

export class OpenCodeClient {
  readonly #options: OpenCodeClientOptions;
  readonly #waiting = new Map<string, OpenCodeRequest>();
  readonly #disputed = new Set<string>();
  readonly #inputs = new Map<string, Json>();

  constructor(options: OpenCodeClientOptions) {
    this.#options = options;
  }

  /** `login`: null sends no login. */
  request(
    method: "GET" | "POST",
    path: string,
    body: object | null = null,
    login?: null,
  ): Promise<LoopbackResponse> {
    return this.#options.http.request(method, this.#formatPath(path), body, login);
  }

  async checkAccess(): Promise<ServerAccess> {
    const { status } = await this.request("GET", "/permission", null, null);
    if (status === 401) return "ours";
    return status === 200 ? "open" : "other";
  }

  /** Resolves once the server sends its events. */
  listen(): Promise<void> {
    const { http, onTooLong, onTooDeep, onEnd } = this.#options;
    return http.openEvents(this.#formatPath("/event"), {
      onEvent: (event) => isObject(event) && this.#onEvent(event),
      onTooDeep: (event) => {
        const { type, properties } = toObject(event);
        onTooDeep(toText(type) ?? "", toText(toObject(properties)["id"]) ?? "");
      },
      onTooLong,
      onEnd,
    });
  }

  async list(type: RequestType): Promise<readonly Json[] | null> {
    const { body } = await this.request("GET", `/${getKind(type)}`).catch(() => ({ body: null }));
    return Array.isArray(body) ? body.filter(isObject) : null;
  }

  takeRequest(type: RequestType, request: Json): void {
    const id = toText(request["id"]);
    if (id === null || this.#disputed.size >= DISPUTED_MAX) return;
    const known = this.#waiting.get(id);
    if (known?.type === type && isDeepStrictEqual(known.request, request)) return;
    const session = toText(request["sessionID"]);
    const waiting: OpenCodeRequest = { id, type, request, session, sweptBy: new Set(), sent: null };
    if (known) this.#disputed.add(id);
    if (this.#disputed.has(id)) {
      this.#options.onSameId(known ?? waiting);
      this.forget(id);
      return;
    }
    this.#waiting.set(id, waiting);
    if (!this.#options.onRequest(waiting)) this.forget(id);
  }

  forget(id: string): void {
    this.#waiting.delete(id);
  }

  findInput({ tool }: Json): Json | null {
    return this.#inputs.get(toText(toObject(tool)["callID"]) ?? "") ?? null;
  }

  /** The request need not be waiting any more. Never rejects. */
  async reply(
    { id, type, session }: Pick<OpenCodeRequest, "id" | "type" | "session">,
    result: RequestResult,
  ): Promise<DeliveryProof> {
    const { at, body } = toReply(result);
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.sent = body ?? {};
    this.#markSwept(session, body);
    try {
      const { status } = await this.request(
        "POST",
        `/${getKind(type)}/${encodeURIComponent(id)}/${at}`,
        body,
      );
      if (status === 200) return "acknowledged";
      return status === NO_SUCH_REQUEST ? "overtaken" : "refused";
    } catch {
      return "gone";
    }
  }

  close(): void {
    this.#options.http.close();
  }

  #formatPath(path: string): string {
    return `${path}?directory=${encodeURIComponent(this.#options.cwd)}`;
  }

  #onEvent(event: Json): void {
    const type = toText(event["type"]) ?? "";
    const details = toObject(event["properties"]);
    if (type === PERMISSION || type === QUESTION) this.takeRequest(type, details);
    else if (ANSWERED.test(type)) this.#onAnswered(type, details);
    else if (type === "message.part.updated" && isObject(details["part"])) this.#onPart(details["part"]);
    this.#options.onEvent(type, details, event);
  }

  #onPart({ type, callID, state }: Json): void {
    const id = toText(callID);
    if (type !== "tool" || id === null || !isObject(state) || state["status"] === "pending") return;
    const { status, input } = state;
    if (status !== "running" || !isObject(input)) this.#inputs.delete(id);
    else if (this.#inputs.has(id) || this.#inputs.size < INPUTS_MAX) this.#inputs.set(id, input);
  }

  /** The server reports the first answer to all clients. */
  #onAnswered(type: string, details: Json): void {
    const waiting = this.#waiting.get(toText(details["requestID"]) ?? "");
    if (!waiting) return;
    const { id, sent, session, sweptBy } = waiting;
    this.forget(id);
    const isOurs = sent !== null && isSameAnswer(sent, type, details);
    // It also settles requests that came while our answer was on its way.
    if (isOurs) this.#markSwept(session, sent);
    const isSwept = sent === null && sweptBy.has(toText(details["reply"]) ?? "");
    this.#options.onAnswered(waiting, isOurs ? "us" : isSwept ? "swept" : "others");
  }

  #markSwept(session: string | null, answer: Json | null): void {
    const how = toText(answer?.["reply"]) ?? "";
    if (session === null || !SWEEPING.includes(how)) return;
    for (const each of this.#waiting.values()) if (each.session === session) each.sweptBy.add(how);
  }
}

function getKind(type: RequestType): string {
  return type === PERMISSION ? "permission" : "question";
}

function isSameAnswer(sent: Json, type: string, { reply, answers }: Json): boolean {
  if (type.endsWith(".rejected")) return !("reply" in sent) && !("answers" in sent);
  return sent["reply"] === reply && isDeepStrictEqual(sent["answers"], answers);
}
