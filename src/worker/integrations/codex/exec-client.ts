/** Runs codex's `app-server` with one thread, and answers its approval requests. */
import { isObject, toObject, toText, type Json } from "../../../model/data/json.js";
import { toMessage } from "../../../model/errors.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { isRpcId, PeerRpcError, type PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import type { TurnEnd } from "../../runtimes/exec/exec-client.js";
import { TOO_DEEP } from "../../runtimes/exec/json-lines.js";
import { TurnClient, type TurnClientOptions } from "../../runtimes/exec/turn-client.js";
import { REASON } from "./approvals.js";
import { buildTextInput, CodexClient } from "./client.js";
import { createCodexRequest } from "./questions.js";

/** An unknown method: its error proves that everything before was read. */
const PING = "_atlasbridge/ping";
/** It asks before it leaves its sandbox. */
const OPEN_MAX = { approvalPolicy: "on-request", approvalsReviewer: "user", sandbox: "workspace-write" };

interface OpenApproval {
  readonly stop: AbortController;
  readonly itemId: unknown;
  /** Asks again with the changed edit. */
  readonly again: () => void;
}

export class CodexExecClient extends TurnClient<TurnClientOptions> {
  readonly #client: CodexClient;
  readonly #openApprovals = new Map<string, OpenApproval>();
  #thread: string | null = null;
  #turn: string | null = null;

  constructor(options: TurnClientOptions) {
    super(options);
    const lines = this.readLines({
      onMessage: (message) => this.#client.receive(message),
      onTooDeep: (message) => this.#onTooDeep(message),
    });
    this.#client = new CodexClient({
      send: (message) => lines.send(message),
      isOpen: (id) => this.#takeBackSame(id),
      // Events of our own thread may arrive before its id is known.
      isOwn: (thread) => thread === null || this.#thread === null || thread === this.#thread,
      onRequest: (id, method, params) => this.#onRequest(id, method, params),
      onEditChanged: (itemId) => this.#onEditChanged(itemId),
      // An answered request is no longer listed, so another client resolved this one.
      onResolved: (id) => this.#openApprovals.get(String(id))?.stop.abort("taken_back"),
      onNotification: (method, params, isOwn) => isOwn && this.#onNotification(method, params),
    });
  }

  get session(): string | null {
    return this.#thread !== null && isSessionName(this.#thread) ? this.#thread : null;
  }

  open(): Promise<void> {
    return awaitGreeting(this.#openThread(), this.options.clock);
  }

  async ping(): Promise<void> {
    await this.#client.request(PING, {}).catch((error: unknown) => {
      if (!(error instanceof PeerRpcError)) throw error;
    });
  }

  override close(): void {
    this.#client.close();
    super.close();
  }

  protected startTurn(text: string): void {
    this.#client.request("turn/start", { threadId: this.#thread, input: buildTextInput(text) }).then(
      ({ turn }) => this.#hasBegun(turn),
      (error: unknown) => this.#endTurn({ stopReason: "refused", problem: toMessage(error), costUsd: null }),
    );
  }

  protected interrupt(): void {
    if (this.#turn === null) return;
    const turn = { threadId: this.#thread, turnId: this.#turn };
    this.#client.request("turn/interrupt", turn).catch(() => undefined);
  }

  #onTooDeep(message: Json): void {
    const { id } = message;
    if (!this.#client.rejectUnreadable(message, TOO_DEEP) && isRpcId(id)) this.#client.refuse(id, TOO_DEEP);
  }

  async #openThread(): Promise<void> {
    const { cwd, context, resume, version } = this.options;
    await this.#client.initialize(version);
    const threadOptions = { cwd, ...OPEN_MAX, ...(context !== null && { developerInstructions: context }) };
    const { thread } =
      resume === null
        ? await this.#client.request("thread/start", threadOptions)
        : await this.#client.request("thread/resume", { ...threadOptions, threadId: resume });
    this.#thread = toText(toObject(thread)["id"]);
    if (this.#thread === null) throw new Error("it opened no thread");
  }

  #hasBegun(turn: unknown): void {
    this.#turn = toText(toObject(turn)["id"]);
    // It was cancelled before its id was known.
    if (this.watch.isCancelled) this.interrupt();
  }

  /** The tool would take any answer for the later of two requests with one id, so neither is answered. */
  #takeBackSame(id: PeerRpcId): boolean {
    const same = this.#openApprovals.get(String(id));
    same?.stop.abort("same_id");
    return same !== undefined;
  }

  /** A request that cannot be read is refused. */
  #onRequest(id: PeerRpcId, method: string, params: Json): void {
    this.#ask(id, method, params).catch(() => this.#client.refuse(id, UNSHOWABLE));
  }

  async #ask(id: PeerRpcId, method: string, params: Json): Promise<void> {
    const { pendingRequests, cwd } = this.options;
    const item = this.#client.items.find(params["itemId"]);
    const pendingRequest = createCodexRequest(method, params, item, cwd);
    if (!pendingRequest) {
      this.#client.refuse(id, UNSHOWABLE);
      return;
    }
    const stop = new AbortController();
    const again = (): void => this.#onRequest(id, method, params);
    const openApproval: OpenApproval = { stop, itemId: params["itemId"], again };
    this.#openApprovals.set(String(id), openApproval);
    const { [REASON]: reason, ...result } = await pendingRequests.open(pendingRequest, stop.signal);
    if (this.#openApprovals.get(String(id)) === openApproval) this.#openApprovals.delete(String(id));
    if (stop.signal.aborted) return;
    this.#client.answer(id, result);
    if (typeof reason === "string") this.#steer(reason, toText(params["turnId"]) ?? this.#turn);
  }

  #steer(text: string, turn: string | null): void {
    this.#client.steer(this.#thread, turn, text).catch((error: unknown) => {
      this.note(`(the reason did not reach the model: ${toMessage(error)})`);
    });
  }

  #onNotification(method: string, params: Json): void {
    this.showEvent({ method, params });
    if (method === "turn/completed" && isObject(params["turn"]))
      this.#endTurn(this.#readTurnEnd(params["turn"]));
  }

  /** People are asked again, because a Yes to the old edit must not count. */
  #onEditChanged(changed: string): void {
    for (const { stop, itemId, again } of [...this.#openApprovals.values()]) {
      if (itemId !== changed) continue;
      stop.abort("taken_back");
      again();
    }
  }

  #readTurnEnd({ status, error }: Json): TurnEnd {
    if (status === "interrupted" || this.watch.isCancelled)
      return { stopReason: "cancelled", problem: null, costUsd: null };
    const problem = status === "completed" ? null : (toText(toObject(error)["message"]) ?? "it failed");
    return { stopReason: "end_turn", problem, costUsd: null };
  }

  #endTurn(end: TurnEnd): void {
    if (this.isWorking) this.#turn = null;
    this.finishTurn(end);
  }
}

const UNSHOWABLE = "AtlasBridge cannot show this request";
