/**
 * Attaches to codex's app server as a second client. It subscribes only to the tool's own thread, and answers no other, because any
 * client's answer counts.
 */
import type { Cancel } from "../../../model/clock.js";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { findOwnSocket } from "../../loopback/own-socket.js";
import type { UnixWebSocket } from "../../loopback/web-socket.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { AppServerCoattach } from "../../adapter-format/compiled/compiled-coattach.js";
import { attempt } from "../../../model/data/attempt.js";
import { isObject, type Json, parseObject, toArray, toText } from "../../../model/data/json.js";
import { REASON } from "./approvals.js";
import { PeerRpcError, type PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import { CodexClient } from "./client.js";
import { createAttachedRequest, OPEN_MAX, type ServerRequest } from "./attachment-request.js";
import type { AttachHost, Attachment } from "../../runtimes/attachment/attachment.js";
import { AttachedRequests, type AttachedRequest } from "../../runtimes/attachment/attached-requests.js";
import { ServerCall } from "../../runtimes/attachment/server-call.js";
import { readThreadActivity, toThreadActivity, readOrigin } from "./thread-finder.js";
import { ThreadFinder, THREADS_MAX } from "./thread-finder.js";

/** The server starts with the tool; the first start unpacks it. */
const CONNECT_EVERY_MS = 250;
const CONNECT_OFTEN_FOR_MS = 60_000;
const CONNECT_LATER_EVERY_MS = 5000;
export interface CodexAttachmentOptions {
  readonly socket: string;
  readonly uid: number;
  readonly version: string;
  readonly drawn: AppServerCoattach["drawn"];
}

interface ThreadRequest extends AttachedRequest {
  readonly content: { readonly method: string; readonly params: Json };
  readonly threadId: string;
}

interface Refusal {
  readonly threadId: unknown;
  readonly turnId: unknown;
  readonly reason: string;
}

export class CodexAttachment implements Attachment {
  readonly #host: AttachHost;
  readonly #options: CodexAttachmentOptions;
  readonly #startedAt: number;
  readonly #open = new AttachedRequests<PeerRpcId, ThreadRequest>(OPEN_MAX);
  #finder = new ThreadFinder();
  #socket: UnixWebSocket | null = null;
  #client: CodexClient | null = null;
  readonly #subscribed = new Set<string>();
  /** Reasons by the call that was refused. Another client may have allowed it before. */
  readonly #reasons = new Map<string, Refusal>();
  #said: string | null = null;
  #stopTimer: Cancel = () => undefined;
  #stopCompare: Cancel = () => undefined;
  #closed = false;

  constructor(host: AttachHost, options: CodexAttachmentOptions) {
    this.#host = host;
    this.#options = options;
    this.#startedAt = host.clock.monotonic();
    void this.#connect();
  }

  get isExpecting(): boolean {
    if (this.#client === null || this.#host.getDeclared()?.state !== "blocked") return false;
    return this.#finder.mayBeWaiting && this.#open.isEmpty;
  }

  onSignal(): void {
    const declared = this.#host.getDeclared();
    if (!declared) return;
    this.#finder.noteTool(toThreadActivity(declared.state), this.#readClock());
    this.#compareLater();
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer();
    this.#stopCompare();
    // They will never be confirmed.
    this.#open.markAllLost();
    this.#socket?.close();
  }

  #readClock(): number {
    return this.#host.clock.monotonic();
  }

  async #connect(): Promise<void> {
    if (this.#findSocket() === null) {
      this.#retry();
      return;
    }
    // Loaded only where there is a server. The socket may have changed meanwhile.
    const web = await import("../../loopback/web-socket.js");
    const path = this.#findSocket();
    if (path === null) {
      this.#retry();
      return;
    }
    const socket: UnixWebSocket = new web.UnixWebSocket({
      path,
      clock: this.#host.clock,
      onOpen: () => void this.#greet(socket),
      onText: (text) => this.#receive(text),
      onGone: () => this.#onConnectionLost(),
    });
    this.#socket = socket;
  }

  #findSocket(): string | null {
    return this.#closed ? null : findOwnSocket(this.#options.socket, this.#options.uid);
  }

  #retry(): void {
    if (this.#closed) return;
    const isEarly = this.#readClock() - this.#startedAt < CONNECT_OFTEN_FOR_MS;
    const everyMs = isEarly ? CONNECT_EVERY_MS : CONNECT_LATER_EVERY_MS;
    this.#stopTimer = this.#host.clock.after(everyMs, () => void this.#connect());
  }

  #onConnectionLost(): void {
    this.#client?.close();
    this.#client = this.#socket = null;
    this.#subscribed.clear();
    this.#reasons.clear();
    this.#finder = new ThreadFinder();
    this.#open.markAllLost();
    this.#retry();
  }

  async #greet(socket: UnixWebSocket): Promise<void> {
    const client: CodexClient = new CodexClient({
      send: (message) => socket.send(JSON.stringify(message)),
      isOwn: (thread) => this.#finder.isOwn(thread ?? ""),
      onRequest: (id, method, params) =>
        this.#onRequest(id, { method, params, item: client.items.find(params["itemId"]) }),
      // People were shown the old edit.
      onEditChanged: (itemId) =>
        this.#open.leaveToDialogs(({ content }) => content.params["itemId"] === itemId),
      onResolved: (id) => this.#open.take(id)?.call?.markResolved(),
      onNotification: (method, params, isOwn) => this.#onNotification(method, params, isOwn),
    });
    this.#client = client;
    try {
      await client.initialize(this.#options.version);
      const { data, nextCursor } = await client.request("thread/loaded/list", {});
      const ids = toArray(data);
      const isAll = toText(nextCursor) === null && ids.length <= THREADS_MAX;
      if (!isAll) this.#finder.giveUp();
      else for (const id of ids) await this.#readThread(client, id);
      this.onSignal();
    } catch {
      if (this.#client !== client) return;
      // The server uses another version of the protocol.
      socket.close();
      this.#onConnectionLost();
    }
  }

  /** The changes of a thread that cannot be read are still reported. */
  async #readThread(client: CodexClient, threadId: unknown): Promise<void> {
    const { thread } = await client.request("thread/read", { threadId }).catch((error: unknown) => {
      if (error instanceof PeerRpcError) return { thread: null };
      throw error;
    });
    if (isObject(thread)) this.#onThread(thread);
  }

  #receive(text: string): void {
    const message = parseObject(text);
    if (message && isDeeperThan(message, JSON_LEVELS_MAX))
      this.#client?.rejectUnreadable(message, "nested too deep");
    else if (message) this.#client?.receive(message);
  }

  #onThread(thread: Json): void {
    const { id, status, ephemeral } = thread;
    const name = toText(id);
    const doing = isObject(status) ? readThreadActivity(status) : null;
    if (name === null) return;
    // It runs beside the tool's own work, for example to write a title.
    if (ephemeral === true) this.#finder.hide(name);
    else if (doing === null) this.#onThreadGone(name);
    else this.#finder.noteThread(name, doing, this.#readClock(), readOrigin(thread, this.#host.cwd));
    if (this.#finder.isOwn(name)) this.#subscribe(name);
    this.#compareLater();
  }

  #onThreadGone(threadId: string): void {
    this.#finder.forget(threadId);
    this.#subscribed.delete(threadId);
    this.#open.markLost((request) => request.threadId === threadId);
  }

  #compareLater(): void {
    this.#stopCompare();
    const dueMs = this.#finder.computeDueMs(this.#readClock());
    if (dueMs !== null && !this.#closed)
      this.#stopCompare = this.#host.clock.after(dueMs, () => this.#compareThreads());
  }

  #compareThreads(): void {
    for (const stray of this.#finder.releaseStrays(this.#readClock())) this.#leave(stray);
    const thread = this.#finder.compare();
    if (thread !== null) this.#subscribe(thread);
    this.#compareLater();
  }

  #leave(threadId: string): void {
    this.#open.markLost((request) => request.threadId === threadId);
    if (!this.#subscribed.delete(threadId)) return;
    this.#client?.request("thread/unsubscribe", { threadId }).catch(() => undefined);
  }

  /** The server then sends its requests here as well. A thread without a turn cannot be resumed yet. */
  #subscribe(threadId: string): void {
    if (this.#subscribed.has(threadId) || this.#finder.doing(threadId) === "idle") return;
    this.#subscribed.add(threadId);
    this.#client
      ?.request("thread/resume", { threadId, excludeTurns: true })
      .catch(() => this.#subscribed.delete(threadId));
  }

  #onRequest(id: PeerRpcId, request: ServerRequest): void {
    const { method, params } = request;
    const threadId = toText(params["threadId"]);
    const content = { method, params };
    if (this.#open.isKnown(id, content)) return;
    if (threadId === null || !this.#finder.isInSync(threadId)) return;
    const waiting: ThreadRequest = { content, threadId, call: null };
    if (this.#open.add(id, waiting)) waiting.call = this.#openCall(id, request);
  }

  #openCall(id: PeerRpcId, request: ServerRequest): ServerCall | null {
    const pendingRequest = this.#createRequest(request);
    if (!pendingRequest) return null;
    const { clock } = this.#host;
    const call = new ServerCall({ clock, send: (result) => this.#answer(id, request.params, result) });
    this.#host.onRequest(pendingRequest, call);
    return call;
  }

  /** A request that cannot be read is left to its dialog. */
  #createRequest(request: ServerRequest): PendingRequest | null {
    return attempt(() => createAttachedRequest(request, this.#host.cwd, this.#options.drawn), null);
  }

  #answer(id: PeerRpcId, { threadId, turnId, itemId }: Json, { [REASON]: reason, ...result }: Json): boolean {
    const isSent = this.#client?.answer(id, result) === true;
    if (isSent && typeof reason === "string")
      this.#reasons.set(toText(itemId) ?? "", { threadId, turnId, reason });
    return isSent;
  }

  #onNotification(method: string, params: Json, isOwn: boolean): void {
    const { thread, threadId, item } = params;
    if (method === "thread/started" && isObject(thread)) this.#onThread(thread);
    else if (method === "thread/status/changed") this.#onThread({ id: threadId, status: params["status"] });
    else if (method === "thread/closed") this.#onThreadGone(toText(threadId) ?? "");
    else if (isOwn && method === "item/completed" && isObject(item)) this.#onItemCompleted(item);
    else if (isOwn && method === "turn/completed") this.#finishTurn();
  }

  /** Sends the reason of a No to the model if that No counted. After the turn's end it fails. */
  #onItemCompleted({ id, type, status, text }: Json): void {
    const refusal = this.#reasons.get(toText(id) ?? "");
    this.#reasons.delete(toText(id) ?? "");
    if (refusal && status === "declined")
      this.#client?.steer(refusal.threadId, refusal.turnId, refusal.reason).catch(() => undefined);
    if (type === "agentMessage") this.#said = toText(text);
  }

  #finishTurn(): void {
    const lastMessage = this.#said;
    this.#said = null;
    this.#client?.items.clear();
    this.#reasons.clear();
    this.#host.onTurnEnd(lastMessage);
  }
}
