/**
 * Sends the outbox: one call at a time per place (slow calls are passed), at the service's rate, prompts before edits, with
 * retries, and never before the row is committed. A crash repeats at most one call and loses none.
 */
import type { Cancel, Clock } from "../../model/clock.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Random } from "../../observe/random.js";
import { DeliveryError } from "../../sdk/channel.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import { canWait, type OutboxRow } from "../store/tables/outbox.js";
import { computeBackoffMs, computeCardBackoffMs } from "./backoff.js";
import { repostChangedText, rememberCard, settleLateTwin } from "./cards.js";
import type { PlaceQueue, InFlightCall } from "./place-queue.js";
import { PlaceQueues } from "./place-queues.js";
import type { PlaceProblems } from "./place-problems.js";
import {
  BACKOFF_MAX_MS,
  FREE_FOR_PROMPTS,
  PASS_AFTER_MS,
  SEND_TIMEOUT_MS,
  STARTS_PER_TURN_MAX,
  STOP_GRACE_MS,
  WRITE_AGAIN_MS,
} from "./limits.js";
import type { Log } from "../../observe/log.js";
import type { NoticeParts } from "./notices/build-notice.js";
import { planCall, isObsolete } from "./outbox-call.js";
import type { People } from "../people/people.js";
import { isAbandoned, type ConfiguredChannel } from "../people/routing.js";
import { withTimeLimit } from "../../observe/within.js";

export interface SchedulerOptions extends NoticeParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  readonly people: () => People;
  readonly deliverAfterMs: () => number;
  /** Moves deadlines and due times if the wall clock was set. */
  readonly followClock: () => void;
  readonly places: PlaceProblems;
  readonly log: Log;
}

interface SentContent {
  readonly shownHash: string | null;
  readonly text: string | null;
}

interface QueuedCall {
  readonly placeQueue: PlaceQueue;
  readonly call: InFlightCall;
}

export class OutboxScheduler {
  readonly #options: SchedulerOptions;
  readonly #placeQueues = new PlaceQueues();
  readonly #underway = new Set<Promise<void>>();
  readonly #sending = new Set<number>();
  /** By delivery: when a card that failed was due first, in ms since the machine started. In memory only. */
  readonly #dueFirst = new Map<string, number>();
  #cancelTimer: Cancel = () => undefined;
  #running = false;
  #looked = false;
  #again = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.kick();
  }

  /**
   * Schedules due rows after a commit, a finished call or a timer. Runs at once, or once more in the next turn if it already
   * ran in this one: each run reads the whole outbox, and events come in bursts.
   */
  kick(): void {
    if (!this.#running) return;
    if (this.#looked) {
      this.#again = true;
      return;
    }
    this.#looked = true;
    setImmediate(() => {
      this.#looked = false;
      if (this.#again) this.#kickSafely();
    });
    this.#startDue();
  }

  retryNow(channel: string): void {
    const { store, clock } = this.#options;
    if (!this.#running || !store.isOpen) return;
    if (!this.#followClock()) return;
    this.#writeSafely(() => store.outbox.retryNow(channel, clock.now()));
    this.#kickSafely();
  }

  #startDue(): void {
    this.#again = false;
    this.#cancelTimer();
    if (!this.#followClock()) return;
    const now = this.#options.clock.now();
    this.#recallFromFuture(now);
    const wakes: (number | null)[] = [];
    const startedBefore = this.#underway.size;
    const heads = this.#options.store.outbox.heads(now, [...this.#sending]);
    for (const row of this.#placeQueues.sort(heads)) {
      if (this.#underway.size - startedBefore === STARTS_PER_TURN_MAX) {
        this.#again = true;
        break;
      }
      wakes.push(this.#tryStart(row));
    }
    const nextDueAt = this.#options.store.outbox.findNextDueAt(now);
    if (nextDueAt !== null) wakes.push(nextDueAt - now);
    else if (heads.length + this.#sending.size === 0) this.#dueFirst.clear();
    const wakeMs = Math.min(...wakes.filter((wake) => wake !== null));
    if (Number.isFinite(wakeMs))
      this.#cancelTimer = this.#options.clock.after(wakeMs, () => this.#kickSafely());
  }

  noteWrite(channel: string, place: string): void {
    this.#placeQueues.noteWrite(channel, place, this.#options.clock.monotonic());
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#cancelTimer();
    this.#options.places.stop();
    const all = Promise.all(this.#underway);
    await withTimeLimit(all, STOP_GRACE_MS, this.#options.clock).catch(() => undefined);
  }

  /** A card must not be given up for a deadline that is still to be moved: what cannot be moved now is tried again. */
  #followClock(): boolean {
    const { followClock, clock, log } = this.#options;
    try {
      followClock();
      return true;
    } catch (error) {
      log("error", "due times could not follow the wall clock", { error: String(error) });
      this.#cancelTimer();
      this.#cancelTimer = clock.after(WRITE_AGAIN_MS, () => this.#kickSafely());
      return false;
    }
  }

  /** Pulls in rows dated too far ahead: the clock that dated them has been set back since. */
  #recallFromFuture(now: number): void {
    const { store, deliverAfterMs } = this.#options;
    const latest = now + Math.max(BACKOFF_MAX_MS, deliverAfterMs());
    const dueAt = store.outbox.findLastDueAt();
    if (dueAt !== null && dueAt > latest) this.#writeSafely(() => store.outbox.pullIn(latest, now));
  }

  /** Starts the call if it may start now. Otherwise returns the ms until it may, or null if another event will trigger it. */
  #tryStart(row: OutboxRow): number | null {
    if (row.kind === "deliver" && !canWait(row)) this.#options.places.noteDue(row);
    if (this.#placeQueues.isBusy(row.channel, row.place)) return null;
    const configuredChannel = this.#options.configuredChannels().find(({ id }) => id === row.channel);
    if (!configuredChannel) return this.#abandon(row, "no_channel");
    if (this.#isUnwanted(row, configuredChannel)) return this.#abandon(row, "closed");
    const at = this.#options.clock.monotonic();
    const placeQueue = this.#placeQueues.getQueue(configuredChannel, row.place, at);
    const traits = { keptFree: canWait(row) ? FREE_FOR_PROMPTS : 0, isEdit: row.kind === "settle" };
    const waitMs = placeQueue.waitMs(at, traits);
    if (waitMs > 0) return waitMs;
    const queued = { placeQueue, call: placeQueue.begin(at, traits) };
    this.#placeQueues.noteTurn(row);
    const sent = this.#send(row, configuredChannel, queued).finally(() => this.#underway.delete(sent));
    this.#underway.add(sent);
    return null;
  }

  /** Whether its reason is gone, or it would be a new message where nothing may be posted any more. A posted card is still edited. */
  #isUnwanted(row: OutboxRow, configuredChannel: ConfiguredChannel): boolean {
    const { store, clock, people } = this.#options;
    const { places, capabilities } = configuredChannel;
    const isPost = row.kind === "deliver" || !capabilities.edit;
    const isGone = !places.includes(row.place) || isAbandoned(configuredChannel, row.place, people());
    return (isPost && isGone) || isObsolete(store, row, clock.now());
  }

  async #send(
    row: OutboxRow,
    configuredChannel: ConfiguredChannel,
    { placeQueue, call }: QueuedCall,
  ): Promise<void> {
    const { store, clock } = this.#options;
    this.#sending.add(row.outboxId);
    const cancel = clock.after(PASS_AFTER_MS, () => {
      if (placeQueue.passSlowCall(call)) this.#kickSafely();
    });
    const firstDue = this.#findFirstDue(row);
    const lateMs = clock.sinceBoot() - firstDue;
    let record: () => void;
    try {
      const { run, shownHash } = planCall(this.#options, row, configuredChannel, lateMs);
      const text = store.deliveries.find(row.deliveryId)?.text ?? null;
      if (row.kind === "settle") void failPoint("settle");
      const ref = await withTimeLimit(run(), SEND_TIMEOUT_MS, clock);
      if (row.kind === "deliver") this.#notePlaceReached(row);
      record = () => this.#noteSent(row, ref, { shownHash, text });
    } catch (error) {
      record = this.#failed(row, placeQueue, firstDue, error);
    } finally {
      cancel();
      placeQueue.end(call);
    }
    this.#record(row, record);
  }

  /** After a failed call a row is due anew. */
  #findFirstDue({ deliveryId, dueAt, attempts }: OutboxRow): number {
    const { clock } = this.#options;
    const known = attempts > 0 ? this.#dueFirst.get(deliveryId) : undefined;
    return known ?? clock.sinceBoot() - (clock.now() - dueAt);
  }

  /**
   * Until what became of a call is on disk, it is under way: while nothing can be written its card would be posted again and again, and a
   * service that is away asked without a pause. Stored due times follow the wall clock first: a new one must not be moved again.
   */
  #record(row: OutboxRow, work: () => void): void {
    const { store, clock } = this.#options;
    if (!store.isOpen) return;
    if (this.#followClock() && this.#writeSafely(work)) {
      this.#sending.delete(row.outboxId);
      this.#kickSafely();
    } else if (this.#running) clock.after(WRITE_AGAIN_MS, () => this.#record(row, work));
  }

  #notePlaceReached(row: OutboxRow): void {
    void failPoint("sent");
    this.#options.places.notePosted(row);
  }

  /** Called from event handlers, which cannot handle an error. What cannot be read now is retried with the next commit or message. */
  #kickSafely(): void {
    try {
      this.kick();
    } catch (error) {
      this.#options.log("error", "the outbox could not be read", { error: String(error) });
    }
  }

  #noteSent(row: OutboxRow, ref: DeliveryRow["ref"], { shownHash, text }: SentContent): void {
    const { store, clock } = this.#options;
    const delivery = store.deliveries.find(row.deliveryId);
    const now = clock.now();
    const latest = store.outbox.complete(row);
    this.#dueFirst.delete(row.deliveryId);
    if (!delivery) return;
    if (row.kind === "deliver" && ref !== null)
      settleLateTwin(store, rememberCard(this.#options, delivery, ref, now), now);
    if (row.kind === "deliver" && delivery.role === "idle")
      repostChangedText(this.#options, delivery, text, now);
    const isOver = row.kind === "settle" && latest && row.outcome?.final === true;
    if (isOver) store.deliveries.setState(row.deliveryId, "settled");
    if (shownHash !== null) store.deliveries.setShown(row.deliveryId, shownHash);
    const { channel, place, deliveryId } = row;
    store.audit.append(now, {
      step:
        row.kind === "deliver" ? "card_posted" : row.outcome?.final === true ? "card_settled" : "card_edited",
      sessionId: delivery.sessionId,
      promptId: delivery.promptId,
      details: { channel, place, deliveryId, ...(shownHash === null ? {} : { shownHash }) },
    });
  }

  /** `firstDue`: from before the call, because the wall clock may have been set since. */
  #failed(row: OutboxRow, placeQueue: PlaceQueue, firstDue: number, error: unknown): () => void {
    const { store, clock, random, log, places } = this.#options;
    const known = error instanceof DeliveryError ? error : null;
    const { channel, place, kind, attempts } = row;
    const details = { channel, place, kind, attempts: attempts + 1, error: String(error) };
    log(known ? "warn" : "error", "a message could not be sent", details);
    if (known?.permanent) {
      if (kind === "deliver" || known.isPlaceClosed) places.noteRefusal(channel, place, known.message);
      return () => this.#giveUp(row, "refused");
    }
    const serviceDelayMs = known?.retryAfterMs ?? null;
    if (serviceDelayMs !== null) placeQueue.pause(clock.monotonic() + serviceDelayMs);
    const isAwaited = kind === "deliver" && !canWait(row);
    const waitMs = serviceDelayMs ?? (isAwaited ? computeCardBackoffMs : computeBackoffMs)(attempts, random);
    const until = clock.monotonic() + waitMs;
    if (kind === "deliver") {
      places.noteFailed(row, known?.message ?? String(error));
      this.#dueFirst.set(row.deliveryId, firstDue);
    }
    return () => {
      // The monotonic clock counts fractions, which the table does not take.
      const leftMs = Math.ceil(Math.max(0, until - clock.monotonic()));
      store.outbox.postpone(row, clock.now() + leftMs);
    };
  }

  #abandon(row: OutboxRow, reason: "closed" | "no_channel"): number {
    return this.#writeSafely(() => this.#giveUp(row, reason)) ? 0 : WRITE_AGAIN_MS;
  }

  /** Gives up a card and records it. If it was posted after all, a tap on it is still recognized (`rememberCard`). */
  #giveUp(row: OutboxRow, reason: "closed" | "no_channel" | "refused"): void {
    const { store, clock } = this.#options;
    this.#options.places.noteAbandoned(row);
    const delivery = store.deliveries.find(row.deliveryId);
    store.outbox.drop(row.deliveryId);
    this.#dueFirst.delete(row.deliveryId);
    store.deliveries.setState(row.deliveryId, "abandoned");
    store.audit.append(clock.now(), {
      step: "card_abandoned",
      sessionId: delivery?.sessionId ?? null,
      promptId: delivery?.promptId ?? null,
      details: { channel: row.channel, place: row.place, deliveryId: row.deliveryId, reason },
    });
  }

  #writeSafely(work: () => void): boolean {
    try {
      this.#options.store.write(work);
      return true;
    } catch (error) {
      this.#options.log("error", "the outbox could not be written", { error: String(error) });
      return false;
    }
  }
}
