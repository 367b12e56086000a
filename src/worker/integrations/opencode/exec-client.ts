/** Drives a session server over HTTP (opencode's `serve`). The server's response confirms each answer. */
import { isObject, toArray, toObject, toText, type Json } from "../../../model/data/json.js";
import { toMessage } from "../../../model/errors.js";
import { withTimeLimit } from "../../../observe/within.js";
import type { LoopbackResponse, Login } from "../../loopback/loopback-client.js";
import { LineReader } from "../../process/line-reader.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import type { TurnEnd } from "../../runtimes/exec/exec-client.js";
import { TOO_DEEP } from "../../runtimes/exec/json-lines.js";
import { MESSAGE_TOO_LONG, TurnClient, type TurnClientOptions } from "../../runtimes/exec/turn-client.js";
import type { OpenCodeClient } from "./client.js";
import { SessionParts } from "./parts.js";
import { ServerRequests } from "./requests.js";
import { buildPermissionRules } from "./server-setup.js";

const STOPPED_WITHIN_MS = 3000;
/** When a server is killed, its connections break before its exit is reported. */
const END_WITHIN_MS = 1000;
const ADDRESS = /\bhttp:\/\/127\.0\.0\.1:([0-9]{1,5})\b/;
const HEARTBEAT = "server.heartbeat";
const ABORTED = "MessageAbortedError";

export interface OpenCodeExecClientOptions extends TurnClientOptions {
  readonly login: Login;
}

export class OpenCodeExecClient extends TurnClient<OpenCodeExecClientOptions> {
  readonly isServer = true;
  readonly #address: Promise<number>;
  readonly #parts = new SessionParts();
  #client: OpenCodeClient | null = null;
  #session: string | null = null;
  /** The cost of the session before the first turn. */
  #costBefore = 0;
  #costUsd: number | null = null;
  /** Unfinished messages of the agent; the turn begins with the first message. */
  readonly #unfinished = new Set<string>();
  #hasBegun = false;
  #problem: string | null = null;
  /** Somebody else stopped the turn. */
  #isAborted = false;

  constructor(options: OpenCodeExecClientOptions) {
    super(options);
    this.#address = new Promise((resolve) => this.#readAddress(resolve));
  }

  get session(): string | null {
    return this.#session;
  }

  open(): Promise<void> {
    return awaitGreeting(this.#open(), this.options.clock);
  }

  ping(): Promise<void> {
    return Promise.reject(new Error("the server acknowledges each answer by itself"));
  }

  /** Commands have process groups of their own, so only the server can end them. */
  async closeSession(): Promise<void> {
    const { clock } = this.options;
    if (!this.watch.isWorking) return;
    await withTimeLimit(this.interrupt(), STOPPED_WITHIN_MS, clock, "it did not stop").catch(() => undefined);
  }

  override close(): void {
    this.#client?.close();
    super.close();
  }

  protected startTurn(text: string): void {
    this.#hasBegun = this.#isAborted = false;
    this.#problem = null;
    this.#unfinished.clear();
    const { context } = this.options;
    const task = { parts: [{ type: "text", text }], ...(context !== null && { system: context }) };
    this.#post("prompt_async", task).then(
      ({ status, body }) => {
        if (status >= 300)
          this.finishTurn(failTurn("refused", readError(body) ?? `it answered with ${status}`));
      },
      (error: unknown) => this.finishTurn(failTurn(null, toMessage(error))),
    );
  }

  protected async interrupt(): Promise<void> {
    await this.#post("abort", null).catch(() => undefined);
  }

  #readAddress(found: (port: number) => void): void {
    const lines = new LineReader({
      onLine: (line) => {
        const [, port] = ADDRESS.exec(line) ?? [];
        if (port !== undefined) found(Number(port));
      },
      onTooLong: () => undefined,
    });
    this.options.output.on("data", (chunk: Uint8Array) => lines.take(chunk));
  }

  async #open(): Promise<void> {
    const { login, clock, resume } = this.options;
    const port = await this.#address;
    // Only this tool needs the library.
    const { LoopbackClient } = await import("../../loopback/loopback-client.js");
    const { client } = new ServerRequests({
      ...this.options,
      http: new LoopbackClient({ port, login, clock }),
      onEvent: (type, details, event) => this.#onEvent(type, details, event),
      onForeign: (words) => this.#onForeignAnswer(words),
      onProblem: (text) => this.note(text),
      onTooLong: () => this.note(MESSAGE_TOO_LONG),
      onTooDeep: () => this.note(`(${TOO_DEEP})`),
      // Requests cannot be judged without events.
      onEnd: () => this.#onConnectionLost(),
    });
    this.#client = client;
    if (this.isClosed) client.close();
    if ((await client.checkAccess()) !== "ours")
      throw new Error("its server takes no password, so that anybody could answer");
    await client.listen();
    const session = resume === null ? await this.#create(client) : await this.#findSession(client, resume);
    this.#session = toText(session["id"]);
    if (this.#session === null) throw new Error("it opened no session");
    this.#costBefore = readCost(session) ?? 0;
  }

  async #create(client: OpenCodeClient): Promise<Json> {
    const { body: config } = await client.request("GET", "/config");
    const permission = buildPermissionRules(config);
    const { body } = await client.request("POST", "/session", { permission });
    return toObject(body);
  }

  async #findSession(client: OpenCodeClient, session: string): Promise<Json> {
    const { status, body } = await client.request("GET", `/session/${encodeURIComponent(session)}`);
    if (status !== 200) throw new Error("it has no such session");
    return toObject(body);
  }

  #post(what: string, body: object | null): Promise<LoopbackResponse> {
    if (!this.#client) return Promise.reject(new Error("it is not connected"));
    return this.#client.request("POST", `/session/${encodeURIComponent(this.#session ?? "")}/${what}`, body);
  }

  /** Requests of sub-agents are asked about, but their events are not shown. */
  #onEvent(type: string, details: Json, event: Json): void {
    if (type !== HEARTBEAT) this.watch.noteSignOfLife();
    if (this.#session === null || readSessionId(details) !== this.#session) return;
    this.#show(event);
    if (type === "message.updated" && isObject(details["info"])) this.#onMessage(details["info"]);
    else if (type === "session.updated") this.#costUsd = readCost(details["info"]) ?? this.#costUsd;
    else if (type === "session.error") this.#onError(details["error"]);
    else if (type === "session.idle") this.#onIdle();
  }

  #show(event: Json): void {
    for (const activity of this.#parts.readActivities(event)) this.options.onActivity(activity);
    if (this.#parts.isNew(event)) this.showEvent(event);
  }

  #onMessage({ id, role, time, error }: Json): void {
    if (role !== "assistant" || !this.watch.isWorking) return;
    const isOver = typeof toObject(time)["completed"] === "number";
    if (!this.#hasBegun && isOver) return; // of the turn before
    // There was nothing to stop before.
    if (!this.#hasBegun && this.watch.isCancelled) void this.interrupt();
    this.#hasBegun = true;
    if (isOver) this.#unfinished.delete(toText(id) ?? "");
    else this.#unfinished.add(toText(id) ?? "");
    if (isOver && isObject(error)) this.#onError(error);
  }

  #onError(error: unknown): void {
    if (!isObject(error)) return;
    if (error["name"] === ABORTED) {
      this.#isAborted = this.#hasBegun;
      return;
    }
    const words = readError(error) ?? toText(error["name"]) ?? "it failed";
    this.#problem = words;
    // No other event reports a failure before the turn begins.
    if (!this.#hasBegun) this.finishTurn(failTurn("refused", words));
  }

  /** The server is also idle between the parts of a turn that it stops. */
  #onIdle(): void {
    if (this.#unfinished.size > 0 || (!this.#hasBegun && !this.watch.isCancelled)) return;
    const isCancelled = this.watch.isCancelled || this.#isAborted;
    const stopReason = isCancelled ? "cancelled" : "end_turn";
    this.finishTurn({ stopReason, problem: isCancelled ? null : this.#problem, costUsd: null });
  }

  /** Another program has the password, or runs below the server, so no request is safe any more. */
  #onForeignAnswer(words: string): void {
    this.note(`Another program answered what ${words}: the turn is stopped.`);
    this.cancel();
  }

  #onConnectionLost(): void {
    this.options.clock.after(END_WITHIN_MS, () => {
      if (this.isClosed) return;
      this.note("(the connection to the tool broke)");
      this.options.onHung();
    });
  }

  protected override finishTurn(end: TurnEnd): void {
    const costUsd = this.#costUsd === null ? null : Math.max(0, this.#costUsd - this.#costBefore);
    super.finishTurn({ ...end, costUsd });
  }
}

function failTurn(stopReason: string | null, problem: string): TurnEnd {
  return { stopReason, problem, costUsd: null };
}

function readSessionId({ sessionID, info }: Json): string | null {
  return toText(sessionID) ?? toText(toObject(info)["sessionID"]);
}

function readCost(session: unknown): number | null {
  const { cost } = toObject(session);
  return typeof cost === "number" && Number.isFinite(cost) ? cost : null;
}

function readError(error: unknown): string | null {
  if (!isObject(error)) return null;
  const data = isObject(error["data"]) ? error["data"] : error;
  return toText(data["message"]) ?? toText(toArray(error["errors"])[0]);
}
