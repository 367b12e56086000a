/**
 * Receives the tool's hook calls: HTTP on the loopback, only for the tool of this run, which knows the secret. When anything is wrong
 * with a call, the tool gets no decision and shows its own dialog.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Cancel, Clock } from "../../../model/clock.js";
import { isCostlyJson } from "../../../model/data/json-cost.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { endResponse, HttpHookCall, type HookBody, type HookCall } from "./hook-call.js";
import { formatBearer } from "./hook-settings.js";
import type { LoopbackPort } from "../../loopback/loopback-port.js";

/** A prompt goes to the hub with its content twice (as text and as call), and a message there has 8 MiB. */
export const HOOK_BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Larger bodies are read and discarded up to this size, so that the tool gets an answer instead of a broken connection. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;
/** A local caller sends its request in one go. A slower one would occupy one of few connections. */
export const REQUEST_WITHIN_MS = 10_000;

export interface HookServerOptions {
  readonly secret: string;
  readonly clock: Clock;
  /** Whether the tool of this run is at the other end, as the kernel says; checked in addition to the secret. */
  readonly isCaller: (socket: Socket) => Promise<boolean>;
  readonly onCall: (call: HookCall) => void;
  /** A call could not be read: too long, too many values, nested too deep, or no hook call. */
  readonly onUnreadable: () => void;
}

export class HookServer {
  readonly #options: HookServerOptions;
  readonly #server: Server;
  /** Close connections that have not sent their request in time. */
  readonly #timeouts = new WeakMap<Socket, Cancel>();
  #taking = 0;

  constructor(loopback: LoopbackPort, options: HookServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#taking += 1;
      void this.#take(request, response)
        .catch(() => response.destroy())
        .finally(() => (this.#taking -= 1));
    });
    loopback.serve((socket) => {
      // Node watches over this itself only in a server that listens, which this one does not.
      const cancel = options.clock.after(REQUEST_WITHIN_MS, () => socket.destroy());
      this.#timeouts.set(socket, cancel);
      socket.once("close", cancel);
      this.#server.emit("connection", socket);
      socket.resume();
    });
  }

  /** A call has arrived and is being read, or its caller is being checked. */
  get isTaking(): boolean {
    return this.#taking > 0;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isTool = this.#knowsSecret(request) && this.#options.isCaller(request.socket);
    const text = isTool && (await readBody(request));
    this.#timeouts.get(request.socket)?.();
    if (text === false || !(await isTool)) {
      response.writeHead(403, { connection: "close" }).end();
      return;
    }
    // The caller hung up meanwhile.
    if (request.socket.destroyed) return;
    const body = parseBody(text);
    // Of copilot's events one has its name elsewhere.
    const event = body?.["hook_event_name"] ?? body?.["hookName"];
    if (body === null || typeof event !== "string") {
      this.#options.onUnreadable();
      endResponse(response, null);
    } else this.#options.onCall(new HttpHookCall(event, body, response, this.#options.clock));
  }

  #knowsSecret({ method, headers: { authorization = "" } }: IncomingMessage): boolean {
    return (
      method === "POST" &&
      timingSafeEqual(hashText(authorization), hashText(formatBearer(this.#options.secret)))
    );
  }
}

function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > DISCARDED_BYTES_MAX) throw new Error("the call does not end");
    if (length <= HOOK_BODY_BYTES_MAX) chunks.push(chunk);
  }
  return length > HOOK_BODY_BYTES_MAX ? null : Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string | null): HookBody | null {
  if (text === null || isCostlyJson(text)) return null;
  try {
    const body = JSON.parse(text) as unknown;
    if (body === null || typeof body !== "object" || Array.isArray(body)) return null;
    return isDeeperThan(body, JSON_LEVELS_MAX) ? null : (body as HookBody);
  } catch {
    return null;
  }
}
