/** The requests of an attached server that wait: each is asked once, is answered by its own id, and ends when the server says so. */
import { isDeepStrictEqual } from "node:util";
import type { ServerCall } from "./server-call.js";

/** Of those that only their dialogs ask; a server need not say what becomes of them, so the oldest are forgotten. */
const DIALOGS_MAX = 64;

export interface AttachedRequest {
  /** All that was said of it. */
  readonly content: unknown;
  /** Null: only its dialog asks. */
  call: ServerCall | null;
}

export class AttachedRequests<Id, Request extends AttachedRequest> {
  readonly #max: number;
  readonly #open = new Map<Id, Request>();
  /** Ids under which two different things were asked. */
  readonly #disputed = new Set<Id>();

  /** `max`: of more at once only their dialogs ask, so that no phone is flooded. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  get all(): readonly Request[] {
    return [...this.#open.values()];
  }

  get(id: Id): Request | undefined {
    return this.#open.get(id);
  }

  /**
   * This id waits already: the request is repeated, or it is another one. Two that differ and have one id are left to their dialogs
   * from then on: a yes to one would be taken for the other.
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

  /** False: there are too many. From now on it is known, so that nobody else's answer to it is missed. */
  add(id: Id, request: Request): boolean {
    const dialogs = [...this.#open].filter(([, { call }]) => call === null);
    if (this.#open.size - dialogs.length >= this.#max) return false;
    const [oldest] = dialogs;
    if (oldest && dialogs.length >= DIALOGS_MAX) this.#open.delete(oldest[0]);
    this.#open.set(id, request);
    return true;
  }

  /** It waits no more; whoever takes it says what became of it. */
  take(id: Id): Request | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** What these are about has changed since people were asked: a yes to the one would be taken for the other. */
  leaveToDialogs(isMeant: (request: Request) => boolean): void {
    for (const request of this.all.filter(isMeant)) leaveToDialog(request);
  }

  /** Nobody says any more what becomes of these. */
  lost(isMeant: (request: Request) => boolean): void {
    const lost = [...this.#open].filter(([, request]) => isMeant(request));
    for (const [id] of lost) this.#open.delete(id);
    for (const [, { call }] of lost) call?.lost();
  }

  /** Nobody says any more what becomes of any of them: the connection is gone. */
  allLost(): void {
    this.#disputed.clear();
    this.lost(() => true);
  }
}

function leaveToDialog(request: AttachedRequest): void {
  request.call?.lost();
  request.call = null;
}
