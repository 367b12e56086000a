/** What the stand-ins for chat services share: a server on the loopback that can go away, faults on demand, and waiting for events. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Waiters, type Probe } from "../waiters.js";
import { isBrokenReply, replyBytes, sendBroken, type BrokenReply } from "./broken-reply.js";

/** What can go wrong with any call. A service adds its own refusals. */
export type CommonFault =
  | BrokenReply
  /** No reply, ever; nothing happened. */
  | "hang"
  /** The connection is cut before anything happened. */
  | "drop"
  /** It happened, and then the connection is cut. */
  | "drop-after-effect"
  /** It happened, and the reply never comes. */
  | "hang-after-effect"
  /** A proxy's page instead of JSON. */
  | "garbage"
  /** JSON that says ok, and nothing else. */
  | "hollow";

export interface RequestRecord<Fault = unknown> {
  readonly method: string;
  readonly at: number;
  /** HTTP status, or null while it is open and after a cut. */
  status: number | null;
  fault: Fault | null;
}

export abstract class EmulatedService<Fault, Call extends RequestRecord<Fault>> {
  readonly requests: Call[] = [];
  /** Sees every reply before it leaves, and may break it. */
  breaks: (request: Call, reply: Buffer) => BrokenReply | null = () => null;
  readonly #planned: { readonly method: string; readonly fault: Fault }[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waiters = new Waiters();
  #server: Server | null = null;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  listRequests(method: string): readonly Call[] {
    return this.requests.filter((request) => request.method === method);
  }

  /** Resolves with the probe's first truthy value; looks again whenever anything happened. `what` may tell how it stands at the end. */
  waitFor<T>(probe: Probe<T>, what: string | (() => string), timeoutMs?: number): Promise<T> {
    return this.#waiters.waitFor(probe, what, timeoutMs);
  }

  /** Also for tests: something outside of the emulator happened that a probe looks at. */
  changed(): void {
    this.#waiters.changed();
  }

  /** The next `times` calls of `method` go wrong; "*": of any method. */
  failNext(method: string, fault: Fault, times = 1): void {
    for (let count = 0; count < times; count += 1)
      this.#planned.push({ method: method.toLowerCase(), fault });
  }

  get faultsLeft(): number {
    return this.#planned.length;
  }

  clearFaults(): void {
    this.#planned.length = 0;
  }

  /** Cuts every connection and refuses new ones until `restore`. */
  async outage(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async restore(): Promise<void> {
    if (this.#server) return;
    const server = createServer((request, response) => void this.serve(request, response));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.prepare?.(server);
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  abstract stop(): Promise<void>;

  protected abstract serve(request: IncomingMessage, response: ServerResponse): Promise<void>;

  protected prepare?(server: Server): void;

  protected takeFault(method: string): Fault | null {
    const at = this.#planned.findIndex((plan) => plan.method === "*" || plan.method === method.toLowerCase());
    return at < 0 ? null : (this.#planned.splice(at, 1)[0]?.fault ?? null);
  }

  /** JSON, or a text as HTML. */
  protected reply(
    response: ServerResponse,
    record: Call,
    status: number,
    content: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    record.status = status;
    if (response.destroyed) return;
    const isText = typeof content === "string";
    const text = isText ? content : JSON.stringify(content);
    const type = isText ? "text/html" : "application/json; charset=utf-8";
    const whole = replyBytes(status, type, text);
    const broken = isBrokenReply(record.fault) ? record.fault : this.breaks(record, whole);
    if (broken && response.socket) sendBroken(response.socket, whole, broken);
    else response.writeHead(status, { "content-type": type, ...headers }).end(text);
  }
}
