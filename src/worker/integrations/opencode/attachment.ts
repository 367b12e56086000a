/**
 * Attaches to the session server inside opencode's terminal interface. The server is found among the ports on which the tool itself
 * listens, and its password was made for this run. Neither password nor answer is sent to another process that has taken the port.
 */
import type { Socket } from "node:net";
import type { Cancel } from "../../../model/clock.js";
import { attempt } from "../../../model/data/attempt.js";
import { toText } from "../../../model/data/json.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { Login } from "../../loopback/loopback-client.js";
import { SocketHolder } from "../../loopback/socket-holder.js";
import type { PendingRequest, RequestResult } from "../../prompts/pending-request.js";
import type { AttachHost, Attachment } from "../../runtimes/attachment/attachment.js";
import { ServerCall } from "../../runtimes/attachment/server-call.js";
import { createAttachedRequest, type DrawnRequests } from "./attachment-request.js";
import { OpenCodeClient, REQUEST_TYPES, type RequestType, type OpenCodeRequest } from "./client.js";

/** On a busy machine the server starts within a minute or two. */
const SEARCH_EVERY_MS = 250;
const SEARCH_FOR_MS = 120_000;
/** In opencode 1.18.33 each listener leaves something behind, and the ninth causes a warning on its screen. */
const CONNECTIONS_MAX = 4;
/** A request that arrives while the server starts is accepted but never answered. */
const UP_WITHIN_MS = 3000;
/** A connection has no owner until the server accepts it, so it is checked again. */
const ACCEPTED_EVERY_MS = 20;
/** Further requests can only be answered at their dialogs, so that no phone is flooded. */
const WAITING_MAX = 64;

export interface OpenCodeAttachmentOptions {
  readonly login: Login;
  readonly drawn: DrawnRequests;
}

export class OpenCodeAttachment implements Attachment {
  /** The tool draws a dialog only after its request. */
  readonly isExpecting = false;
  readonly #host: AttachHost;
  readonly #options: OpenCodeAttachmentOptions;
  readonly #holder = new SocketHolder();
  readonly #calls = new Map<OpenCodeRequest, ServerCall>();
  #client: OpenCodeClient | null = null;
  #searchingSince: number;
  #connections = 0;
  #stopTimer: Cancel = () => undefined;
  #closed = false;

  constructor(host: AttachHost, options: OpenCodeAttachmentOptions) {
    this.#host = host;
    this.#options = options;
    this.#searchingSince = host.clock.monotonic();
    void this.#search();
  }

  onSignal(): void {
    // The password proves whose server it is, so terminal signals are not needed.
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer();
    this.#client?.close();
    this.#endAll();
  }

  async #search(): Promise<void> {
    const leader = this.#host.getLeader();
    const ports = leader === null ? [] : await this.#holder.findPorts(leader, "terminal").catch(() => []);
    for (const port of ports) if (leader !== null && (await this.#tryPort(port, leader))) return;
    this.#retry();
  }

  /** True: the search is over. */
  async #tryPort(port: number, leader: number): Promise<boolean> {
    // The library is loaded only where there is a server.
    const { LoopbackClient } = await import("../../loopback/loopback-client.js");
    if (this.#closed) return true;
    const { clock, cwd } = this.#host;
    const isPeer = (socket: Socket): Promise<boolean> => this.#isPeerTool(socket, leader);
    const client: OpenCodeClient = new OpenCodeClient({
      http: new LoopbackClient({ login: this.#options.login, port, clock, isPeer }),
      cwd,
      onRequest: (waiting) => this.#onRequest(client, waiting),
      onSameId: (waiting) => this.#take(waiting)?.markLost(),
      onAnswered: (waiting, by) => {
        const call = this.#take(waiting);
        if (by === "others") call?.markOvertaken();
        else call?.markResolved();
      },
      onEvent: (type) => {
        if (type === "session.idle") for (const each of REQUEST_TYPES) void this.#settleDropped(client, each);
      },
      // They are left to their dialogs.
      onTooDeep: () => undefined,
      onTooLong: () => undefined,
      onEnd: () => this.#onConnectionLost(client),
    });
    this.#client = client;
    try {
      const access = await withTimeLimit(client.checkAccess(), UP_WITHIN_MS, clock, "it is not up yet");
      if (access === "ours") await this.#listen(client);
      // Such a server accepts answers from anybody, so only its screen asks.
      if (access === "open") this.close();
      if (access !== "other") return true;
    } catch {
      // The server is not up.
    }
    client.close();
    return false;
  }

  /** Checked before anything is sent: the port may have another owner by now. */
  async #isPeerTool(socket: Socket, leader: number): Promise<boolean> {
    const { clock } = this.#host;
    const until = clock.monotonic() + UP_WITHIN_MS;
    while (!this.#closed && !socket.destroyed && clock.monotonic() < until) {
      if (await this.#holder.isHeldBy(leader, "terminal", socket)) return !this.#closed;
      await new Promise<void>((look) => clock.after(ACCEPTED_EVERY_MS, look));
    }
    return false;
  }

  #retry(): void {
    const { clock } = this.#host;
    if (this.#closed) return;
    const isGivenUp =
      this.#connections >= CONNECTIONS_MAX || clock.monotonic() - this.#searchingSince > SEARCH_FOR_MS;
    this.#stopTimer = clock.after(SEARCH_EVERY_MS, () => {
      // When a tool ends, its server ends first: its requests are then over, not lost.
      this.#endAll();
      if (!isGivenUp) void this.#search();
    });
  }

  async #listen(client: OpenCodeClient): Promise<void> {
    this.#connections += 1;
    await client.listen();
    for (const type of REQUEST_TYPES) {
      const listed = await client.list(type);
      // The next connection lists the waiting requests again.
      if (this.#client !== client) return;
      for (const request of listed ?? []) client.takeRequest(type, request);
    }
  }

  #onConnectionLost(client: OpenCodeClient): void {
    client.close();
    this.#client = null;
    this.#searchingSince = this.#host.clock.monotonic();
    this.#retry();
  }

  #onRequest(client: OpenCodeClient, waiting: OpenCodeRequest): boolean {
    if (this.#closed || this.#calls.size >= WAITING_MAX) return false;
    const ask = this.#createRequest(client, waiting);
    if (!ask) return false;
    const send = (result: RequestResult): boolean => this.#send(client, waiting, result);
    const call = new ServerCall({ clock: this.#host.clock, send });
    this.#calls.set(waiting, call);
    this.#host.onRequest(ask, call);
    return true;
  }

  /** A request that cannot be read is left to its dialog. */
  #createRequest(client: OpenCodeClient, { type, request }: OpenCodeRequest): PendingRequest | null {
    const input = client.findInput(request);
    const { drawn } = this.#options;
    return attempt(() => createAttachedRequest({ type, request, input }, this.#host.cwd, drawn), null);
  }

  #send(client: OpenCodeClient, waiting: OpenCodeRequest, result: RequestResult): boolean {
    if (this.#client !== client || this.#closed || !this.#calls.has(waiting)) return false;
    void client.reply(waiting, result).then((sent) => {
      // Only the event about the answer proves it.
      if (sent === "acknowledged") return;
      client.forget(waiting.id);
      if (sent === "overtaken") this.#take(waiting)?.markOvertaken();
      else this.#take(waiting)?.markLost();
    });
    return true;
  }

  /** The server does not report the requests of a turn that was stopped. */
  async #settleDropped(client: OpenCodeClient, type: RequestType): Promise<void> {
    const open = [...this.#calls.keys()].filter((waiting) => waiting.type === type);
    const listed = open.length === 0 ? null : await client.list(type);
    if (listed === null) return;
    const still = new Set(listed.map(({ id }) => toText(id)));
    for (const waiting of open.filter(({ id }) => !still.has(id))) {
      client.forget(waiting.id);
      // An answer may have been accepted before the turn was stopped.
      if (waiting.sent) this.#take(waiting)?.markLost();
      else this.#take(waiting)?.markResolved();
    }
  }

  #take(waiting: OpenCodeRequest): ServerCall | undefined {
    const call = this.#calls.get(waiting);
    this.#calls.delete(waiting);
    return call;
  }

  #endAll(): void {
    for (const waiting of [...this.#calls.keys()]) this.#take(waiting)?.markLost();
  }
}
