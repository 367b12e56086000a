/**
 * Sends claimed replies to their workers, once per connection, until the worker has begun or refused. An acknowledgement only
 * means that the worker received it; its result may be lost with the connection. A worker takes each reply id once, so
 * repeating is safe.
 */
import type { Cancel } from "../../model/clock.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { createRefusal } from "../../model/answer/refusal.js";
import { toReply, type ReplyRow } from "../store/tables/replies.js";
import { withTimeLimit } from "../../observe/within.js";
import { isClaimProved } from "../ledger/answer-record.js";
import { refuseReply } from "./injection.js";
import type { Ledger } from "../ledger/ledger.js";
import { NumberMarks } from "./approval/number-marks.js";
import { isPaused } from "../ledger/pause.js";

/** Delay before a connected worker that was too busy to respond gets the reply again. */
const RETRY_MS = 2_000;
/** A live worker responds at once; pausing does not wait for a dead one. */
const HALTED_WITHIN_MS = 2_000;

/** Never rejects: a lost worker types no key, and gets the call when it reconnects. */
function halt(link: WorkerLink): Promise<unknown> {
  return link.call("answers.halt", {}).catch(() => undefined);
}

export class ReplySender {
  readonly #ledger: Ledger;
  readonly #links = new Map<string, WorkerLink>();
  /** The connection on which each reply was offered last, in progress or acknowledged. */
  readonly #offered = new Map<string, WorkerLink>();
  readonly #marks: NumberMarks;
  readonly #retries = new Map<string, Cancel>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#marks = new NumberMarks(ledger, (sessionId) => this.findLink(sessionId));
  }

  promptChanged(promptId: string): void {
    this.#marks.promptChanged(promptId);
  }

  updateMarks(sessionId: string): void {
    this.#marks.update(sessionId);
  }

  connected(sessionId: string, link: WorkerLink): void {
    this.disconnected(sessionId);
    this.#links.set(sessionId, link);
    // An injection that began at this worker may have continued while it was disconnected.
    if (isPaused(this.#ledger)) void halt(link);
    this.sendOpen(sessionId);
    this.#marks.update(sessionId);
  }

  disconnected(sessionId: string): void {
    const link = this.#links.get(sessionId);
    this.#links.delete(sessionId);
    for (const [replyId, offered] of this.#offered) if (offered === link) this.#offered.delete(replyId);
  }

  isConnected(sessionId: string): boolean {
    return this.#links.has(sessionId);
  }

  findLink(sessionId: string): WorkerLink | null {
    return this.#links.get(sessionId) ?? null;
  }

  /** Tells every worker to type nothing more. Resolves when all connected ones have acknowledged, or after a time limit. */
  async halt(): Promise<void> {
    const halted = Promise.all([...this.#links.values()].map(halt));
    await withTimeLimit(halted, HALTED_WITHIN_MS, this.#ledger.options.clock).catch(() => undefined);
  }

  sendOpen(sessionId: string): void {
    const { store } = this.#ledger;
    for (const reply of store.replies.listOpenInSession(sessionId)) this.#send(reply);
  }

  stop(): void {
    for (const cancel of this.#retries.values()) cancel();
    this.#links.clear();
  }

  #send(reply: ReplyRow): void {
    const link = this.#links.get(reply.sessionId);
    if (!link || this.#offered.get(reply.replyId) === link) return;
    const prompt = this.#ledger.store.prompts.find(reply.promptId);
    this.#offered.set(reply.replyId, link);
    const { promptId } = reply;
    if (prompt === null || !isClaimProved(this.#ledger, prompt, reply)) {
      refuseReply(this.#ledger, { ...reply, rejection: createRefusal("unproved"), stillAsked: true });
      return;
    }
    const { nonceHash } = prompt;
    // The worker may have missed the nonce hash (its acknowledgement was lost); this connection preserves the order.
    const updated =
      nonceHash == null ? Promise.resolve({}) : link.call("nonce.update", { promptId, nonceHash });
    const delivered = link.call("reply.deliver", toReply(reply));
    Promise.all([delivered, updated])
      .then(([{ accepted }]) => this.#noteAcknowledged(reply, link, accepted))
      .catch((error: unknown) => this.#failed(reply, link, error));
  }

  #noteAcknowledged(reply: ReplyRow, link: WorkerLink, accepted: boolean): void {
    const { store } = this.#ledger;
    if (this.#offered.get(reply.replyId) !== link || !store.isOpen) return;
    if (accepted) store.write(() => store.replies.markHeld(reply.replyId));
    else refuseReply(this.#ledger, { ...reply, rejection: createRefusal("wrong_nonce"), stillAsked: true });
  }

  #failed(reply: ReplyRow, link: WorkerLink, error: unknown): void {
    const { sessionId, replyId } = reply;
    if (this.#offered.get(replyId) !== link) return;
    this.#offered.delete(replyId);
    const { log, clock } = this.#ledger.options;
    log("warn", "a worker did not take a reply", { sessionId, replyId, error: String(error) });
    if (this.#links.get(sessionId) !== link) return;
    this.#retries.get(sessionId)?.();
    this.#retries.set(
      sessionId,
      clock.after(RETRY_MS, () => this.sendOpen(sessionId)),
    );
  }
}
