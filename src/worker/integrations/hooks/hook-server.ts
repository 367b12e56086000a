/**
 * Where the tool's hooks come in: HTTP on the loopback, for the tool of this run, which knows its secret. Whatever is wrong with a call,
 * the tool gets no opinion and shows its own dialog.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Cancel, Clock } from "../../../model/clock.js";
import { isDeeperThan, LEVELS_MAX } from "../../../model/data/nesting.js";
import { endResponse, HttpHookCall, type HookBody, type HookCall } from "./hook-call.js";
import { bearer } from "./hook-settings.js";
import type { LoopbackPort } from "../../loopback/loopback-port.js";

/** A prompt goes to the hub with its content twice (as text and as call), and a message there has 8 MiB. */
export const HOOK_BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Read and thrown away, so that the tool gets its answer and no broken connection. Whoever sends more has none coming. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;
/** A local caller sends its request in one go. Whoever does not would hold one of few places. */
export const REQUEST_WITHIN_MS = 10_000;

export interface HookServerOptions {
  readonly secret: string;
  readonly clock: Clock;
  /** Whether the tool of this run is at the other end; asked of the system, beside the secret. */
  readonly isCaller: (socket: Socket) => Promise<boolean>;
  readonly onCall: (call: HookCall) => void;
  /** The tool said something that could not be read: too much, too deep, or nothing that it should. */
  readonly onUnread: () => void;
}

export class HookServer {
  readonly #options: HookServerOptions;
  readonly #server: Server;
  /** Ends what has not sent its request in time. */
  readonly #patience = new WeakMap<Socket, Cancel>();
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
      this.#patience.set(socket, cancel);
      socket.once("close", cancel);
      this.#server.emit("connection", socket);
      socket.resume();
    });
  }

  /** A call has come, and is being read, or its caller asked for. */
  get isTaking(): boolean {
    return this.#taking > 0;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isTool = this.#knowsSecret(request) && this.#options.isCaller(request.socket);
    const text = isTool && (await readBody(request));
    this.#patience.get(request.socket)?.();
    if (text === false || !(await isTool)) {
      response.writeHead(403, { connection: "close" }).end();
      return;
    }
    // It hung up meanwhile: nobody waits.
    if (request.socket.destroyed) return;
    const body = parseBody(text);
    const event = body?.["hook_event_name"];
    if (body === null || typeof event !== "string") {
      this.#options.onUnread();
      endResponse(response, null);
    } else this.#options.onCall(new HttpHookCall(event, body, response, this.#options.clock));
  }

  #knowsSecret({ method, headers: { authorization = "" } }: IncomingMessage): boolean {
    return method === "POST" && timingSafeEqual(digest(authorization), digest(bearer(this.#options.secret)));
  }
}

function digest(text: string): Buffer {
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
  if (text === null) return null;
  try {
    const body = JSON.parse(text) as unknown;
    if (body === null || typeof body !== "object" || Array.isArray(body)) return null;
    return isDeeperThan(body, LEVELS_MAX) ? null : (body as HookBody);
  } catch {
    return null;
  }
}
