/** A tool that is a server of threads and turns, and asks by requests of its own (codex's `app-server`). */
import { invariant } from "../../../model/errors.js";
import { isObject, textOf, type Json } from "../../../model/data/json.js";
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import { REASON } from "./decisions.js";
import { appServerAsking } from "./questions.js";
import { isId, PeerRpcError, RpcPeer, type PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import { ToldItems } from "./told-items.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "../../runtimes/exec/exec-client.js";
import { awaitGreeting } from "../../runtimes/protocol/greeting.js";
import { isSessionName } from "../../runtimes/protocol/session-name.js";
import { JsonLines, TOO_DEEP } from "../../runtimes/exec/json-lines.js";
import { ShownEvents } from "../../runtimes/exec/shown.js";
import { TurnWatch } from "../../runtimes/exec/turn-watch.js";

/** Nobody knows it, and everybody answers that: who has answered it has read all before it. */
const PING = "_atlasbridge/ping";
/** What it asks in: outside of its sandbox, and nothing else is let out of it. */
const ASKS = { approvalPolicy: "on-request", approvalsReviewer: "user", sandbox: "workspace-write" };

export interface AppServerOptions extends ExecClientParts {
  readonly show: readonly ShowRule[];
}

interface Asked {
  readonly stop: AbortController;
  readonly itemId: unknown;
  /** Once more, with what is known by then. */
  readonly again: () => void;
}

export class CodexExecClient implements ExecClient {
  /** Only an answered ping proves anything: the tool speaks while our answer is on its way. */
  readonly messages = 0;
  readonly #options: AppServerOptions;
  readonly #rpc: RpcPeer;
  readonly #watch: TurnWatch;
  readonly #shown: ShownEvents;
  /** By the id of the request. */
  readonly #asked = new Map<string, Asked>();
  readonly #items = new ToldItems();
  #thread: string | null = null;
  #turn: string | null = null;
  #closed = false;
  #endTurn: (end: TurnEnd) => void = () => undefined;

  constructor(options: AppServerOptions) {
    this.#options = options;
    this.#shown = new ShownEvents(options.show);
    this.#watch = new TurnWatch({
      ...options,
      isAsking: () => options.desk.isAsking,
      cancel: () => this.#interrupt(),
    });
    const lines = new JsonLines({
      ...options,
      onMessage: (message) => this.#onMessage(message),
      onTooDeep: (message) => this.#onTooDeep(message),
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
    invariant(!this.#watch.isWorking, "a turn began before the last one was over");
    if (this.#closed) return Promise.resolve(ENDED);
    this.#watch.begin();
    const over = new Promise<TurnEnd>((resolve) => (this.#endTurn = resolve));
    this.#rpc.request("turn/start", { threadId: this.#thread, input: inputOf(text) }).then(
      ({ turn }) => this.#began(turn),
      (error: unknown) => this.#turnOver({ stopReason: "refused", problem: wordsOf(error), costUsd: null }),
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
    this.#turnOver(ENDED);
  }

  #onMessage(message: Json): void {
    this.#watch.heard();
    this.#rpc.receive(message);
  }

  /** Whoever waits for it is told, on either side. */
  #onTooDeep(message: Json): void {
    const { id } = message;
    this.#watch.heard();
    this.#options.onActivity({ kind: "notice", text: `(${TOO_DEEP})` });
    if (!this.#rpc.unread(message, TOO_DEEP) && isId(id)) this.#rpc.refuse(id, TOO_DEEP);
  }

  async #openThread(): Promise<void> {
    const { cwd, context, resume, version } = this.#options;
    await this.#rpc.request("initialize", {
      clientInfo: { name: "atlasbridge", title: "AtlasBridge", version },
      capabilities: { experimentalApi: true },
    });
    this.#rpc.notify("initialized");
    const told = { cwd, ...ASKS, ...(context !== null && { developerInstructions: context }) };
    const { thread } =
      resume === null
        ? await this.#rpc.request("thread/start", told)
        : await this.#rpc.request("thread/resume", { ...told, threadId: resume });
    this.#thread = isObject(thread) ? textOf(thread["id"]) : null;
    if (this.#thread === null) throw new Error("it opened no thread");
  }

  #began(turn: unknown): void {
    this.#turn = isObject(turn) ? textOf(turn["id"]) : null;
    // It was stopped before it had a name to be stopped by.
    if (this.#watch.isCancelled) this.#interrupt();
  }

  #interrupt(): void {
    if (this.#turn === null) return;
    const turn = { threadId: this.#thread, turnId: this.#turn };
    this.#rpc.request("turn/interrupt", turn).catch(() => undefined);
  }

  /** Whichever of two an answer was meant for, the tool would take it for the one that it asked last: people answer neither. */
  #takeBackSame(id: PeerRpcId): boolean {
    const same = this.#asked.get(String(id));
    same?.stop.abort("taken_back");
    return same !== undefined;
  }

  /** Whatever is wrong with what is asked: it is refused, and does not end the session. */
  #onRequest(id: PeerRpcId, method: string, params: Json): void {
    this.#ask(id, method, params).catch(() => this.#rpc.refuse(id, UNSHOWABLE));
  }

  async #ask(id: PeerRpcId, method: string, params: Json): Promise<void> {
    const { desk, cwd } = this.#options;
    const item = this.#items.of(params["itemId"]);
    const asking = appServerAsking(method, params, item, cwd);
    if (!asking) {
      this.#rpc.refuse(id, UNSHOWABLE);
      return;
    }
    const stop = new AbortController();
    const again = (): void => this.#onRequest(id, method, params);
    const asked: Asked = { stop, itemId: params["itemId"], again };
    this.#asked.set(String(id), asked);
    const { [REASON]: reason, ...result } = await desk.open(asking, stop.signal);
    if (this.#asked.get(String(id)) === asked) this.#asked.delete(String(id));
    if (stop.signal.aborted) return;
    this.#rpc.answer(id, result);
    if (typeof reason === "string") this.#steer(reason, textOf(params["turnId"]) ?? this.#turn);
  }

  /** What a person says besides their No, to the model in its turn. */
  #steer(text: string, expectedTurnId: string | null): void {
    const turn = { threadId: this.#thread, expectedTurnId, input: inputOf(text) };
    this.#rpc.request("turn/steer", turn).catch((error: unknown) => {
      this.#options.onActivity({
        kind: "notice",
        text: `(the reason did not reach the model: ${wordsOf(error)})`,
      });
    });
  }

  #onNotification(method: string, params: Json): void {
    const thread = textOf(params["threadId"]);
    // Other threads of the server are none of ours. Of its own it may tell in the same breath in which it names it.
    if (thread !== null && this.#thread !== null && thread !== this.#thread) return;
    for (const activity of this.#shown.read({ method, params })) this.#options.onActivity(activity);
    if (method === "item/started" && isObject(params["item"]))
      this.#told(this.#items.started(params["item"]));
    else if (method === "item/fileChange/patchUpdated") this.#told(this.#items.patched(params));
    else if (method === "item/completed" && isObject(params["item"])) this.#items.over(params["item"]);
    else if (method === "serverRequest/resolved") this.#resolved(params["requestId"]);
    else if (method === "turn/completed" && isObject(params["turn"]))
      this.#turnOver(this.#endOf(params["turn"]));
  }

  /** A yes to what it was before would be taken for what it is now: people are asked anew. */
  #told(changed: string | null): void {
    if (changed === null) return;
    for (const { stop, itemId, again } of [...this.#asked.values()]) {
      if (itemId !== changed) continue;
      stop.abort("taken_back");
      again();
    }
  }

  /** Ours are resolved by our answer, and no longer in the list. */
  #resolved(id: unknown): void {
    if (typeof id === "string" || typeof id === "number")
      this.#asked.get(String(id))?.stop.abort("taken_back");
  }

  #endOf({ status, error }: Json): TurnEnd {
    if (status === "interrupted" || this.#watch.isCancelled)
      return { stopReason: "cancelled", problem: null, costUsd: null };
    const problem = status === "completed" ? null : isObject(error) ? textOf(error["message"]) : null;
    return {
      stopReason: "end_turn",
      problem: status === "completed" ? null : (problem ?? "it failed"),
      costUsd: null,
    };
  }

  #turnOver(end: TurnEnd): void {
    if (!this.#watch.isWorking) return;
    this.#turn = null;
    this.#watch.end();
    this.#endTurn(end);
  }
}

const UNSHOWABLE = "AtlasBridge cannot show this to anybody";
const ENDED: TurnEnd = { stopReason: null, problem: "the tool ended", costUsd: null };

function inputOf(text: string): readonly Json[] {
  return [{ type: "text", text, text_elements: [] }];
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
