/**
 * Attaches to the session server inside a tool's terminal interface (opencode) as a second client. The server is searched among the ports
 * on which the tool itself listens, and its password was made for this run, so all its requests come from the tool of this run. Neither
 * password nor answer is sent to another process that has taken the port.
 */
import type { Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { Cancel } from "../../../model/clock.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import type { LoopbackClient, Login } from "../../loopback/loopback-client.js";
import { SocketHolder } from "../../loopback/socket-holder.js";
import { ANSWERED, NO_SUCH_REQUEST, PERMISSION, QUESTION, toReply } from "./questions.js";
import { isSwept, markSwept, type Sweepable } from "./sweep.js";
import { AttachedRequests, type AttachedRequest } from "../../runtimes/attachment/attached-requests.js";
import type { AttachHost, Attachment } from "../../runtimes/attachment/attachment.js";
import { ServerCall } from "../../runtimes/attachment/server-call.js";
import { createAttachedRequest, type DrawnRequests, type SessionRequest } from "./attachment-request.js";

/** The server comes up with the interface, within seconds; on a busy machine within ten times that. */
const SEARCH_EVERY_MS = 250;
const SEARCH_FOR_MS = 120_000;
/**
 * In opencode 1.18.33 every listener leaves something behind, and the ninth causes a warning across its interface. So a broken connection
 * is not renewed without limit.
 */
const CONNECTIONS_MAX = 4;
/** A request that arrives while the server starts is accepted but never answered. */
const UP_WITHIN_MS = 3000;
/** A connection that the server has not accepted yet has no owner: it is checked again, for UP_WITHIN_MS at most. */
const ACCEPTED_EVERY_MS = 20;
/** Inputs of running calls: they are reported separately from the requests. */
const INPUTS_MAX = 64;
/** A tool asks a handful of things at once. */
const WAITING_MAX = 64;

export interface OpenCodeAttachmentOptions {
  readonly login: Login;
  readonly drawn: DrawnRequests;
}

type RequestType = SessionRequest["type"];

interface OpenCodeRequest extends Sweepable, AttachedRequest {
  readonly id: string;
  readonly content: { readonly type: RequestType; readonly request: Json };
  /** What we have answered. */
  sent: Json | null;
}

/** `ours`: it requires our password. `open`: it accepts answers from anybody. `other`: it is another server of the tool. */
type ServerAccess = "ours" | "open" | "other";

const REQUEST_PATHS: readonly (readonly [path: string, type: RequestType])[] = [
  ["/permission", PERMISSION],
  ["/question", QUESTION],
];

export class OpenCodeAttachment implements Attachment {
  /** Requests come before their dialogs: the interface hears of them as we do. */
  readonly isExpecting = false;
  readonly #host: AttachHost;
  readonly #options: OpenCodeAttachmentOptions;
  readonly #holder = new SocketHolder();
  readonly #waiting = new AttachedRequests<string, OpenCodeRequest>(WAITING_MAX);
  readonly #inputs = new Map<string, Json>();
  #client: LoopbackClient | null = null;
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
    // Nothing that it says on its terminal is needed: whose server it is, is known.
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer();
    this.#client?.close();
    this.#waiting.markAllLost();
  }

  #buildPath(path: string): string {
    return `${path}?directory=${encodeURIComponent(this.#host.cwd)}`;
  }

  async #search(): Promise<void> {
    const leader = this.#host.getLeader();
    const ports = leader === null ? [] : await this.#holder.findPorts(leader, "terminal").catch(() => []);
    for (const port of ports) if (leader !== null && (await this.#tryPort(port, leader))) return;
    this.#retry();
  }

  /** True: there is nothing more to look for. */
  async #tryPort(port: number, leader: number): Promise<boolean> {
    // The library is loaded only where there is a server.
    const loopback = await import("../../loopback/loopback-client.js");
    if (this.#closed) return true;
    const isPeer = (socket: Socket): Promise<boolean> => this.#isPeerTool(socket, leader);
    const { clock } = this.#host;
    const client = new loopback.LoopbackClient({ login: this.#options.login, port, clock, isPeer });
    this.#client = client;
    try {
      const door = await this.#checkAccess(client);
      if (door === "ours") await this.#listen(client);
      if (door !== "other") {
        // Without a password it would accept anybody's answers, so we do not attach and only its screen asks.
        if (door === "open") this.close();
        return true;
      }
    } catch {
      // It is not up yet, or no longer.
    }
    client.close();
    return false;
  }

  /** Asked before anything is sent, of each connection: a port that the tool has left may be anybody's. */
  async #isPeerTool(socket: Socket, leader: number): Promise<boolean> {
    const { clock } = this.#host;
    const until = clock.monotonic() + UP_WITHIN_MS;
    while (!this.#closed && !socket.destroyed && clock.monotonic() < until) {
      if (await this.#holder.isHeldBy(leader, "terminal", socket)) return !this.#closed;
      await new Promise<void>((look) => clock.after(ACCEPTED_EVERY_MS, look));
    }
    return false;
  }

  async #checkAccess(client: LoopbackClient): Promise<ServerAccess> {
    const listed = client.request("GET", this.#buildPath("/permission"), null, null);
    const { status } = await withTimeLimit(listed, UP_WITHIN_MS, this.#host.clock, "it is not up yet");
    if (status === 401) return "ours";
    return status === 200 ? "open" : "other";
  }

  #retry(): void {
    const { clock } = this.#host;
    if (this.#closed) return;
    const isGivenUp =
      this.#connections >= CONNECTIONS_MAX || clock.monotonic() - this.#searchingSince > SEARCH_FOR_MS;
    this.#stopTimer = clock.after(SEARCH_EVERY_MS, () => {
      // Not at once: a tool that ends takes its server with it, and its requests are then over, not lost.
      this.#waiting.markAllLost();
      if (!isGivenUp) void this.#search();
    });
  }

  async #listen(client: LoopbackClient): Promise<void> {
    this.#connections += 1;
    await client.openEvents(this.#buildPath("/event"), {
      onEvent: (event) => isObject(event) && this.#onEvent(event),
      // What cannot be read is left to its dialog.
      onTooDeep: () => undefined,
      onTooLong: () => undefined,
      onEnd: () => this.#onConnectionLost(client),
    });
    for (const [path, type] of REQUEST_PATHS) {
      const { body } = await client.request("GET", this.#buildPath(path)).catch(() => ({ body: null }));
      // Lost meanwhile: the next connection lists the waiting requests again.
      if (this.#client !== client) return;
      for (const request of toArray(body).filter(isObject)) this.#onRequest(type, request);
    }
  }

  #onConnectionLost(client: LoopbackClient): void {
    client.close();
    this.#client = null;
    this.#inputs.clear();
    this.#searchingSince = this.#host.clock.monotonic();
    this.#retry();
  }

  #onEvent(event: Json): void {
    const type = toText(event["type"]);
    const details = isObject(event["properties"]) ? event["properties"] : {};
    if (type === PERMISSION || type === QUESTION) this.#onRequest(type, details);
    else if (type === "message.part.updated" && isObject(details["part"])) this.#onPart(details["part"]);
    else if (type !== null && ANSWERED.test(type))
      this.#onAnswered(toText(details["requestID"]) ?? "", type, details);
    else if (type === "session.idle")
      for (const [path, asked] of REQUEST_PATHS) void this.#settleDropped(path, asked);
  }

  #onPart({ type, callID, state }: Json): void {
    const id = toText(callID);
    if (type !== "tool" || id === null || !isObject(state)) return;
    const { status, input } = state;
    if (status !== "running") this.#inputs.delete(id);
    else if (isObject(input) && (this.#inputs.has(id) || this.#inputs.size < INPUTS_MAX))
      this.#inputs.set(id, input);
  }

  #onRequest(type: RequestType, request: Json): void {
    const id = toText(request["id"]);
    const content = { type, request };
    if (id === null || this.#closed || this.#waiting.isKnown(id, content)) return;
    const callId = isObject(request["tool"]) ? toText(request["tool"]["callID"]) : null;
    const ask = this.#createRequest({ type, request, input: this.#inputs.get(callId ?? "") ?? null });
    if (!ask) return;
    const send = (result: Json): boolean => this.#send(id, result);
    const call = new ServerCall({ clock: this.#host.clock, send });
    const session = toText(request["sessionID"]);
    const waiting: OpenCodeRequest = { id, content, call, session, sweptBy: new Set(), sent: null };
    if (this.#waiting.add(id, waiting)) this.#host.onRequest(ask, call);
  }

  /** A request that cannot be read is left to its dialog. */
  #createRequest(request: SessionRequest): PendingRequest | null {
    try {
      return createAttachedRequest(request, this.#host.cwd, this.#options.drawn);
    } catch {
      return null;
    }
  }

  #send(id: string, result: Json): boolean {
    const waiting = this.#waiting.get(id);
    const client = this.#client;
    if (!waiting?.call || !client || this.#closed) return false;
    const { at, body } = toReply(result);
    const [kind = ""] = waiting.content.type.split(".", 1);
    waiting.sent = body ?? {};
    markSwept(this.#waiting.all, waiting.session, waiting.sent);
    client.request("POST", this.#buildPath(`/${kind}/${encodeURIComponent(id)}/${at}`), body).then(
      ({ status }) => {
        if (status === NO_SUCH_REQUEST) this.#waiting.take(id)?.call?.markOvertaken();
        else if (status !== 200) this.#waiting.take(id)?.call?.markLost();
      },
      () => this.#waiting.take(id)?.call?.markLost(),
    );
    return true;
  }

  /** The server reports the first answer, with its content, to all clients. */
  #onAnswered(id: string, type: string, details: Json): void {
    const waiting = this.#waiting.take(id);
    if (!waiting?.call) return;
    const { call, sent, session } = waiting;
    const isOurs = sent !== null && isSameAnswer(sent, type, details);
    // A request that came after it was sent and before it was accepted is settled by it as well.
    if (isOurs) markSwept(this.#waiting.all, session, sent);
    if (isOurs || (sent === null && isSwept(waiting, details))) call.markResolved();
    else call.markOvertaken();
  }

  /** A turn that was stopped drops its requests without a report. */
  async #settleDropped(path: string, type: RequestType): Promise<void> {
    const open = this.#waiting.all.filter(({ content }) => content.type === type);
    if (open.length === 0 || !this.#client) return;
    const { body } = await this.#client.request("GET", this.#buildPath(path)).catch(() => ({ body: null }));
    if (!Array.isArray(body)) return;
    const still = new Set(body.filter(isObject).map(({ id }) => toText(id)));
    for (const { id } of open) {
      const waiting = still.has(id) ? undefined : this.#waiting.take(id);
      // For an answer that was on its way the list does not tell whether it was accepted first.
      if (waiting?.sent) waiting.call?.markLost();
      else waiting?.call?.markResolved();
    }
  }
}

/** Whether the reported answer is this one. */
function isSameAnswer(sent: Json, type: string, { reply, answers }: Json): boolean {
  if (type.endsWith(".rejected")) return !("reply" in sent) && !("answers" in sent);
  return sent["reply"] === reply && isDeepStrictEqual(sent["answers"], answers);
}
