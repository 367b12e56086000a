/**
 * Beside a tool whose terminal interface has a server of sessions in it (opencode): a second client of that server. It is looked for
 * among what the tool itself listens at, and its password is this run's, so that all that is asked there is asked by the tool of this
 * run. Neither password nor answer goes to anybody else, whoever has the port.
 */
import type { Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { Cancel } from "../../../model/clock.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import { LoopbackClient, type Login } from "../../loopback/loopback-client.js";
import { SocketHolder } from "../../loopback/socket-holder.js";
import { ANSWERED, NO_SUCH_REQUEST, PERMISSION, QUESTION, replyIn } from "./questions.js";
import { isSwept, sweep, type Sweepable } from "./sweep.js";
import { AttachedRequests, type AttachedRequest } from "../../runtimes/attachment/attached-requests.js";
import type { AttachHost, Attachment } from "../../runtimes/attachment/attachment.js";
import { ServerCall } from "../../runtimes/attachment/server-call.js";
import { sessionServerAsk, type DrawnSessions, type SessionRequest } from "./attachment-request.js";

/** The server comes up with the interface, within seconds; on a busy machine within ten times that. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 120_000;
/**
 * Whoever has listened leaves something behind in opencode 1.18.33, which warns of the ninth of us on the terminal, across its interface. A
 * connection over the loopback that breaks is none to insist on.
 */
const LISTENS_MAX = 4;
/** What comes while it starts is taken, and never answered. */
const UP_WITHIN_MS = 3000;
/** A connection that the server has not taken yet is nobody's: it is looked at again, for UP_WITHIN_MS at most. */
const TAKEN_EVERY_MS = 20;
/** Of calls that are under way: what they are to do is told beside what is asked. */
const INPUTS_MAX = 64;
/** A tool asks a handful of things at once. */
const WAITING_MAX = 64;

export interface SessionServerJoinOptions {
  readonly login: Login;
  readonly drawn: DrawnSessions;
}

type Asked = SessionRequest["type"];

interface Waiting extends Sweepable, AttachedRequest {
  readonly id: string;
  readonly content: { readonly type: Asked; readonly request: Json };
  /** What we have answered. */
  sent: Json | null;
}

/** `ours`: it wants our password. `open`: it takes anybody's answers. `other`: it is something else that the tool listens with. */
type Door = "ours" | "open" | "other";

const PLACES: readonly (readonly [path: string, type: Asked])[] = [
  ["/permission", PERMISSION],
  ["/question", QUESTION],
];

export class OpenCodeAttachment implements Attachment {
  /** Requests come before their dialogs: the interface hears of them as we do. */
  readonly isExpecting = false;
  readonly #host: AttachHost;
  readonly #options: SessionServerJoinOptions;
  readonly #holder = new SocketHolder();
  readonly #waiting = new AttachedRequests<string, Waiting>(WAITING_MAX);
  readonly #inputs = new Map<string, Json>();
  #client: LoopbackClient | null = null;
  #lookedSince: number;
  #listens = 0;
  #stopTimer: Cancel = () => undefined;
  #closed = false;

  constructor(host: AttachHost, options: SessionServerJoinOptions) {
    this.#host = host;
    this.#options = options;
    this.#lookedSince = host.clock.monotonic();
    void this.#look();
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

  #at(path: string): string {
    return `${path}?directory=${encodeURIComponent(this.#host.cwd)}`;
  }

  async #look(): Promise<void> {
    const leader = this.#host.getLeader();
    const ports = leader === null ? [] : await this.#holder.findPorts(leader, "terminal").catch(() => []);
    for (const port of ports) if (leader !== null && (await this.#try(port, leader))) return;
    this.#retry();
  }

  /** True: there is nothing more to look for. */
  async #try(port: number, leader: number): Promise<boolean> {
    if (this.#closed) return true;
    const isPeer = (socket: Socket): Promise<boolean> => this.#isTaken(socket, leader);
    const client = new LoopbackClient({ login: this.#options.login, port, clock: this.#host.clock, isPeer });
    this.#client = client;
    try {
      const door = await this.#door(client);
      if (door === "ours") await this.#listen(client);
      if (door !== "other") {
        // Whoever needs no password would take anybody's answers: it is not joined, and its screen asks.
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
  async #isTaken(socket: Socket, leader: number): Promise<boolean> {
    const { clock } = this.#host;
    const until = clock.monotonic() + UP_WITHIN_MS;
    while (!this.#closed && !socket.destroyed && clock.monotonic() < until) {
      if (await this.#holder.isHeldBy(leader, "terminal", socket)) return !this.#closed;
      await new Promise<void>((look) => clock.after(TAKEN_EVERY_MS, look));
    }
    return false;
  }

  async #door(client: LoopbackClient): Promise<Door> {
    const asked = client.request("GET", this.#at("/permission"), null, null);
    const { status } = await withTimeLimit(asked, UP_WITHIN_MS, this.#host.clock, "it is not up yet");
    if (status === 401) return "ours";
    return status === 200 ? "open" : "other";
  }

  #retry(): void {
    const { clock } = this.#host;
    if (this.#closed) return;
    const isGivenUp = this.#listens >= LISTENS_MAX || clock.monotonic() - this.#lookedSince > LOOK_FOR_MS;
    this.#stopTimer = clock.after(LOOK_EVERY_MS, () => {
      // Not at once: a tool that ends takes its server with it, and what it asked is over then, not lost.
      this.#waiting.markAllLost();
      if (!isGivenUp) void this.#look();
    });
  }

  async #listen(client: LoopbackClient): Promise<void> {
    this.#listens += 1;
    await client.openEvents(this.#at("/event"), {
      onEvent: (event) => isObject(event) && this.#onEvent(event),
      // Of what cannot be read the dialog asks.
      onTooDeep: () => undefined,
      onTooLong: () => undefined,
      onEnd: () => this.#lost(client),
    });
    for (const [path, type] of PLACES) {
      const { body } = await client.request("GET", this.#at(path)).catch(() => ({ body: null }));
      // Gone meanwhile: what waits there is asked by whoever is found next.
      if (this.#client !== client) return;
      for (const request of toArray(body).filter(isObject)) this.#asked(type, request);
    }
  }

  #lost(client: LoopbackClient): void {
    client.close();
    this.#client = null;
    this.#inputs.clear();
    this.#lookedSince = this.#host.clock.monotonic();
    this.#retry();
  }

  #onEvent(event: Json): void {
    const type = toText(event["type"]);
    const told = isObject(event["properties"]) ? event["properties"] : {};
    if (type === PERMISSION || type === QUESTION) this.#asked(type, told);
    else if (type === "message.part.updated" && isObject(told["part"])) this.#onPart(told["part"]);
    else if (type !== null && ANSWERED.test(type)) this.#over(toText(told["requestID"]) ?? "", type, told);
    else if (type === "session.idle") for (const [path, asked] of PLACES) void this.#drop(path, asked);
  }

  #onPart({ type, callID, state }: Json): void {
    const id = toText(callID);
    if (type !== "tool" || id === null || !isObject(state)) return;
    const { status, input } = state;
    if (status !== "running") this.#inputs.delete(id);
    else if (isObject(input) && (this.#inputs.has(id) || this.#inputs.size < INPUTS_MAX))
      this.#inputs.set(id, input);
  }

  #asked(type: Asked, request: Json): void {
    const id = toText(request["id"]);
    const content = { type, request };
    if (id === null || this.#closed || this.#waiting.isKnown(id, content)) return;
    const callId = isObject(request["tool"]) ? toText(request["tool"]["callID"]) : null;
    const ask = this.#ask({ type, request, input: this.#inputs.get(callId ?? "") ?? null });
    if (!ask) return;
    const send = (result: Json): boolean => this.#send(id, result);
    const call = new ServerCall({ clock: this.#host.clock, send });
    const session = toText(request["sessionID"]);
    const waiting: Waiting = { id, content, call, session, sweptBy: new Set(), sent: null };
    if (this.#waiting.add(id, waiting)) this.#host.onRequest(ask, call);
  }

  /** Whatever is wrong with what is asked: the dialog asks it. */
  #ask(request: SessionRequest): PendingRequest | null {
    try {
      return sessionServerAsk(request, this.#host.cwd, this.#options.drawn);
    } catch {
      return null;
    }
  }

  #send(id: string, result: Json): boolean {
    const waiting = this.#waiting.get(id);
    const client = this.#client;
    if (!waiting?.call || !client || this.#closed) return false;
    const { at, body } = replyIn(result);
    const [kind = ""] = waiting.content.type.split(".", 1);
    waiting.sent = body ?? {};
    sweep(this.#waiting.all, waiting.session, waiting.sent);
    client.request("POST", this.#at(`/${kind}/${encodeURIComponent(id)}/${at}`), body).then(
      ({ status }) => {
        if (status === NO_SUCH_REQUEST) this.#waiting.take(id)?.call?.markOvertaken();
        else if (status !== 200) this.#waiting.take(id)?.call?.markLost();
      },
      () => this.#waiting.take(id)?.call?.markLost(),
    );
    return true;
  }

  /** Whoever was first is told to everybody, with what they answered. */
  #over(id: string, type: string, told: Json): void {
    const waiting = this.#waiting.take(id);
    if (!waiting?.call) return;
    const { call, sent, session } = waiting;
    const isOurs = sent !== null && isSame(sent, type, told);
    // What was asked after it was sent, and before it was taken, is settled by it, too.
    if (isOurs) sweep(this.#waiting.all, session, sent);
    if (isOurs || (sent === null && isSwept(waiting, told))) call.markResolved();
    else call.markOvertaken();
  }

  /** A turn that was stopped drops what it asked, and says nothing of it. */
  async #drop(path: string, type: Asked): Promise<void> {
    const open = this.#waiting.all.filter(({ content }) => content.type === type);
    if (open.length === 0 || !this.#client) return;
    const { body } = await this.#client.request("GET", this.#at(path)).catch(() => ({ body: null }));
    if (!Array.isArray(body)) return;
    const still = new Set(body.filter(isObject).map(({ id }) => toText(id)));
    for (const { id } of open) {
      const waiting = still.has(id) ? undefined : this.#waiting.take(id);
      // Of an answer that was on its way the list does not tell whether it was taken first.
      if (waiting?.sent) waiting.call?.markLost();
      else waiting?.call?.markResolved();
    }
  }
}

/** What is told of an answer is this one. */
function isSame(sent: Json, type: string, { reply, answers }: Json): boolean {
  if (type.endsWith(".rejected")) return !("reply" in sent) && !("answers" in sent);
  return sent["reply"] === reply && isDeepStrictEqual(sent["answers"], answers);
}
