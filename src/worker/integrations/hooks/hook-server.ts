/**
 * Receives the tool's hook calls over HTTP on the loopback. A call that is not in order gets no decision, so that the tool asks in its
 * own dialog.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Cancel, Clock } from "../../../model/clock.js";
import { parseObject, type Json } from "../../../model/data/json.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { endResponse, HttpHookCall, type HookCall } from "./hook-call.js";
import { formatBearer } from "./hook-settings.js";
import type { LoopbackPort } from "../../loopback/loopback-port.js";

/** A prompt goes to the hub with its content twice, and a message there has 8 MiB. */
export const HOOK_BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Up to this size a body is discarded, so that the tool gets an answer instead of a broken connection. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;
/** A slow caller would occupy one of few connections. */
export const REQUEST_WITHIN_MS = 10_000;

export interface HookServerOptions {
  readonly secret: string;
  readonly clock: Clock;
  /** Whether the kernel names the tool of this run as the caller; checked in addition to the secret. */
  readonly isCaller: (socket: Socket) => Promise<boolean>;
  readonly onCall: (call: HookCall) => void;
  /** The body is too long, has too many values, is nested too deep, or is no hook call. */
  readonly onUnreadable: () => void;
}

export class HookServer {
  readonly #options: HookServerOptions;
  readonly #server: Server;
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
      // Node limits this time only in servers that listen.
      const cancel = options.clock.after(REQUEST_WITHIN_MS, () => socket.destroy());
      this.#timeouts.set(socket, cancel);
      socket.once("close", cancel);
      this.#server.emit("connection", socket);
      socket.resume();
    });
  }

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
    if (request.socket.destroyed) return;
    const body = parseBody(text);
    // One of copilot's events has its name in another field.
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

function parseBody(text: string | null): Json | null {
  const body = text === null ? null : parseObject(text);
  return isDeeperThan(body, JSON_LEVELS_MAX) ? null : body;
}
