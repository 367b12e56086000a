/** The queue of updates and the one long poll that may wait on it. */
import { Refusal } from "./refusal.js";

export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

export interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutMs: number;
  readonly allowed?: readonly string[] | undefined;
}

interface LongPoll {
  readonly request: PollRequest;
  readonly resolve: (updates: Update[]) => void;
  readonly reject: (refusal: Refusal) => void;
  readonly timer: NodeJS.Timeout;
}

/** An offset further ahead than this is taken for one of another numbering, as the real queue does. */
const AHEAD_MAX = 10;

export class UpdateQueue {
  #pending: Update[] = [];
  readonly #issued = new Map<number, Update>();
  /** Confirmed already, and handed out once more. */
  #again: Update[] = [];
  #nextId: number;
  #allowed: readonly string[] = [];
  #waiting: LongPoll | null = null;
  #waitingReply: Promise<Update[]> | null = null;
  /** Reverse the order within the next batch. */
  reverseNext = false;
  webhook: string | null = null;

  constructor(firstId: number) {
    this.#nextId = firstId;
  }

  get pending(): readonly Update[] {
    return this.#pending;
  }

  get polling(): boolean {
    return this.#waiting !== null;
  }

  /** Ids begin anew, as after an idle week. */
  renumber(nextId: number): void {
    this.#nextId = nextId;
  }

  /** Queues an update, unless the bot said that it does not want that kind. Returns its id or null. */
  add(kind: string, value: unknown): number | null {
    if (this.#allowed.length > 0 && !this.#allowed.includes(kind)) return null;
    const update = { update_id: this.#nextId++, [kind]: value };
    this.#issue(update);
    this.#finish();
    return update.update_id;
  }

  repeat(updateId: number, as: "same" | "new"): void {
    const update = this.#issued.get(updateId);
    if (!update) throw new Error(`no update ${updateId} was ever issued`);
    if (as === "same") this.#again.push(update);
    else this.#issue({ ...update, update_id: this.#nextId++ });
    this.#finish();
  }

  /** The next batch begins with these, whatever they are. */
  malform(rubbish: readonly unknown[]): void {
    this.#again.push(...(rubbish as Update[]));
    this.#finish();
  }

  poll(request: PollRequest): Promise<Update[]> {
    if (this.webhook !== null)
      throw new Refusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    if (request.allowed) this.#allowed = request.allowed;
    this.#confirm(request.offset);
    if (this.#pending.length + this.#again.length > 0 || request.timeoutMs === 0)
      return Promise.resolve(this.#batch(request));
    this.interrupt(
      new Refusal(
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
      ),
    );
    const reply = new Promise<Update[]>((resolve, reject) => {
      const timer = setTimeout(() => this.#finish(), request.timeoutMs);
      this.#waiting = { request, resolve, reject, timer };
    });
    this.#waitingReply = reply;
    return reply;
  }

  /** Ends the waiting poll with a refusal. */
  interrupt(refusal: Refusal): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting = null;
    waiting.reject(refusal);
  }

  /** A poll's connection is gone: nobody is there to take updates. Without `reply`: whichever poll waits. */
  forget(reply?: unknown): void {
    if (!this.#waiting || (reply !== undefined && this.#waitingReply !== reply)) return;
    clearTimeout(this.#waiting.timer);
    this.#waiting = null;
  }

  #issue(update: Update): void {
    this.#issued.set(update.update_id, update);
    this.#pending.push(update);
  }

  #confirm(offset: number): void {
    if (offset <= 0 || offset > this.#nextId + AHEAD_MAX) return;
    this.#pending = this.#pending.filter((update) => update.update_id >= offset);
  }

  #batch({ limit }: PollRequest): Update[] {
    const batch = [...this.#again, ...this.#pending].slice(0, limit);
    this.#again = [];
    if (!this.reverseNext) return batch;
    this.reverseNext = batch.length < 2;
    return batch.reverse();
  }

  #finish(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting = null;
    waiting.resolve(this.#batch(waiting.request));
  }
}
