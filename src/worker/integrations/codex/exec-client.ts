/** Runs codex's `app-server`, which has threads and turns and sends approval requests. */
import { assertInvariant } from "../../../model/errors.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import { REASON } from "./approvals.js";
import { createCodexRequest } from "./questions.js";
import { isRpcId, PeerRpcError, RpcPeer, type PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import { EditItems } from "./edit-items.js";
import {
  MESSAGE_TOO_LONG,
  TURN_OVERLAP,
  type ExecClient,
  type ExecClientParts,
  type TurnEnd,
} from "../../runtimes/exec/exec-client.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import { JsonLines, TOO_DEEP } from "../../runtimes/exec/json-lines.js";
import { EventFilter } from "../../runtimes/exec/event-filter.js";
import { TurnWatch } from "../../runtimes/exec/turn-watch.js";

/** An unknown method, which gets an error: the answer proves that everything before it was read. */
const PING = "_atlasbridge/ping";
/** It asks before it leaves its sandbox. */
const OPEN_MAX = { approvalPolicy: "on-request", approvalsReviewer: "user", sandbox: "workspace-write" };

export interface CodexExecClientOptions extends ExecClientParts {
  readonly show: readonly ShowRule[];
}

interface OpenApproval {
  readonly stop: AbortController;
  readonly itemId: unknown;
  /** Asks once more, with what is known by then. */
  readonly again: () => void;
}

export class CodexExecClient implements ExecClient {
  readonly #options: CodexExecClientOptions;
  readonly #rpc: RpcPeer;
  readonly #watch: TurnWatch;
  readonly #filter: EventFilter;
  /** By the id of the request. */
  readonly #openApprovals = new Map<string, OpenApproval>();
  readonly #items = new EditItems();
  #thread: string | null = null;
  #turn: string | null = null;
  #closed = false;
  #endTurn: (end: TurnEnd) => void = () => undefined;

  constructor(options: CodexExecClientOptions) {
    this.#options = options;
    this.#filter = new EventFilter(options.show);
    this.#watch = new TurnWatch({
      ...options,
      isAsking: () => options.pendingRequests.isAsking,
      cancel: () => this.#interrupt(),
    });
    const lines = new JsonLines({
      ...options,
      onMessage: (message) => this.#onMessage(message),
      onTooDeep: (message) => this.#onTooDeep(message),
      onTooLong: () => options.onActivity({ kind: "notice", text: MESSAGE_TOO_LONG }),
    });
    this.#rpc = new RpcPeer({
      send: (message) => lines.send(message),
      isOpen: (id) => this.#takeBackSame(id),
      onRequest: (id, method, params) => this.#onRequest(id, method, params),
      onNotification: (method, params) => this.#onNotification(method, params),
    });
  }

  get isWorking(): boolean {
    return this.#watch.isWorking;
  }

  get session(): string | null {
    return this.#thread !== null && isSessionName(this.#thread) ? this.#thread : null;
  }

  open(): Promise<void> {
    return awaitGreeting(this.#openThread(), this.#options.clock);
  }

  prompt(text: string): Promise<TurnEnd> {
    assertInvariant(!this.#watch.isWorking, TURN_OVERLAP);
    if (this.#closed) return Promise.resolve(ENDED);
    this.#watch.begin();
    const over = new Promise<TurnEnd>((resolve) => (this.#endTurn = resolve));
    this.#rpc.request("turn/start", { threadId: this.#thread, input: buildTextInput(text) }).then(
      ({ turn }) => this.#hasBegun(turn),
      (error: unknown) =>
        this.#finishTurn({ stopReason: "refused", problem: describeError(error), costUsd: null }),
    );
    return over;
  }

  cancel(): void {
    this.#watch.cancel();
  }

  async ping(): Promise<void> {
    await this.#rpc.request(PING, {}).catch((error: unknown) => {
      if (!(error instanceof PeerRpcError)) throw error;
    });
  }

  close(): void {
    this.#closed = true;
    this.#rpc.close();
    this.#finishTurn(ENDED);
  }

  #onMessage(message: Json): void {
    this.#watch.noteSignOfLife();
    this.#rpc.receive(message);
  }

  /** Rejects the call that the message answers, or refuses the request that it is. */
  #onTooDeep(message: Json): void {
    const { id } = message;
    this.#watch.noteSignOfLife();
    this.#options.onActivity({ kind: "notice", text: `(${TOO_DEEP})` });
    if (!this.#rpc.rejectUnreadable(message, TOO_DEEP) && isRpcId(id)) this.#rpc.refuse(id, TOO_DEEP);
  }

  async #openThread(): Promise<void> {
    const { cwd, context, resume, version } = this.#options;
    await this.#rpc.request("initialize", {
      clientInfo: { name: "atlasbridge", title: "AtlasBridge", version },
      capabilities: { experimentalApi: true },
    });
    this.#rpc.notify("initialized");
    const threadOptions = { cwd, ...OPEN_MAX, ...(context !== null && { developerInstructions: context }) };
    const { thread } =
      resume === null
        ? await this.#rpc.request("thread/start", threadOptions)
        : await this.#rpc.request("thread/resume", { ...threadOptions, threadId: resume });
    this.#thread = isObject(thread) ? toText(thread["id"]) : null;
    if (this.#thread === null) throw new Error("it opened no thread");
  }

  #hasBegun(turn: unknown): void {
    this.#turn = isObject(turn) ? toText(turn["id"]) : null;
    // It was cancelled before its id was known.
    if (this.#watch.isCancelled) this.#interrupt();
  }

  #interrupt(): void {
    if (this.#turn === null) return;
    const turn = { threadId: this.#thread, turnId: this.#turn };
    this.#rpc.request("turn/interrupt", turn).catch(() => undefined);
  }

  /** With two requests of one id, the tool would take any answer for the last one, so people answer neither. */
  #takeBackSame(id: PeerRpcId): boolean {
    const same = this.#openApprovals.get(String(id));
    same?.stop.abort("same_id");
    return same !== undefined;
  }

  /** A request that cannot be read is refused, and does not end the session. */
  #onRequest(id: PeerRpcId, method: string, params: Json): void {
    this.#ask(id, method, params).catch(() => this.#rpc.refuse(id, UNSHOWABLE));
  }

  async #ask(id: PeerRpcId, method: string, params: Json): Promise<void> {
    const { pendingRequests, cwd } = this.#options;
    const item = this.#items.find(params["itemId"]);
    const pendingRequest = createCodexRequest(method, params, item, cwd);
    if (!pendingRequest) {
      this.#rpc.refuse(id, UNSHOWABLE);
      return;
    }
    const stop = new AbortController();
    const again = (): void => this.#onRequest(id, method, params);
    const openApproval: OpenApproval = { stop, itemId: params["itemId"], again };
    this.#openApprovals.set(String(id), openApproval);
    const { [REASON]: reason, ...result } = await pendingRequests.open(pendingRequest, stop.signal);
    if (this.#openApprovals.get(String(id)) === openApproval) this.#openApprovals.delete(String(id));
    if (stop.signal.aborted) return;
    this.#rpc.answer(id, result);
    if (typeof reason === "string") this.#steer(reason, toText(params["turnId"]) ?? this.#turn);
  }

  /** Sends the reason of a No to the model. */
  #steer(text: string, expectedTurnId: string | null): void {
    const turn = { threadId: this.#thread, expectedTurnId, input: buildTextInput(text) };
    this.#rpc.request("turn/steer", turn).catch((error: unknown) => {
      this.#options.onActivity({
        kind: "notice",
        text: `(the reason did not reach the model: ${describeError(error)})`,
      });
    });
  }

  #onNotification(method: string, params: Json): void {
    const thread = toText(params["threadId"]);
    // Other threads of the server are ignored. Events of our own may arrive before its id is known.
    if (thread !== null && this.#thread !== null && thread !== this.#thread) return;
    for (const activity of this.#filter.read({ method, params })) this.#options.onActivity(activity);
    if (method === "item/started" && isObject(params["item"]))
      this.#onEditChanged(this.#items.noteStarted(params["item"]));
    else if (method === "item/fileChange/patchUpdated") this.#onEditChanged(this.#items.notePatched(params));
    else if (method === "item/completed" && isObject(params["item"])) this.#items.remove(params["item"]);
    else if (method === "serverRequest/resolved") this.#onResolved(params["requestId"]);
    else if (method === "turn/completed" && isObject(params["turn"]))
      this.#finishTurn(this.#readTurnEnd(params["turn"]));
  }

  /** The edit has changed, so a Yes to the old one must not count: people are asked again. */
  #onEditChanged(changed: string | null): void {
    if (changed === null) return;
    for (const { stop, itemId, again } of [...this.#openApprovals.values()]) {
      if (itemId !== changed) continue;
      stop.abort("taken_back");
      again();
    }
  }

  /** A request that we answered is no longer in the list, so this one was resolved by somebody else. */
  #onResolved(id: unknown): void {
    if (typeof id === "string" || typeof id === "number")
      this.#openApprovals.get(String(id))?.stop.abort("taken_back");
  }

  #readTurnEnd({ status, error }: Json): TurnEnd {
    if (status === "interrupted" || this.#watch.isCancelled)
      return { stopReason: "cancelled", problem: null, costUsd: null };
    const problem = status === "completed" ? null : isObject(error) ? toText(error["message"]) : null;
    return {
      stopReason: "end_turn",
      problem: status === "completed" ? null : (problem ?? "it failed"),
      costUsd: null,
    };
  }

  #finishTurn(end: TurnEnd): void {
    if (!this.#watch.isWorking) return;
    this.#turn = null;
    this.#endTurn(this.#watch.end(end));
  }
}

const UNSHOWABLE = "AtlasBridge cannot show this request";
const ENDED: TurnEnd = { stopReason: null, problem: "the tool ended", costUsd: null };

function buildTextInput(text: string): readonly Json[] {
  return [{ type: "text", text, text_elements: [] }];
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
