/**
 * A client of a tool's own HTTP server on the loopback: JSON requests, and a stream of events (SSE). The password appears in no argument
 * and in nothing that is passed on.
 */
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import type { Clock } from "../../model/clock.js";
import { isCostlyJson } from "../../model/data/json-cost.js";
import { parseJson } from "../../model/data/json.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../model/data/nesting.js";
import { withTimeLimit } from "../../observe/within.js";
import { createLoopbackAgent, HOST } from "./loopback-agent.js";
import { LINE_BYTES_MAX, LineReader } from "../process/line-reader.js";

/** A loaded machine takes seconds. */
export const ANSWER_WITHIN_MS = 30_000;
/** The server's commands inherit the password and may print it. */
const HIDDEN = "*****";

export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface LoopbackClientOptions {
  readonly port: number;
  readonly login: Login;
  readonly clock: Clock;
  /** Whether the right process is at the other end; checked before anything is sent. Absent: not checked. */
  readonly isPeer?: (socket: Socket) => Promise<boolean>;
}

export interface LoopbackResponse {
  readonly status: number;
  /** Null where it is not JSON, or nested too deep. */
  readonly body: unknown;
}

export interface EventListener {
  readonly onEvent: (event: unknown) => void;
  /** Only ids of such an event may be read, to refuse it. */
  readonly onTooDeep: (event: unknown) => void;
  readonly onTooLong: () => void;
  readonly onEnd: () => void;
}

export class LoopbackClient {
  readonly #options: LoopbackClientOptions;
  readonly #agent: Agent;

  constructor(options: LoopbackClientOptions) {
    this.#options = options;
    const { port, isPeer = () => Promise.resolve(true) } = options;
    this.#agent = createLoopbackAgent({ port }, isPeer);
  }

  /** `body`: null sends none. `login`: null sends no login. Rejects when no answer comes in time, or the connection ends. */
  request(
    method: "GET" | "POST",
    path: string,
    body: object | null = null,
    login: Login | null = this.#options.login,
  ): Promise<LoopbackResponse> {
    return this.#withinTime(async (signal) => {
      const headers = body === null ? {} : { "content-type": "application/json" };
      const sent = { method, path, headers, signal, body: body === null ? null : JSON.stringify(body) };
      const response = await this.#send(sent, login);
      const text = this.#hidePassword(await readWhole(response.body));
      return { status: response.statusCode, body: limitDepth(parseJson(text)) };
    });
  }

  /** Resolves once the server sends its events. */
  openEvents(path: string, listener: EventListener): Promise<void> {
    return this.#withinTime(async (signal) => {
      const sent = { method: "GET", path, headers: { accept: "text/event-stream" }, signal } as const;
      const { statusCode, body } = await this.#send(sent, this.#options.login);
      if (statusCode !== 200) throw new Error(`it answered with ${statusCode}`);
      void this.#listen(body, listener)
        .catch(() => undefined)
        .finally(listener.onEnd);
    });
  }

  close(): void {
    void this.#agent.destroy(new Error("the connection ended"));
  }

  async #withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    try {
      return await withTimeLimit(work(stop.signal), ANSWER_WITHIN_MS, this.#options.clock, "no answer");
    } catch (error) {
      stop.abort();
      throw error;
    }
  }

  #send(
    {
      headers,
      ...sent
    }: Omit<Dispatcher.RequestOptions, "origin" | "headers"> & { readonly headers: object },
    login: Login | null,
  ): Promise<Dispatcher.ResponseData> {
    const authorization =
      login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    return this.#agent.request({
      ...sent,
      origin: `http://${HOST}:${this.#options.port}`,
      headers: { ...headers, ...(authorization && { authorization }) },
    });
  }

  /** Joins the lines of each event. All lines of an event together may be as long as one line. */
  async #listen(body: Readable, listener: EventListener): Promise<void> {
    let data: string[] = [];
    let length = 0;
    let isTooLong = false;
    const skipEvent = (): void => {
      if (!isTooLong) listener.onTooLong();
      isTooLong = true;
      data = [];
    };
    const lines = new LineReader({
      onTooLong: skipEvent,
      onLine: (line) => {
        const [, text] = /^data: ?(.*?)\r?$/s.exec(line) ?? [];
        length += text === undefined ? 0 : text.length + 1;
        if (text !== undefined && (isTooLong || length > LINE_BYTES_MAX)) skipEvent();
        else if (text !== undefined) data.push(text);
        if (line.trim() !== "") return;
        if (data.length > 0) this.#readEvent(data.join("\n"), listener);
        data = [];
        length = 0;
        isTooLong = false;
      },
    });
    for await (const chunk of body) lines.take(chunk as Uint8Array);
  }

  #readEvent(data: string, { onEvent, onTooDeep, onTooLong }: EventListener): void {
    if (isCostlyJson(data)) {
      onTooLong();
      return;
    }
    const event = parseJson(this.#hidePassword(data));
    if (isDeeperThan(event, JSON_LEVELS_MAX)) onTooDeep(event);
    else if (event !== null) onEvent(event);
  }

  #hidePassword(text: string): string {
    return text.replaceAll(this.#options.login.password, HIDDEN);
  }
}

async function readWhole(body: Readable): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > LINE_BYTES_MAX) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function limitDepth(value: unknown): unknown {
  return isDeeperThan(value, JSON_LEVELS_MAX) ? null : value;
}
