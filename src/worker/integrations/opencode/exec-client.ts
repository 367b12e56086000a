/**
 * A tool that is a server of sessions over HTTP, tells what happens by events, and asks by them (opencode's `serve`). What it asks is
 * answered by posting, and the server's own answer says that it was taken.
 */
import { invariant } from "../../../model/errors.js";
import { toArray, isObject, toText, type Json } from "../../../model/data/json.js";
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import { LineReader } from "../../process/line-reader.js";
import { LoopbackClient, type LoopbackResponse, type Login } from "../../loopback/loopback-client.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "../../runtimes/exec/exec-client.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { TOO_DEEP } from "../../runtimes/exec/json-lines.js";
import { ServerRequests } from "./requests.js";
import { SessionParts } from "./parts.js";
import { permissionRules } from "./rules.js";
import { EventFilter } from "../../runtimes/exec/event-filter.js";
import { TurnWatch } from "../../runtimes/exec/turn-watch.js";

/** A server that is told to stop its work has stopped it, commands and all, within a second. */
const STOPPED_WITHIN_MS = 3000;
/** A server that was killed breaks its connections a moment before its end is heard of. */
const END_WITHIN_MS = 1000;
/** Where a server says that it listens; on any other address it is none of ours. */
const ADDRESS = /\bhttp:\/\/127\.0\.0\.1:([0-9]{1,5})\b/;
const HEARTBEAT = "server.heartbeat";
const ABORTED = "MessageAbortedError";

export interface SessionServerOptions extends ExecClientParts {
  readonly login: Login;
  readonly show: readonly ShowRule[];
}

export class OpenCodeExecClient implements ExecClient {
  /** Only the server's own answer to ours proves anything. */
  readonly messages = 0;
  readonly isServer = true;
  readonly #options: SessionServerOptions;
  readonly #watch: TurnWatch;
  readonly #shown: EventFilter;
  readonly #address: Promise<number>;
  readonly #parts = new SessionParts();
  #client: LoopbackClient | null = null;
  #requests: ServerRequests | null = null;
  #session: string | null = null;
  /** Of the session before the first turn, and by now. */
  #costBefore = 0;
  #costUsd: number | null = null;
  /** Messages of the agent that are not whole yet; the turn began with the first. */
  readonly #unfinished = new Set<string>();
  #began = false;
  #problem: string | null = null;
  /** Somebody else has stopped the turn. */
  #aborted = false;
  #closed = false;
  #endTurn: (end: TurnEnd) => void = () => undefined;

  constructor(options: SessionServerOptions) {
    this.#options = options;
    this.#shown = new EventFilter(options.show);
    this.#watch = new TurnWatch({
      ...options,
      isAsking: () => options.pendingRequests.isAsking,
      cancel: () => void this.#abort(),
    });
    this.#address = new Promise((resolve) => this.#readAddress(resolve));
  }

  get isWorking(): boolean {
    return this.#watch.isWorking;
  }

  get session(): string | null {
    return this.#session;
  }

  open(): Promise<void> {
    return awaitGreeting(this.#open(), this.#options.clock);
  }

  prompt(text: string): Promise<TurnEnd> {
    invariant(!this.#watch.isWorking, "a turn began before the last one was over");
    if (this.#closed) return Promise.resolve(ENDED);
    this.#watch.begin();
    this.#began = this.#aborted = false;
    this.#problem = null;
    this.#unfinished.clear();
    const over = new Promise<TurnEnd>((resolve) => (this.#endTurn = resolve));
    const { context } = this.#options;
    const parts = [{ type: "text", text }];
    this.#post(`${this.#place}/prompt_async`, { parts, ...(context !== null && { system: context }) }).then(
      ({ status, body }) => {
        if (status >= 300) this.#turnOver(failed("refused", wordsIn(body) ?? `it answered with ${status}`));
      },
      (error: unknown) => this.#turnOver(failed(null, wordsOf(error))),
    );
    return over;
  }

  cancel(): void {
    this.#watch.cancel();
  }

  ping(): Promise<void> {
    return Promise.reject(new Error("the server acknowledges each answer by itself"));
  }

  /** Commands that run have process groups of their own: only the server ends them. */
  async farewell(): Promise<void> {
    const { clock } = this.#options;
    if (!this.#watch.isWorking) return;
    await withTimeLimit(this.#abort(), STOPPED_WITHIN_MS, clock, "it did not stop").catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.#client?.close();
    this.#turnOver(ENDED);
  }

  /** The first lines that it writes; all that follows is of no interest, but has to be read. */
  #readAddress(found: (port: number) => void): void {
    const lines = new LineReader({
      onLine: (line) => {
        const [, port] = ADDRESS.exec(line) ?? [];
        if (port !== undefined) found(Number(port));
      },
      onTooLong: () => undefined,
    });
    this.#options.output.on("data", (chunk: Uint8Array) => lines.take(chunk));
  }

  async #open(): Promise<void> {
    const { login, clock, pendingRequests, cwd, resume } = this.#options;
    const client = new LoopbackClient({ port: await this.#address, login, clock });
    this.#client = client;
    if (this.#closed) client.close();
    const stranger = await client.request("GET", this.#at("/permission"), null, null);
    if (stranger.status !== 401)
      throw new Error("its server takes no password, so that anybody could answer");
    this.#requests = new ServerRequests({
      pendingRequests,
      clock,
      cwd,
      post: (path, body) => this.#post(path, body),
      onForeign: (words) => this.#foreign(words),
      onProblem: (text) => this.#note(text),
    });
    await client.openEvents(this.#at("/event"), {
      onEvent: (event) => isObject(event) && this.#onEvent(event),
      onTooLong: () => this.#note("(a message was too long to be read)"),
      onTooDeep: (event) => this.#tooDeep(event),
      // Who is not told what is asked cannot judge anything: the session is over.
      onEnd: () => this.#lost(),
    });
    const session = resume === null ? await this.#create(client) : await this.#found(client, resume);
    this.#session = toText(session["id"]);
    if (this.#session === null) throw new Error("it opened no session");
    this.#costBefore = costIn(session) ?? 0;
  }

  async #create(client: LoopbackClient): Promise<Json> {
    const { body: config } = await client.request("GET", this.#at("/config"));
    const permission = permissionRules(config);
    const { body } = await client.request("POST", this.#at("/session"), { permission });
    return isObject(body) ? body : {};
  }

  async #found(client: LoopbackClient, session: string): Promise<Json> {
    const { status, body } = await client.request("GET", this.#at(`/session/${encodeURIComponent(session)}`));
    if (status !== 200) throw new Error("it has no such session");
    return isObject(body) ? body : {};
  }

  #at(path: string): string {
    return `${path}?directory=${encodeURIComponent(this.#options.cwd)}`;
  }

  get #place(): string {
    return `/session/${encodeURIComponent(this.#session ?? "")}`;
  }

  #post(path: string, body: object | null): Promise<LoopbackResponse> {
    return (
      this.#client?.request("POST", this.#at(path), body) ?? Promise.reject(new Error("it is not connected"))
    );
  }

  async #abort(): Promise<void> {
    await this.#post(`${this.#place}/abort`, null).catch(() => undefined);
  }

  #onEvent(event: Json): void {
    const type = toText(event["type"]) ?? "";
    const told = isObject(event["properties"]) ? event["properties"] : {};
    if (type !== HEARTBEAT) this.#watch.noteSignOfLife();
    // The server is this session's alone: what agents below it ask is asked here.
    this.#requests?.onEvent(type, told);
    if (this.#session === null || sessionOf(told) !== this.#session) return;
    this.#show(event);
    if (type === "message.updated" && isObject(told["info"])) this.#onMessage(told["info"]);
    else if (type === "session.updated") this.#costUsd = costIn(told["info"]) ?? this.#costUsd;
    else if (type === "session.error") this.#onError(told["error"]);
    else if (type === "session.idle") this.#onIdle();
  }

  #show(event: Json): void {
    const said = this.#parts.said(event);
    const shown = this.#parts.isNews(event) ? this.#shown.read(event) : [];
    for (const activity of [...said, ...shown]) this.#options.onActivity(activity);
  }

  #onMessage({ id, role, time, error }: Json): void {
    if (role !== "assistant" || !this.#watch.isWorking) return;
    const isOver = isObject(time) && typeof time["completed"] === "number";
    if (!this.#began && isOver) return; // of the turn before
    // It was stopped before there was anything to stop.
    if (!this.#began && this.#watch.isCancelled) void this.#abort();
    this.#began = true;
    if (isOver) this.#unfinished.delete(toText(id) ?? "");
    else this.#unfinished.add(toText(id) ?? "");
    if (isOver && isObject(error)) this.#onError(error);
  }

  #onError(error: unknown): void {
    if (isObject(error) && error["name"] === ABORTED) this.#aborted = this.#began;
    if (!isObject(error) || error["name"] === ABORTED) return;
    const words = wordsIn(error) ?? toText(error["name"]) ?? "it failed";
    this.#problem = words;
    // What fails before it begins is told of by nothing else.
    if (!this.#began) this.#turnOver(failed("refused", words));
  }

  /** It rests also between the parts of what it stops, and once more when it is told to stop: only with all said is it over. */
  #onIdle(): void {
    if (this.#unfinished.size > 0 || (!this.#began && !this.#watch.isCancelled)) return;
    const isCancelled = this.#watch.isCancelled || this.#aborted;
    const stopReason = isCancelled ? "cancelled" : "end_turn";
    this.#turnOver({ stopReason, problem: isCancelled ? null : this.#problem, costUsd: null });
  }

  /** Somebody else has the password, or a command that runs below the server: nothing that is asked is safe any more. */
  #foreign(words: string): void {
    this.#note(`Another program answered what ${words}: the turn is stopped.`);
    this.cancel();
  }

  #lost(): void {
    this.#options.clock.after(END_WITHIN_MS, () => {
      if (this.#closed) return;
      this.#note("(the connection to the tool broke)");
      this.#options.onHung();
    });
  }

  #tooDeep(event: unknown): void {
    this.#note(`(${TOO_DEEP})`);
    if (!isObject(event) || !isObject(event["properties"])) return;
    this.#requests?.refuse(toText(event["type"]) ?? "", toText(event["properties"]["id"]) ?? "");
  }

  #note(text: string): void {
    this.#options.onActivity({ kind: "notice", text });
  }

  #turnOver(end: TurnEnd): void {
    if (!this.#watch.isWorking) return;
    this.#watch.end();
    const costUsd = this.#costUsd === null ? null : Math.max(0, this.#costUsd - this.#costBefore);
    this.#endTurn({ ...end, costUsd });
  }
}

const ENDED: TurnEnd = { stopReason: null, problem: "the tool ended", costUsd: null };

function failed(stopReason: string | null, problem: string): TurnEnd {
  return { stopReason, problem, costUsd: null };
}

function sessionOf({ sessionID, info }: Json): string | null {
  return toText(sessionID) ?? (isObject(info) ? toText(info["sessionID"]) : null);
}

function costIn(session: unknown): number | null {
  const cost = isObject(session) ? session["cost"] : null;
  return typeof cost === "number" && Number.isFinite(cost) ? cost : null;
}

function wordsIn(error: unknown): string | null {
  if (!isObject(error)) return null;
  const data = isObject(error["data"]) ? error["data"] : error;
  return toText(data["message"]) ?? toText(toArray(error["errors"])[0]);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
