/**
 * The hub without its socket: ledger, delivery and timers in one object, for the composition and the server.
 *
 *   const hub = await openHub({ databasePath, clock, random, safeText, redact, settings, processAlive, log, version });
 *   await hub.useChannels(channels);   // each made with `core.channelHost(id)` in its host
 *   await hub.start();              // replays what a former run left, starts timers and channels
 * Everything it acknowledges is on disk; after `kill -9` at any instant a new one on the same file goes on from there.
 */
import type { Cancel } from "../../model/clock.js";
import { asId, type Identity, type SessionId } from "../../model/ids.js";
import { failPoint } from "../../observe/fail-point.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { InboxWorker } from "../delivery/inbox.js";
import { getDisplayName, findMembership } from "../people/people.js";
import { findQuietEnd } from "../people/quiet-hours.js";
import { OutboxScheduler } from "../delivery/outbox-scheduler.js";
import type { ConfiguredChannel } from "../people/routing.js";
import { askAlways } from "../policy/verdict.js";
import type { HubOptions } from "./hub-options.js";
import type { Store } from "../store/store.js";
import { recordStart } from "../ledger/record-start.js";
import { runAskAgain } from "../prompts/ask-again.js";
import { mendForeignWrites } from "../prompts/mend-foreign-writes.js";
import { ForeignWatch } from "../ledger/foreign-watch.js";
import { findExpiryAnswer } from "../prompts/expiry.js";
import { DeadlineTimer } from "../prompts/deadline-timer.js";
import { AdmissionLedger } from "../sessions/door.js";
import { runSessionAction } from "../sessions/session-actions.js";
import type { SessionLinks } from "../ledger/session-links.js";
import { ledgerHandlers, type LedgerHandlers } from "./handlers.js";
import { createInboundHandler } from "../inbound/inbound.js";
import { createLedgerHost, type LedgerHost } from "./ledger-host.js";
import { Ledger, type LedgerSettings } from "../ledger/ledger.js";
import type { DomainEvent } from "../ledger/domain-event.js";
import { getLedgerStatus, type LedgerStatus } from "./listings.js";
import { LostSessions } from "../sessions/lost-sessions.js";
import { shouldStoreUpdate } from "../inbound/may-keep.js";
import { PendingPairings } from "../inbound/pairing-desk.js";
import { setPaused } from "../ledger/pause.js";
import { createRefusal } from "../ledger/refused.js";
import { ProgressLines } from "../sessions/progress.js";
import { PromptWaits } from "../prompts/prompt-waits.js";
import { ReachReporter } from "../sessions/reach-reporter.js";
import { ReplySender } from "../prompts/reply-sender.js";
import { RetentionTimer } from "../ledger/retention-timer.js";
import { closeSession } from "../sessions/sessions.js";
import { TaskSender } from "../tasks/task-sender.js";
import { Watchers } from "./watchers.js";

export class Hub {
  /** The wire's calls, except `hub.status`, `hub.reload` and `pairing.begin`, which the composition answers. */
  readonly handlers: LedgerHandlers;
  readonly pairing: PendingPairings;
  readonly reach: ReachReporter;
  readonly admissionLedger: AdmissionLedger;
  readonly foreignWatch: ForeignWatch;
  readonly #ledger: Ledger;
  readonly #sender: ReplySender;
  readonly #tasks: TaskSender;
  readonly #progress: ProgressLines;
  readonly #outbox: OutboxScheduler;
  readonly #inbox: InboxWorker;
  readonly #deadlines: DeadlineTimer;
  readonly #retention: RetentionTimer;
  readonly #lost: LostSessions;
  readonly #waits: PromptWaits;
  readonly #watchers = new Watchers();
  readonly #actions: SessionLinks;
  #settings: LedgerSettings;
  #configuredChannels: readonly ConfiguredChannel[] = [];
  #running = false;
  #draining = false;
  /** Resolves when the workers have received the last pause. */
  #halted: Promise<void> = Promise.resolve();

  constructor(store: Store, options: HubOptions) {
    const { clock, random, safeText, log, processAlive, version, decide = askAlways } = options;
    const configuredChannels = (): readonly ConfiguredChannel[] => this.#configuredChannels;
    this.#settings = options.settings;
    const settings = (): LedgerSettings => this.#settings;
    const onEvent = (event: DomainEvent): void => this.#dispatch(event);
    const processStopped = options.processStopped ?? ((): boolean => false);
    const given = { clock, random, safeText, log, decide, processStopped, mendForeignWrites };
    const isConnected = (sessionId: string): boolean => this.#sender.isConnected(sessionId);
    this.#ledger = new Ledger({ ...given, isConnected, store, settings, configuredChannels, onEvent });
    this.#sender = new ReplySender(this.#ledger);
    const linkOf: SessionLinks["linkOf"] = (sessionId) => this.#sender.findLink(sessionId);
    this.#actions = { ledger: this.#ledger, linkOf, paintScreen: options.paintScreen ?? null };
    this.reach = new ReachReporter(this.#ledger, linkOf);
    this.#progress = new ProgressLines(this.#ledger);
    this.#tasks = new TaskSender(this.#ledger, linkOf);
    const quiet = (): boolean => findQuietEnd(settings().quiet_hours, clock.now()) !== null;
    const deliverAfterMs = (): number => settings().prompts.deliver_after;
    const shared = { store, clock, configuredChannels, log };
    const { notePlace: onPlace, onLate } = this.reach;
    const notices = { safeText, settings, quiet, expiryValue: findExpiryAnswer };
    this.#outbox = new OutboxScheduler({ ...shared, ...notices, random, deliverAfterMs, onPlace, onLate });
    this.pairing = new PendingPairings(clock, random);
    this.#inbox = new InboxWorker({
      ...shared,
      admit: (configuredChannel, raw) =>
        shouldStoreUpdate(this.#ledger, this.pairing, configuredChannel, raw),
      commit: (work) => this.#ledger.commit(() => work()),
      handle: createInboundHandler(this.#ledger, this.pairing, this.reach),
    });
    this.#deadlines = new DeadlineTimer(this.#ledger);
    this.#retention = new RetentionTimer(this.#ledger, this.#ledger.disk);
    this.#lost = new LostSessions(this.#ledger, { processAlive, isConnected });
    this.#waits = new PromptWaits(this.#ledger);
    this.admissionLedger = new AdmissionLedger(this.#ledger);
    this.foreignWatch = new ForeignWatch(this.#ledger, () => this.reach.reportChanged());
    const parts = { waits: this.#waits, pairing: this.pairing, actions: this.#actions, reach: this.reach };
    const handlers = ledgerHandlers({ ledger: this.#ledger, version, isConnected, linkOf, ...parts });
    this.handlers = { ...handlers, "prompt.answer": (...call) => this.#rejectToNextHub(handlers, ...call) };
  }

  /** Replaces the channels: stops those that are gone and starts new ones once the core runs. */
  async useChannels(configuredChannels: readonly ConfiguredChannel[]): Promise<void> {
    const before = this.#configuredChannels;
    this.#configuredChannels = configuredChannels;
    const gone = before.filter(
      ({ channel }) => !configuredChannels.some((configuredChannel) => configuredChannel.channel === channel),
    );
    const added = configuredChannels.filter(
      ({ channel }) => !before.some((configuredChannel) => configuredChannel.channel === channel),
    );
    await Promise.all(gone.map(({ channel }) => channel.stop()));
    if (!this.#running) return;
    this.#outbox.kick();
    await this.#startChannels(added);
  }

  /** The ledger's part of a `ChannelHost`. */
  channelHost(channel: string): LedgerHost {
    return createLedgerHost(this.#ledger, channel, {
      wrote: (place) => this.#outbox.noteWrite(channel, place),
      reportPlace: (place, refusal) => this.reach.notePlace(channel, place, refusal),
    });
  }

  /** Applies the people and prompt settings of a reloaded configuration, from the next step on. */
  reconfigure(settings: LedgerSettings): void {
    this.#settings = settings;
    this.#deadlines.arm();
    if (this.#running) this.#retention.start();
  }

  /** Continues where the previous run ended, whenever it was killed. */
  async start(): Promise<void> {
    this.#running = true;
    recordStart(this.#ledger);
    this.#inbox.start();
    this.#deadlines.start();
    this.#retention.start();
    this.#outbox.start();
    this.#lost.start();
    this.#tasks.start();
    this.#progress.start();
    await this.#startChannels(this.#configuredChannels);
  }

  /** Called when a worker has opened its session: it receives the replies that it has not acted on. */
  connected(sessionId: string, link: WorkerLink): void {
    this.#sender.connected(sessionId, link);
    this.reach.connected(sessionId);
    this.#watchers.notifyChanged();
    this.#tasks.sendNext(asId<SessionId>(sessionId));
  }

  /** Called when the session's connection ended. The session itself may still run. */
  disconnected(sessionId: string): void {
    this.#sender.disconnected(sessionId);
    this.#watchers.notifyChanged();
    this.#lost.closeLost();
  }

  /** Called when a session's worker came back with a protocol too old to serve. Its tool keeps running. */
  workerTooOld(sessionId: SessionId, version: string): void {
    closeSession(this.#ledger, sessionId, { kind: "outgrown", version });
  }

  /** Passes events to watching clients until cancelled. */
  onWatch(listener: (payload: unknown) => void): Cancel {
    return this.#watchers.add(listener);
  }

  broadcast(payload: unknown): void {
    this.#watchers.broadcast(payload);
  }

  /** The ledger's part of `hub.status`. */
  status(): LedgerStatus {
    return getLedgerStatus(this.#ledger);
  }

  /**
   * The kill switch: while paused, no answer is accepted or typed, whoever gave it, and an answer being typed stops before its
   * next key. It survives restarts. Resolves when the workers have received it. Errors: ATB_HUB_REFUSED where `by` may not
   * answer.
   */
  setPaused(paused: boolean, by: Identity): Promise<void> {
    if (findMembership(this.#settings.people, by)?.role !== "approver")
      throw createRefusal(`${getDisplayName(by)} may not do that: the configuration lists them as a viewer`);
    setPaused(this.#ledger, paused, by);
    return this.#halted;
  }

  /** Whether there is no open session or prompt, nothing to send and nothing unhandled. */
  isIdle(): boolean {
    const { sessions, prompts, outbox, spool } = this.#ledger.store;
    const isOpen = sessions.countOpen() > 0 || prompts.countOpen() > 0;
    return !isOpen && outbox.count() === 0 && spool.countUnhandled() === 0;
  }

  /** Starts no new answer and resolves when no connected worker is typing one. New updates are stored for the next hub. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#inbox.stop();
    this.#tasks.stop();
    this.#deadlines.stop();
    const underWay = this.#ledger.store.prompts
      .listOpen()
      .filter(({ state, sessionId }) => state !== "pending" && this.#sender.isConnected(sessionId));
    await Promise.all(underWay.map(({ promptId }) => this.#waits.wait(promptId)));
  }

  /** Stops channels and timers and closes the database. Must be the last call. */
  async stop(): Promise<void> {
    this.#running = false;
    this.foreignWatch.stop();
    this.#inbox.stop();
    this.#deadlines.stop();
    this.#retention.stop();
    this.#lost.stop();
    this.#sender.stop();
    this.#tasks.stop();
    this.#progress.stop();
    this.pairing.stop();
    this.admissionLedger.stop();
    await this.#outbox.stop();
    await Promise.allSettled(this.#configuredChannels.map(({ channel }) => channel.stop()));
    this.#ledger.store.keepSeal();
    this.#ledger.store.close();
  }

  /** Never answers: a client without an answer loses its connection with this hub and retries with the next one. */
  #rejectToNextHub(
    handlers: LedgerHandlers,
    ...call: Parameters<LedgerHandlers["prompt.answer"]>
  ): ReturnType<LedgerHandlers["prompt.answer"]> {
    return this.#draining ? new Promise(() => undefined) : handlers["prompt.answer"](...call);
  }

  async #startChannels(configuredChannels: readonly ConfiguredChannel[]): Promise<void> {
    await Promise.all(configuredChannels.map(({ id, channel }) => channel.start(this.#inbox.inboxFor(id))));
  }

  #dispatch(news: DomainEvent): void {
    switch (news.kind) {
      case "outbox":
        this.#outbox.kick();
        break;
      case "connected":
        this.#outbox.retryNow(news.channel);
        break;
      case "deadlines":
        this.#deadlines.arm();
        break;
      case "reply":
        void failPoint("claimed");
        this.#sender.sendOpen(news.sessionId);
        break;
      case "session_action":
        void runSessionAction(this.#actions, news.request);
        break;
      case "ask_again":
        void runAskAgain(this.#actions, news.request);
        break;
      case "paused":
        this.#halted = this.#sender.halt();
        break;
      case "tasks":
        this.#tasks.sendNext(news.sessionId);
        this.#progress.update();
        break;
      case "prompt":
        this.#waits.notifyChanged(news.promptId);
        this.#watchers.notifyChanged();
        break;
      case "overview":
        this.#watchers.notifyChanged();
    }
  }
}
