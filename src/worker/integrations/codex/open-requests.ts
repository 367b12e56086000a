/** The requests of a server that wait: each is asked once, is answered by its own id, and ends when the server says so. */
import type { Json } from "../../../model/data/json.js";
import type { PeerRpcId } from "../../runtimes/protocol/rpc-peer.js";
import type { ServerCall } from "../../runtimes/attachment/server-call.js";

/** A tool asks one after the other. Whatever asks for more at once is asked by dialogs: no phone is flooded. */
export const OPEN_MAX = 16;

/** Of those that only their dialogs ask; a server need not say what becomes of them, so the oldest are forgotten. */
const DIALOGS_MAX = 64;

export interface OpenRequest {
  readonly method: string;
  readonly params: Json;
}

interface Open {
  readonly request: OpenRequest;
  readonly threadId: string;
  /** Null: only its dialog asks. */
  call: ServerCall | null;
}

export class OpenRequests {
  readonly #open = new Map<PeerRpcId, Open>();

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /**
   * This id waits already: the request is told again, or it is another one. Two that differ and have one id are left to their dialogs:
   * a yes to one would be taken for the other.
   */
  isKnown(id: PeerRpcId, request: OpenRequest): boolean {
    const open = this.#open.get(id);
    if (open && JSON.stringify(open.request) !== JSON.stringify(request)) {
      open.call?.lost();
      open.call = null;
    }
    return open !== undefined;
  }

  /** From now on it is known, so that nobody else's answer is missed while it is still being read. `read` may call back. */
  add(id: PeerRpcId, threadId: string, request: OpenRequest, read: () => ServerCall | null): void {
    const calls = [...this.#open].filter(([, { call }]) => call !== null);
    if (calls.length >= OPEN_MAX) return;
    const [oldest] = [...this.#open].filter(([, { call }]) => call === null);
    if (oldest && this.#open.size - calls.length >= DIALOGS_MAX) this.#open.delete(oldest[0]);
    const open: Open = { request, threadId, call: null };
    this.#open.set(id, open);
    open.call = read();
  }

  /** What it is about is another thing now than what was asked: a yes to the one would be taken for the other. */
  outdated(itemId: string): void {
    for (const open of this.#open.values()) {
      if (open.request.params["itemId"] !== itemId) continue;
      open.call?.lost();
      open.call = null;
    }
  }

  /** The server says that this one is over. */
  resolved(id: PeerRpcId): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.call?.resolved();
  }

  /** Nobody says any more what becomes of them; of one thread, or of all. */
  lost(threadId?: string): void {
    const lost = [...this.#open].filter(([, open]) => threadId === undefined || open.threadId === threadId);
    for (const [id] of lost) this.#open.delete(id);
    for (const [, { call }] of lost) call?.lost();
  }
}
