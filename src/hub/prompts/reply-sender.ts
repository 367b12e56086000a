/**
 * Brings claimed replies to their workers: once a connection, until the worker began or refused. An acknowledgement only says that
 * the worker had it, and what it wanted to say of it may be lost with the connection. A worker takes the same reply once (by its
 * id), so again does no harm.
 */
import type { Cancel } from "../../model/clock.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { rejection } from "../../model/answer/rejection.js";
import { toReply, type ReplyRow } from "../store/tables/replies.js";
import { within } from "../../observe/within.js";
import { isClaimProved } from "../ledger/claim-proof.js";
import { refuseReply } from "./injection.js";
import type { Ledger } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";

/** A connected worker that did not take a reply (too busy to answer in time) is asked again. */
const RETRY_MS = 2_000;
/** A worker that is alive hears at once; whoever pauses does not wait for one that is not. */
const HALTED_WITHIN_MS = 2_000;

/** Never rejects: a worker that is gone writes nothing, and one that comes back is told then. */
function halt(link: WorkerLink): Promise<unknown> {
  return link.call("answers.halt", {}).catch(() => undefined);
}

export class ReplySender {
  readonly #ledger: Ledger;
  readonly #links = new Map<string, WorkerLink>();
  /** Where each reply was offered last: under way, or acknowledged. */
  readonly #offered = new Map<string, WorkerLink>();
  readonly #retries = new Map<string, Cancel>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The session's worker is there (again): what it has not acted on is sent. */
  connected(sessionId: string, link: WorkerLink): void {
    this.disconnected(sessionId);
    this.#links.set(sessionId, link);
    // What has begun at this worker may go on while it was away.
    if (isPaused(this.#ledger)) void halt(link);
    this.sendOpen(sessionId);
  }

  disconnected(sessionId: string): void {
    const link = this.#links.get(sessionId);
    this.#links.delete(sessionId);
    for (const [replyId, offered] of this.#offered) if (offered === link) this.#offered.delete(replyId);
  }

  isConnected(sessionId: string): boolean {
    return this.#links.has(sessionId);
  }

  /** Null while the session's worker is not connected. */
  linkOf(sessionId: string): WorkerLink | null {
    return this.#links.get(sessionId) ?? null;
  }

  /** Nothing more is to be written anywhere. Resolves once every connected worker has heard of it, or after a moment. */
  async halt(): Promise<void> {
    const heard = Promise.all([...this.#links.values()].map(halt));
    await within(heard, HALTED_WITHIN_MS, this.#ledger.options.clock).catch(() => undefined);
  }

  /** Sends every claimed reply that was not offered on this connection. */
  sendOpen(sessionId: string): void {
    const { store } = this.#ledger;
    // What another program may have written is looked at first.
    this.#ledger.look();
    for (const reply of store.replies.listOpenOf(sessionId)) this.#send(reply);
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
      refuseReply(this.#ledger, { ...reply, rejection: rejection("unproved"), stillAsked: true });
      return;
    }
    const { nonceHash } = prompt;
    // The worker may have missed the hash (its acknowledgement was lost), and this connection keeps the order.
    const told = nonceHash == null ? Promise.resolve({}) : link.call("nonce.update", { promptId, nonceHash });
    const taken = link.call("reply.deliver", toReply(reply));
    Promise.all([taken, told])
      .then(([{ accepted }]) => this.#acknowledged(reply, link, accepted))
      .catch((error: unknown) => this.#failed(reply, link, error));
  }

  #acknowledged(reply: ReplyRow, link: WorkerLink, accepted: boolean): void {
    const { store } = this.#ledger;
    if (this.#offered.get(reply.replyId) !== link || !store.isOpen) return;
    if (accepted) store.write(() => store.replies.markHeld(reply.replyId));
    else refuseReply(this.#ledger, { ...reply, rejection: rejection("wrong_nonce"), stillAsked: true });
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
