/** The pending requests of an attached server: each is raised once, is answered by its own id, and ends when the server says so. */
import { isDeepStrictEqual } from "node:util";
import type { ServerCall } from "./server-call.js";

/** The most requests kept that only their dialogs ask. A server need not report their end, so the oldest are dropped. */
const DIALOGS_MAX = 64;

export interface AttachedRequest {
  readonly content: unknown;
  /** Null: it can only be answered at its dialog. */
  call: ServerCall | null;
}

export class AttachedRequests<Id, Request extends AttachedRequest> {
  readonly #max: number;
  readonly #open = new Map<Id, Request>();
  readonly #disputed = new Set<Id>();

  /** `max`: further requests can only be answered at their dialogs, so that no phone is flooded. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /**
   * Whether a request with this id is pending already. Two different requests with one id are left to their dialogs, because a yes to
   * one would be taken for the other.
   */
  isKnown(id: Id, content: unknown): boolean {
    if (this.#disputed.has(id) || this.#disputed.size >= DIALOGS_MAX) return true;
    const open = this.#open.get(id);
    if (open && !isDeepStrictEqual(open.content, content)) {
      this.#disputed.add(id);
      leaveToDialog(open);
    }
    return open !== undefined;
  }

  /** Returns false when there are too many. From now on the request is known, so that another answer to it is not missed. */
  add(id: Id, request: Request): boolean {
    const dialogs = [...this.#open].filter(([, { call }]) => call === null);
    if (this.#open.size - dialogs.length >= this.#max) return false;
    const [oldest] = dialogs;
    if (oldest && dialogs.length >= DIALOGS_MAX) this.#open.delete(oldest[0]);
    this.#open.set(id, request);
    return true;
  }

  take(id: Id): Request | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** Leaves to their dialogs the requests whose subject has changed since people were asked. */
  leaveToDialogs(isMeant: (request: Request) => boolean): void {
    for (const request of this.#open.values()) if (isMeant(request)) leaveToDialog(request);
  }

  markLost(isMeant: (request: Request) => boolean): void {
    const lost = [...this.#open].filter(([, request]) => isMeant(request));
    for (const [id] of lost) this.#open.delete(id);
    for (const [, { call }] of lost) call?.markLost();
  }

  /** Call when the connection is gone. */
  markAllLost(): void {
    this.#disputed.clear();
    this.markLost(() => true);
  }
}

function leaveToDialog(request: AttachedRequest): void {
  request.call?.markLost();
  request.call = null;
}
