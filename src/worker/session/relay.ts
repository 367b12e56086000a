/**
 * Between one adapter and the hub: what is asked goes up, what is answered comes down. It owns the promise "the hub knows all
 * that is still asked, and every result, exactly once", across any number of lost connections (ADR 4).
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { PromptId, ReplyId, SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { createRejection, type RejectionCode } from "../../model/answer/rejection.js";
import type { Reply } from "../../model/answer/reply.js";
import type {
  Adapter,
  InjectionGate,
  InjectionResult,
  StateChanged,
  WithdrawReason,
} from "../../sdk/adapter.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { isDisconnected, isUnstored, noteRefusal } from "./failed-calls.js";
import type { HubState } from "./unreached.js";
import { eventToWire } from "./wire-forms.js";
import { withTimeLimit } from "../../observe/within.js";

/** A hub that was killed is back within a second or two; a person who answered should not wait much longer to be told. */
export const BEGIN_WITHIN_MS = 5000;
/** The hub's disk is full or its database busy: that may be over soon, and what is to be told must not be lost meanwhile. */
const STORE_RETRY_MS = 1000;

/** The part of the link that the relay uses. A call rejects when the connection is lost; the relay then waits for the next one. */
export interface HubCaller {
  readonly connected: boolean;
  call<M extends keyof HubCalls>(
    method: M,
    params: ParamsOf<HubCalls, M>,
    options?: { readonly whenConnected?: boolean },
  ): Promise<ResultOf<HubCalls, M>>;
}

export interface RelayOptions {
  readonly sessionId: SessionId;
  readonly adapter: Adapter;
  readonly hub: HubCaller;
  readonly clock: Clock;
  /** The hub refused something that should have been legal; the tool goes on untouched. */
  readonly onTrouble: (error: unknown) => void;
  /** The tool asks something. */
  readonly onRaised?: (promptId: PromptId) => void;
  /** A question goes to the hub now. */
  readonly onRaising?: () => void;
}

interface Entry {
  readonly event: PromptEvent;
  /** The hub of this connection has it. */
  atHub: HubState;
  nonceHash: string | null;
  withdrawn: WithdrawReason | null;
  /** The answer that is being put in or was; `result` once it is known. */
  answer: { readonly replyId: ReplyId; result: InjectionResult | null } | null;
  syncing: boolean;
  again: boolean;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #entries = new Map<PromptId, Entry>();
  readonly #usedNonces = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #injecting = new Set<AbortController>();
  #done: Promise<void> = Promise.resolve();
  #state: StateChanged | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Begins to read the adapter's events. */
  start(): void {
    this.#done = this.#readEvents();
  }

  /** Resolves when the adapter has no more events and the hub was told all that can be told now. */
  async finished(): Promise<void> {
    await this.#done;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** The hub knows, or is to know, of something that is asked. */
  get isAsking(): boolean {
    return this.#entries.size > 0;
  }

  /** The questions that still stand, and what the hub of this connection made of them. */
  get standing(): ReadonlyMap<PromptId, HubState> {
    const standing = [...this.#entries.values()].filter(({ withdrawn }) => withdrawn === null);
    return new Map(standing.map(({ event, atHub }) => [event.promptId, atHub]));
  }

  /** A connection was (re)made and the session opened on it: everything that is still open is told again. */
  reconnected(): void {
    if (this.#state) this.#reportState(this.#state);
    for (const entry of this.#entries.values()) {
      entry.atHub = "unanswered";
      this.#track(this.#sync(entry));
    }
  }

  /** The hub handed over a claimed answer. Idempotent by reply id. */
  takeReply(reply: Reply): { accepted: boolean } {
    const entry = this.#entries.get(reply.promptId);
    if (entry?.answer?.replyId === reply.replyId) {
      if (entry.answer.result) this.#track(this.#sync(entry));
      return { accepted: true };
    }
    const problem = this.#problemWith(entry, reply);
    if (!entry || problem) this.#track(this.#refuseUnseen(reply, problem ?? "withdrawn"));
    else this.#track(this.#inject(entry, reply));
    return { accepted: true };
  }

  updateNonce(promptId: PromptId, nonceHash: string): void {
    const entry = this.#entries.get(promptId);
    if (entry) entry.nonceHash = nonceHash;
  }

  /** The hub is paused: of the answers under way nothing more is written. Later ones get no leave to begin. */
  halt(): void {
    for (const injection of this.#injecting) injection.abort();
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  async #readEvents(): Promise<void> {
    for await (const event of this.#options.adapter.events()) {
      if (event.kind === "raised") this.#raise(event.event);
      else if (event.kind === "withdrawn") this.#withdraw(event.promptId, event.reason);
      else this.#changeState(event);
    }
  }

  #changeState(event: StateChanged): void {
    this.#state = event;
    if (this.#options.hub.connected) this.#reportState(event);
  }

  #reportState({ state, said }: StateChanged): void {
    const { hub, sessionId } = this.#options;
    const told = hub.call("session.state", { sessionId, state, ...(said !== undefined && { said }) });
    told.catch(() => undefined); // the next connection, or the next state, says it anyway
  }

  #raise(event: PromptEvent): void {
    const entry: Entry = {
      event,
      atHub: "unanswered",
      nonceHash: null,
      withdrawn: null,
      answer: null,
      syncing: false,
      again: false,
    };
    this.#entries.set(event.promptId, entry);
    this.#track(this.#sync(entry));
    this.#options.onRaised?.(event.promptId);
  }

  #withdraw(promptId: PromptId, reason: WithdrawReason): void {
    const entry = this.#entries.get(promptId);
    if (!entry) return;
    entry.withdrawn = reason;
    this.#track(this.#sync(entry));
  }

  #problemWith(entry: Entry | undefined, reply: Reply): RejectionCode | null {
    if (!entry || entry.withdrawn) return "withdrawn";
    if (entry.answer) return "used";
    const hash = createHash("sha256").update(reply.nonce).digest("hex");
    return hash !== entry.nonceHash || this.#usedNonces.has(hash) ? "wrong_nonce" : null;
  }

  async #refuseUnseen(reply: Reply, code: RejectionCode): Promise<void> {
    const refusal = { promptId: reply.promptId, replyId: reply.replyId, rejection: createRejection(code) };
    const stillAsked = code === "wrong_nonce";
    const tell = async (): Promise<void> => {
      const { nonceHash } = await this.#options.hub.call("reply.refuse", { ...refusal, stillAsked });
      const entry = this.#entries.get(reply.promptId);
      if (entry && nonceHash) entry.nonceHash = nonceHash;
    };
    await this.#attempt(tell, () => this.#refuseUnseen(reply, code));
  }

  async #inject(entry: Entry, reply: Reply): Promise<void> {
    this.#usedNonces.add(entry.nonceHash ?? "");
    const answer: { replyId: ReplyId; result: InjectionResult | null } = {
      replyId: reply.replyId,
      result: null,
    };
    entry.answer = answer;
    const gate: InjectionGate = (plan) => this.#requestBegin(entry, reply, plan);
    const halt = new AbortController();
    this.#injecting.add(halt);
    answer.result = await this.#options.adapter.injectReply(reply, gate, halt.signal);
    this.#injecting.delete(halt);
    await this.#sync(entry);
  }

  /** Asked again over the next connection if this one is lost: the hub knows an injection that has begun by its reply. */
  async #requestBegin(
    entry: Entry,
    reply: Reply,
    { route, endsTool }: Parameters<InjectionGate>[0],
  ): Promise<void> {
    const { hub, clock } = this.#options;
    const { promptId, replyId } = reply;
    const { fingerprint } = entry.event;
    const begin = { promptId, replyId, route, fingerprint, endsTool };
    const begun = hub.call("injection.begin", begin, { whenConnected: true });
    await withTimeLimit(begun, BEGIN_WITHIN_MS, clock, "the hub did not record the injection in time");
  }

  /** What was raised and is not over; null for anything else. */
  findEvent(promptId: PromptId): PromptEvent | null {
    return this.#entries.get(promptId)?.event ?? null;
  }

  /** Tells the hub all that it does not know of this prompt yet, in order; one round at a time. */
  async #sync(entry: Entry): Promise<void> {
    if (entry.syncing) {
      entry.again = true;
      return;
    }
    entry.syncing = true;
    entry.again = false;
    const went = await this.#attempt(
      () => this.#syncOnce(entry),
      () => this.#sync(entry),
    );
    entry.syncing = false;
    if (went && wantsAnother(entry)) await this.#sync(entry);
  }

  async #syncOnce(entry: Entry): Promise<void> {
    const { hub } = this.#options;
    if (!hub.connected) return;
    if (entry.atHub !== "stored") {
      this.#options.onRaising?.();
      const { nonceHash } = await noteRefusal(entry, hub.call("prompt.raise", eventToWire(entry.event)));
      entry.atHub = "stored";
      entry.nonceHash = nonceHash ?? entry.nonceHash;
    }
    if (entry.answer?.result) await this.#reportResult(entry, entry.answer.replyId, entry.answer.result);
    if (entry.withdrawn) {
      await hub.call("prompt.withdraw", { promptId: entry.event.promptId, reason: entry.withdrawn });
      this.#entries.delete(entry.event.promptId);
    }
  }

  async #reportResult(entry: Entry, replyId: ReplyId, result: InjectionResult): Promise<void> {
    const { promptId } = entry.event;
    if (result.kind === "receipt") {
      await this.#options.hub.call("injection.end", { promptId, replyId, receipt: result.receipt });
      this.#entries.delete(promptId);
      return;
    }
    const { rejection: reason, stillAsked } = result;
    const { nonceHash } = await this.#options.hub.call("reply.refuse", {
      promptId,
      replyId,
      rejection: reason,
      stillAsked,
    });
    entry.answer = null;
    if (stillAsked && nonceHash) entry.nonceHash = nonceHash;
    else this.#entries.delete(promptId);
  }

  /**
   * False when the connection was lost (the next one begins again), the hub could not store it (`again` follows in a while), or
   * it refused (reported, not repeated).
   */
  async #attempt(action: () => Promise<void>, again: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      if (!isDisconnected(error)) this.#options.onTrouble(error);
      if (isUnstored(error)) this.#options.clock.after(STORE_RETRY_MS, () => this.#track(again()));
      return false;
    }
  }
}

/** Something changed while the round was under way. */
function wantsAnother(entry: Entry): boolean {
  return entry.again;
}
