/**
 * HTTP calls to a service that may be broken or hostile. A response is bounded in size, in silence once it has begun, and in
 * total time. It is never decompressed, and redirects are not followed.
 */
import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { Cancel, Clock } from "../model/clock.js";

/**
 * We drop an idle connection before the service does: a post on a connection that was just closed loses its response, and a
 * lost response may cause a second card.
 */
const IDLE_SOCKET_MS = 10_000;
/** A response of a few packets arrives at once. One that stops in the middle would keep people waiting. */
export const STALLED_MS = 1_500;
/** The total time of a response that has begun: a few MB on a slow line. */
export const ANSWER_MS_MAX = 10_000;
/** How much longer than its body a response may be on the wire: its head and chunk sizes. */
const FRAMING_BYTES_MAX = 64 * 1024;
const FRAMING_FACTOR = 2;

/** A call to a service, with its limits. */
export interface HttpCall {
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
  /** A longer response is not read to its end. */
  readonly bodyBytesMax: number;
  /** For responses longer than a few MB: the total time of a response that has begun. */
  readonly answerMsMax?: number;
  /** Aborts the call when its time is up or nobody needs it any more. */
  readonly stop: AbortSignal;
}

/** The same without a body. */
export type HttpGet = Omit<HttpCall, "body">;

/** A whole response, of any status. */
export interface HttpReply {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The response is unusable. Whether the call had an effect is unknown. The message contains no text of the service. */
export class HttpError extends Error {
  override readonly name = "HttpError";
}

const AGENT = { keepAlive: true, timeout: IDLE_SOCKET_MS };

/** Posts and gets, with connections that are kept for ten seconds. */
export class HttpClient {
  readonly #clock: Pick<Clock, "after">;
  readonly #http = new HttpAgent(AGENT);
  readonly #https = new HttpsAgent(AGENT);

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  /** Errors: HttpError; those of the system, with their `code`. */
  post({ body, ...call }: HttpCall): Promise<HttpReply> {
    const length = { "content-length": Buffer.byteLength(body) };
    return this.#exchange("POST", { ...call, headers: { ...call.headers, ...length } }, body);
  }

  /** Errors: as `post`. */
  get(call: HttpGet): Promise<HttpReply> {
    return this.#exchange("GET", call, "");
  }

  #exchange(method: string, call: HttpGet, body: string | Uint8Array): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      if (call.stop.aborted) {
        reject(createStoppedError());
        return;
      }
      const request = this.#send(method, call);
      new Exchange(request, call, this.#clock, resolve, reject);
      request.end(body);
    });
  }

  #send(method: string, { url, headers }: HttpGet): ClientRequest {
    const options = { method, headers: { ...headers, "accept-encoding": "identity" } };
    return url.protocol === "https:"
      ? requestHttps(url, { ...options, agent: this.#https })
      : requestHttp(url, { ...options, agent: this.#http });
  }
}

/** One call until its response is complete or known to fail. */
class Exchange {
  readonly #request: ClientRequest;
  readonly #call: HttpGet;
  readonly #clock: Pick<Clock, "after">;
  readonly #resolve: (reply: HttpReply) => void;
  readonly #reject: (error: Error) => void;
  readonly #parts: Buffer[] = [];
  #socket: Socket | null = null;
  #bodyBytes = 0;
  #wireBytes = 0;
  #settled = false;
  #cancelStall: Cancel = () => undefined;
  /** Null: the response has not begun. */
  #cancelAnswer: Cancel | null = null;

  constructor(
    request: ClientRequest,
    call: HttpGet,
    clock: Pick<Clock, "after">,
    resolve: (reply: HttpReply) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#call = call;
    this.#clock = clock;
    this.#resolve = resolve;
    this.#reject = reject;
    call.stop.addEventListener("abort", this.#onStop);
    request.on("socket", (socket) => this.#watch(socket));
    // An informational response says nothing about the response itself.
    request.on("information", () => this.#forgetBegin());
    request.on("response", (response) => this.#read(response));
    request.on("error", (error) => this.#fail(error));
    request.on("close", () =>
      this.#fail(new HttpError("the connection was closed before the answer was whole")),
    );
  }

  readonly #onStop = (): void => this.#fail(createStoppedError());

  readonly #onBytes = (chunk: Buffer): void => {
    this.#wireBytes += chunk.length;
    if (this.#wireBytes > this.#call.bodyBytesMax * FRAMING_FACTOR + FRAMING_BYTES_MAX) {
      this.#fail(createTooLongError(this.#call.bodyBytesMax));
      return;
    }
    this.#cancelStall();
    this.#cancelStall = this.#clock.after(STALLED_MS, () =>
      this.#fail(new HttpError("the answer stopped in the middle")),
    );
    this.#cancelAnswer ??= this.#clock.after(this.#call.answerMsMax ?? ANSWER_MS_MAX, () =>
      this.#fail(new HttpError("the answer took too long")),
    );
  };

  #watch(socket: Socket): void {
    if (this.#settled) return;
    this.#socket = socket;
    // Added before the parser's own listener, so that bytes are counted before they are parsed.
    socket.prependListener("data", this.#onBytes);
  }

  #forgetBegin(): void {
    this.#cancelStall();
    this.#cancelAnswer?.();
    this.#cancelAnswer = null;
  }

  #read(response: IncomingMessage): void {
    const problem = findHeadProblem(response, this.#call.bodyBytesMax);
    if (problem) {
      this.#fail(problem);
      return;
    }
    response.on("data", (part: Buffer) => this.#keep(part));
    response.on("end", () => this.#finish(response));
    response.on("error", (error) => this.#fail(error));
    response.on("close", () => this.#fail(new HttpError("the answer was cut")));
  }

  #keep(part: Buffer): void {
    this.#bodyBytes += part.length;
    if (this.#bodyBytes > this.#call.bodyBytesMax) this.#fail(createTooLongError(this.#call.bodyBytesMax));
    else if (!this.#settled) this.#parts.push(part);
  }

  #finish(response: IncomingMessage): void {
    if (!response.complete) {
      this.#fail(new HttpError("the answer was cut"));
      return;
    }
    if (!this.#settle()) return;
    const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
    this.#resolve({ status, statusText, headers, body: Buffer.concat(this.#parts) });
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#parts.length = 0;
    this.#request.destroy();
    this.#reject(error);
  }

  /** False if it was already settled. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#forgetBegin();
    this.#socket?.off("data", this.#onBytes);
    this.#call.stop.removeEventListener("abort", this.#onStop);
    return true;
  }
}

/** Problems that the head alone shows. */
function findHeadProblem(
  { statusCode = 0, headers }: IncomingMessage,
  bodyBytesMax: number,
): HttpError | null {
  if (statusCode >= 300 && statusCode < 400)
    return new HttpError("the service answers with a redirect, which is not followed");
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    return new HttpError("the answer is compressed, which was not asked for");
  return Number(headers["content-length"] ?? 0) > bodyBytesMax ? createTooLongError(bodyBytesMax) : null;
}

function createTooLongError(bodyBytesMax: number): HttpError {
  return new HttpError(`the answer is longer than ${bodyBytesMax} bytes`);
}

function createStoppedError(): HttpError {
  return new HttpError("no response in time");
}
