/**
 * A client of a tool's own HTTP server on this machine: JSON requests, and a stream of events (SSE). It uses only the loopback
 * address, and one password, which appears in no argument and in nothing that is passed on.
 */
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../model/clock.js";
import { isCostlyJson } from "../../model/data/json-cost.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../model/data/nesting.js";
import { CheckingAgent, HOST } from "./checking-agent.js";
import { EventData } from "./event-data.js";
import { LINE_BYTES_MAX, LineReader } from "../process/line-reader.js";

/** A server on this machine answers at once; on a loaded machine that takes seconds. */
export const ANSWER_WITHIN_MS = 30_000;
/** Replaces the password wherever the server repeats it: its commands inherit it, and may print it. */
const HIDDEN = "*****";

export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface LoopbackClientOptions {
  readonly port: number;
  readonly login: Login;
  readonly clock: Clock;
  /** Whether the right process is at the other end of this connection; checked before anything is sent. Absent: the port is enough. */
  readonly isPeer?: (socket: Socket) => Promise<boolean>;
}

export interface LoopbackResponse {
  readonly status: number;
  /** The server's answer; null where it is not JSON, or nested too deep to be read. */
  readonly body: unknown;
}

export interface EventListener {
  readonly onEvent: (event: unknown) => void;
  /** Called with an event nested deeper than JSON_LEVELS_MAX. Its ids may be used to refuse it; nothing else of it may be read. */
  readonly onTooDeep: (event: unknown) => void;
  /** Called when an event was too long to be read. */
  readonly onTooLong: () => void;
  /** Called when no more events will come. */
  readonly onEnd: () => void;
}

export class LoopbackClient {
  readonly #options: LoopbackClientOptions;
  readonly #agent: Agent;
  readonly #requests = new Set<ClientRequest>();

  constructor(options: LoopbackClientOptions) {
    this.#options = options;
    const { isPeer } = options;
    // An agent of our own: the shared one may go through a proxy that the environment names.
    this.#agent = isPeer ? new CheckingAgent(isPeer) : new Agent({ keepAlive: true });
  }

  /**
   * Rejects when no answer comes in time, or the connection ends. `body`: null sends none. `login`: null sends the request without
   * a login.
   */
  request(
    method: "GET" | "POST",
    path: string,
    body: object | null = null,
    login: Login | null = this.#options.login,
  ): Promise<LoopbackResponse> {
    return new Promise((resolve, reject) => {
      const headers = body === null ? {} : { "content-type": "application/json" };
      const sent = this.#send(method, path, headers, login);
      const stopTimer = this.#options.clock.after(ANSWER_WITHIN_MS, () =>
        sent.destroy(new Error("no answer")),
      );
      sent.once("close", () => {
        stopTimer();
        reject(new Error("the connection ended"));
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        response.once("error", reject);
        this.#read(response, (text) =>
          resolve({ status: response.statusCode ?? 0, body: limitDepth(parseJson(text)) }),
        );
      });
      sent.end(body === null ? undefined : JSON.stringify(body));
    });
  }

  /** Resolves once the server sends its events; rejects if it does not. */
  openEvents(path: string, listener: EventListener): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = this.#send("GET", path, { accept: "text/event-stream" }, this.#options.login);
      const stopTimer = this.#options.clock.after(ANSWER_WITHIN_MS, () =>
        sent.destroy(new Error("no answer")),
      );
      sent.once("error", reject);
      sent.once("close", () => reject(new Error("the connection ended")));
      sent.once("response", (response) => {
        stopTimer();
        if (response.statusCode !== 200) {
          sent.destroy(new Error(`it answered with ${response.statusCode ?? "nothing"}`));
          return;
        }
        this.#listen(response, listener);
        resolve();
      });
      sent.end();
    });
  }

  close(): void {
    for (const sent of this.#requests) sent.destroy();
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    login: Login | null,
  ): ClientRequest {
    const { port } = this.#options;
    const auth = login ? { auth: `${login.user}:${login.password}` } : {};
    const sent = request({ host: HOST, port, method, path, headers, agent: this.#agent, ...auth });
    this.#requests.add(sent);
    sent.once("close", () => this.#requests.delete(sent));
    // Callers have their own error listeners; the request may fail after they are gone.
    sent.on("error", () => undefined);
    return sent;
  }

  /** Reads the whole answer, up to the maximum length of one line. */
  #read(response: IncomingMessage, done: (text: string) => void): void {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    response.on("data", (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes > LINE_BYTES_MAX) response.destroy(new Error("the answer is too long"));
      else pieces.push(piece);
    });
    response.once("end", () => done(this.#hidePassword(Buffer.concat(pieces).toString())));
  }

  #listen(response: IncomingMessage, { onEvent, onTooDeep, onTooLong, onEnd }: EventListener): void {
    const events = new EventData({
      onTooLong,
      onData: (data) => {
        if (isCostlyJson(data)) {
          onTooLong();
          return;
        }
        const event = parseJson(this.#hidePassword(data));
        if (isDeeperThan(event, JSON_LEVELS_MAX)) onTooDeep(event);
        else if (event !== null) onEvent(event);
      },
    });
    const lines = new LineReader({
      onTooLong: () => events.skipEvent(),
      onLine: (line) => events.take(line),
    });
    response.on("data", (chunk: Uint8Array) => lines.take(chunk));
    response.once("error", () => undefined);
    response.once("close", onEnd);
  }

  #hidePassword(text: string): string {
    return text.replaceAll(this.#options.login.password, HIDDEN);
  }
}

function limitDepth(value: unknown): unknown {
  return isDeeperThan(value, JSON_LEVELS_MAX) ? null : value;
}

function parseJson(text: string): unknown {
  if (isCostlyJson(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
