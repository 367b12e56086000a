/**
 * Passes the prompts of one adapter to the hub, and answers back. The hub learns every open prompt and every result exactly once, across
 * lost connections (ADR 4).
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { PromptId, ReplyId, SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { createRefusal, type RefusalCode } from "../../model/answer/refusal.js";
import type { Reply } from "../../model/answer/reply.js";
import type { Adapter, InjectionGate, InjectionResult, StateChanged } from "../../sdk/adapter.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { isDisconnected, isUnstored, noteRefusal } from "./failed-calls.js";
import { RelayEntry } from "./relay-entry.js";
import type { HubState } from "./reach.js";
import { toWireEvent } from "./wire-conversion.js";
import { withTimeLimit } from "../../observe/within.js";

/** A killed hub returns within a second or two, and a person who answered should not wait much longer. */
export const BEGIN_WITHIN_MS = 5000;
/** The hub's disk is full or its database busy, which may soon pass; no report may be lost. */
const STORE_RETRY_MS = 1000;

/** A call rejects when the connection is lost; the relay then waits for the next one. */
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
  /** Called when the hub refused a valid call; the tool continues. */
  readonly onTrouble: (error: unknown) => void;
  readonly onReporting?: () => void;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #entries = new Map<PromptId, RelayEntry>();
  readonly #usedNonces = new Set<string>();
  readonly #pendingWork = new Set<Promise<void>>();
  readonly #injecting = new Set<AbortController>();
  #done: Promise<void> = Promise.resolve();
  #state: StateChanged | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  start(onRaised: () => void = () => undefined): void {
    this.#done = this.#readEvents(onRaised);
  }

  /** Resolves when the adapter has no more events, and the hub got every possible report. */
  async awaitFinished(): Promise<void> {
    await this.#done;
    while (this.#pendingWork.size > 0) await Promise.all(this.#pendingWork);
  }

  /** Prompts of whose end the hub was not informed. */
  get unsettledPrompts(): PromptId[] {
    return [...this.#entries.keys()];
  }

  get openPrompts(): ReadonlyMap<PromptId, HubState> {
    const stillOpen = [...this.#entries.values()].filter(({ withdrawn }) => withdrawn === null);
    return new Map(stillOpen.map(({ event, atHub }) => [event.promptId, atHub]));
  }

  /** Call when the session was opened on a connection: everything that is still open is reported again. */
  onConnected(): void {
    if (this.#state) this.#reportState(this.#state);
    for (const entry of this.#entries.values()) {
      entry.atHub = "unanswered";
      this.#track(this.#sync(entry));
    }
  }

  /** Takes a claimed answer from the hub. Idempotent by reply id. */
  takeReply(reply: Reply): { accepted: boolean } {
    const entry = this.#entries.get(reply.promptId);
    if (entry?.answer?.replyId === reply.replyId) {
      if (entry.answer.result) this.#track(this.#sync(entry));
      return { accepted: true };
    }
    const problem = this.#findProblem(entry, reply);
    if (!entry || problem) this.#track(this.#refuse(reply, problem ?? "withdrawn"));
    else this.#track(this.#inject(entry, reply));
    return { accepted: true };
  }

  updateNonce(promptId: PromptId, nonceHash: string): void {
    const entry = this.#entries.get(promptId);
    if (entry) entry.nonceHash = nonceHash;
  }

  /** Call when the hub is paused: the answers in progress write no more keys, and later ones get no permission. */
  halt(): void {
    for (const injection of this.#injecting) injection.abort();
  }

  #track(work: Promise<void>): void {
    this.#pendingWork.add(work);
    void work.finally(() => this.#pendingWork.delete(work));
  }

  async #readEvents(onRaised: () => void): Promise<void> {
    for await (const event of this.#options.adapter.events()) {
      if (event.kind === "state") {
        this.#changeState(event);
        continue;
      }
      const promptId = event.kind === "raised" ? event.event.promptId : event.promptId;
      if (event.kind === "raised") this.#entries.set(promptId, new RelayEntry(event.event));
      const entry = this.#entries.get(promptId);
      if (!entry) continue;
      if (event.kind === "withdrawn") entry.withdrawn = event;
      if (event.kind === "noted") entry.note = event.note;
      this.#track(this.#sync(entry));
      if (event.kind === "raised") onRaised();
    }
  }

  #changeState(event: StateChanged): void {
    this.#state = event;
    if (this.#options.hub.connected) this.#reportState(event);
  }

  #reportState({ state, said }: StateChanged): void {
    const { hub, sessionId } = this.#options;
    this.#options.onReporting?.();
    const report = hub.call("session.state", { sessionId, state, ...(said !== undefined && { said }) });
    report.catch(() => undefined); // the next connection, or the next state, reports it anyway
  }

  #findProblem(entry: RelayEntry | undefined, reply: Reply): RefusalCode | null {
    if (!entry || entry.withdrawn) return "withdrawn";
    if (entry.answer) return "used";
    const hash = createHash("sha256").update(reply.nonce).digest("hex");
    return hash !== entry.nonceHash || this.#usedNonces.has(hash) ? "wrong_nonce" : null;
  }

  async #refuse(reply: Reply, code: RefusalCode): Promise<void> {
    const refusal = { promptId: reply.promptId, replyId: reply.replyId, rejection: createRefusal(code) };
    const stillAsked = code === "wrong_nonce";
    const tell = async (): Promise<void> => {
      const { nonceHash } = await this.#options.hub.call("reply.refuse", { ...refusal, stillAsked });
      const entry = this.#entries.get(reply.promptId);
      if (entry && nonceHash) entry.nonceHash = nonceHash;
    };
    await this.#attempt(tell, () => this.#refuse(reply, code));
  }

  async #inject(entry: RelayEntry, reply: Reply): Promise<void> {
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

  /** Repeated on the next connection: the hub recognizes the reply. */
  async #requestBegin(
    entry: RelayEntry,
    reply: Reply,
    { route, endsTool }: Parameters<InjectionGate>[0],
  ): Promise<void> {
    const { hub, clock } = this.#options;
    const { promptId, replyId } = reply;
    const begin = { promptId, replyId, route, fingerprint: entry.event.fingerprint, endsTool };
    const permission = hub.call("injection.begin", begin, { whenConnected: true });
    await withTimeLimit(permission, BEGIN_WITHIN_MS, clock, "the hub did not record the injection in time");
  }

  /** Null unless the prompt is still open. */
  findEvent(promptId: PromptId): PromptEvent | null {
    return this.#entries.get(promptId)?.event ?? null;
  }

  /** Reports everything about this prompt that the hub does not know yet, in order; one round at a time. */
  async #sync(entry: RelayEntry): Promise<void> {
    if (entry.syncing) {
      entry.again = true;
      return;
    }
    entry.syncing = true;
    const went = await this.#attempt(
      () => this.#syncOnce(entry),
      () => this.#sync(entry),
    );
    entry.syncing = false;
    if (went && entry.again) await this.#sync(entry);
  }

  async #syncOnce(entry: RelayEntry): Promise<void> {
    entry.again = false;
    const { hub } = this.#options;
    if (!hub.connected) return;
    if (entry.atHub !== "stored") {
      this.#options.onReporting?.();
      const { nonceHash } = await noteRefusal(entry, hub.call("prompt.raise", toWireEvent(entry.event)));
      entry.atHub = "stored";
      entry.nonceHash = nonceHash ?? entry.nonceHash;
    }
    if (entry.note !== null) {
      const { note } = entry;
      entry.note = null;
      // An older hub refuses it, which must not prevent later reports.
      const noted = hub.call("prompt.note", { promptId: entry.event.promptId, note });
      noted.catch((error: unknown) => {
        if (isDisconnected(error)) entry.note ??= note;
      });
    }
    if (entry.answer?.result) await this.#reportResult(entry, entry.answer.replyId, entry.answer.result);
    if (entry.withdrawn) {
      const { reason, answer } = entry.withdrawn;
      const { promptId } = entry.event;
      await hub.call("prompt.withdraw", { promptId, reason, ...(answer !== undefined && { answer }) });
      this.#entries.delete(entry.event.promptId);
    }
  }

  async #reportResult(entry: RelayEntry, replyId: ReplyId, result: InjectionResult): Promise<void> {
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
   * Returns false when the connection was lost (the next one repeats it), the hub could not store it (`again` follows later), or it refused
   * (reported, not repeated).
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
