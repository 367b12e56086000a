/**
 * The hub without its socket: ledger, delivery and timers in one object, for the composition and the server. Use: `openHub`, then
 * `useChannels` (each made with its `createChannelHost`), then `start`, which replays the open work of a former run. Everything
 * it acknowledges is on disk; after `kill -9` at any instant a new one on the same file continues from there.
 */
import type { Cancel, Clock } from "../../model/clock.js";
import { asId, type Identity, type SessionId } from "../../model/ids.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Log } from "../../observe/log.js";
import type { Random } from "../../observe/random.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import type { PaintScreen } from "../picture/paint.js";
import { NO_POLICY, type ActivePolicy, type Decide } from "../policy/verdict.js";
import { InboxWorker } from "../delivery/inbox.js";
import { findQuietEnd } from "../people/quiet-hours.js";
import { OutboxScheduler } from "../delivery/outbox-scheduler.js";
import type { ConfiguredChannel } from "../people/routing.js";
import { openStore } from "../store/open-store.js";
import type { Store } from "../store/store.js";
import { closeCardsOfFormer, updateCardsOnReload } from "../ledger/policy/card-rights.js";
import { recountApprovals } from "../prompts/approval/quorum.js";
import { runAskAgain } from "../prompts/ask-again.js";
import { DeadlineTimer } from "../prompts/deadline-timer.js";
import { SessionAdmission } from "../sessions/session-admission.js";
import { runSessionAction } from "../sessions/session-actions.js";
import type { SessionLinks } from "../ledger/session-links.js";
import { ledgerHandlers, type LedgerHandlers } from "./handlers.js";
import { createInboundHandler } from "../inbound/handle-inbound.js";
import { HubAnnouncer } from "./hub-announcer.js";
import { createNoticeParts } from "../prompts/notice-parts.js";
import { createLedgerHost, type LedgerHost } from "./ledger-host.js";
import { Ledger, type LedgerOptions, type LedgerSettings } from "../ledger/ledger.js";
import type { DomainEvent } from "../ledger/domain-event.js";
import { getLedgerStatus, isIdle, markClockSet, type LedgerStatus, type StampedStatus } from "./listings.js";
import { LostSessions, type LostSessionsOptions } from "../sessions/lost-sessions.js";
import { concealSecret } from "../inbound/conceal-secret.js";
import { shouldStoreUpdate } from "../inbound/should-store-update.js";
import { noteReplied } from "../inbound/offer-answers.js";
import { PendingPairings } from "../inbound/pending-pairings.js";
import { setPaused } from "../ledger/pause.js";
import { requireApprover } from "../ledger/refused-error.js";
import { ChatConsole } from "../console/chat-console.js";
import { ProgressLines } from "../sessions/progress.js";
import { PromptWaits } from "../prompts/prompt-waits.js";
import { ReachReporter } from "../sessions/reach-reporter.js";
import { ReplySender } from "../prompts/reply-sender.js";
import { RetentionTimer } from "../ledger/retention/retention-timer.js";
import { closeThreads } from "../sessions/close-threads.js";
import { closeSession } from "../sessions/sessions.js";
import { TaskSender } from "../tasks/task-sender.js";
import { Watchers } from "./watchers.js";

export interface HubOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Removes secrets and misleading characters from everything that people see. */
  readonly safeText: SafeText;
  readonly settings: LedgerSettings;
  readonly processAlive: LostSessionsOptions["processAlive"];
  /** Whether the process is stopped (Ctrl-Z). Default: never. */
  readonly processStopped?: LedgerOptions["processStopped"];
  readonly log: Log;
  readonly version: string;
  /** Renders screens as pictures. Without it, screens are sent as text. */
  readonly paintScreen?: PaintScreen;
  readonly hostname?: string;
  /** Default: every prompt goes to people. */
  readonly policy?: () => ActivePolicy;
  readonly decide?: Decide;
}

export interface OpenHubOptions extends HubOptions {
  readonly databasePath: string;
  /** Redacts secrets from what the audit records. */
  readonly redact: (text: string) => string;
  /** The file with the audit's sealing key. Default: `audit.key` beside the database. */
  readonly auditKey?: string;
}

export class Hub {
  /** The wire's calls, except `hub.status`, `hub.reload` and `pairing.begin`, which the composition answers. */
  readonly handlers: LedgerHandlers;
  readonly pairing: PendingPairings;
  readonly reach: ReachReporter;
  readonly sessionAdmission: SessionAdmission;
  readonly lostSessions: LostSessions;
  /** Names in a status the instants from which no age follows. */
  readonly markClockSet = (status: StampedStatus): StampedStatus => markClockSet(this.#ledger, status);
  readonly announcer: HubAnnouncer;
  readonly #ledger: Ledger;
  readonly #sender: ReplySender;
  readonly #tasks: TaskSender;
  readonly #console: ChatConsole;
  readonly #progress: ProgressLines;
  readonly #outbox: OutboxScheduler;
  readonly #inbox: InboxWorker;
  readonly #deadlines: DeadlineTimer;
  readonly #retention: RetentionTimer;
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
    const { clock, random, safeText, log, processAlive, version, hostname } = options;
    const configuredChannels = (): readonly ConfiguredChannel[] => this.#configuredChannels;
    this.#settings = options.settings;
    const settings = (): LedgerSettings => this.#settings;
    const onEvent = (event: DomainEvent): void => this.#dispatch(event);
    const processStopped = options.processStopped ?? ((): boolean => false);
    const policy = choosePolicy(options);
    const given = { clock, random, safeText, log, policy, processStopped, hostname };
    const isConnected = (sessionId: string): boolean => this.#sender.isConnected(sessionId);
    this.#ledger = new Ledger({ ...given, isConnected, store, settings, configuredChannels, onEvent });
    this.#sender = new ReplySender(this.#ledger);
    const findLink: SessionLinks["findLink"] = (sessionId) => this.#sender.findLink(sessionId);
    this.#actions = { ledger: this.#ledger, findLink, paintScreen: options.paintScreen ?? null };
    this.reach = new ReachReporter(this.#ledger, findLink);
    this.#progress = new ProgressLines(this.#ledger);
    this.#tasks = new TaskSender(this.#ledger, findLink);
    this.#console = new ChatConsole({ ledger: this.#ledger, findLink });
    const quiet = (): boolean => findQuietEnd(settings().quiet_hours, clock.now()) !== null;
    const deliverAfterMs = (): number => settings().prompts.deliver_after;
    const shared = { store, clock, configuredChannels, log };
    const notices = createNoticeParts(this.#ledger, quiet);
    const { places } = this.reach;
    this.#outbox = new OutboxScheduler({
      ...shared,
      ...notices,
      random,
      people: () => this.#settings.people,
      followClock: () => this.#ledger.followClock(),
      deliverAfterMs,
      places,
    });
    this.pairing = new PendingPairings(clock, random);
    this.#inbox = new InboxWorker({
      ...shared,
      conceal: (configuredChannel, raw) => concealSecret(this.#ledger, configuredChannel, raw),
      admit: (configuredChannel, raw) =>
        shouldStoreUpdate(this.#ledger, this.pairing, configuredChannel, raw),
      commit: (work) => this.#ledger.commit(() => work()),
      replied: (answer, ref) => noteReplied(this.#ledger, answer, ref),
      handle: createInboundHandler(this.#ledger, this.pairing, places),
    });
    this.#deadlines = new DeadlineTimer(this.#ledger);
    this.#retention = new RetentionTimer(this.#ledger, this.#ledger.disk);
    this.lostSessions = new LostSessions(this.#ledger, { processAlive, isConnected });
    this.#waits = new PromptWaits(this.#ledger);
    this.sessionAdmission = new SessionAdmission(this.#ledger);
    this.announcer = new HubAnnouncer(this.#ledger, () => this.reach.reportChanged(), quiet);
    const parts = { waits: this.#waits, pairing: this.pairing, actions: this.#actions, reach: this.reach };
    const handlers = ledgerHandlers({ ledger: this.#ledger, version, isConnected, findLink, ...parts });
    this.handlers = { ...handlers, "prompt.answer": (...call) => this.#leaveToNextHub(handlers, ...call) };
  }

  /** Replaces the channels: stops those that are gone and starts new ones once the core runs. */
  async useChannels(wanted: readonly ConfiguredChannel[]): Promise<void> {
    const before = this.#configuredChannels;
    this.#configuredChannels = wanted;
    const gone = before.filter(({ channel }) => !wanted.some((each) => each.channel === channel));
    const added = wanted.filter(({ channel }) => !before.some((each) => each.channel === channel));
    await Promise.all(gone.map(({ channel }) => channel.stop()));
    if (this.#running) this.#outbox.kick();
    if (this.#running) await this.#startChannels(added);
  }

  /** The ledger's part of a `ChannelHost`. */
  createChannelHost(channel: string): LedgerHost {
    return createLedgerHost(this.#ledger, channel, {
      wrote: (place) => this.#outbox.noteWrite(channel, place),
      reportPlace: (place, refusal) => this.reach.places.noteRefusal(channel, place, refusal),
    });
  }

  /** Applies the people and prompt settings of a reloaded configuration, from the next step on. */
  reconfigure(settings: LedgerSettings): void {
    updateCardsOnReload(this.#ledger, () => (this.#settings = settings));
    recountApprovals(this.#ledger);
    this.#deadlines.arm();
    if (this.#running) this.#retention.start();
  }

  /** Continues where the previous run ended, whenever it was killed. */
  async start(): Promise<void> {
    this.#running = true;
    this.#ledger.recordStart();
    closeCardsOfFormer(this.#ledger);
    recountApprovals(this.#ledger);
    for (const part of [this.#inbox, this.#deadlines, this.#retention, this.#outbox]) part.start();
    for (const part of [this.lostSessions, this.#tasks, this.#progress]) part.start();
    await this.#startChannels(this.#configuredChannels);
  }

  /** Called when a worker has opened its session: it receives the replies that it has not acted on. */
  connected(sessionId: string, link: WorkerLink): void {
    this.#sender.connected(sessionId, link);
    this.reach.connected(sessionId);
    this.#watchers.notifyChanged();
    const session = asId<SessionId>(sessionId);
    this.#tasks.sendNext(session);
    this.#console.connected(session);
  }

  /** Called when the session's connection ended. The session itself may still run. */
  noteDisconnected(sessionId: string): void {
    this.#sender.disconnected(sessionId);
    this.#watchers.notifyChanged();
    this.lostSessions.closeLost();
  }

  /** Called when a session's worker came back with a protocol too old to serve. Its tool keeps running. */
  noteWorkerTooOld(sessionId: SessionId, version: string): void {
    closeSession(this.#ledger, sessionId, { kind: "outgrown", version });
  }

  onWatch(listener: (payload: unknown) => void): Cancel {
    return this.#watchers.add(listener);
  }

  broadcast(payload: unknown): void {
    this.#watchers.broadcast(payload);
  }

  readStatus(): LedgerStatus {
    return getLedgerStatus(this.#ledger);
  }

  /**
   * The kill switch: while paused, nobody's answer is accepted or typed, and typing stops before its next key. It survives
   * restarts. Resolves when the workers have received it. Errors: ATB_HUB_REFUSED where `by` may not answer.
   */
  setPaused(paused: boolean, by: Identity): Promise<void> {
    requireApprover(this.#settings.people, by);
    setPaused(this.#ledger, paused, by);
    return this.#halted;
  }

  /** Whether there is no open session or prompt, nothing to send and nothing unhandled. */
  isIdle(): boolean {
    return isIdle(this.#ledger);
  }

  /** Starts no new answer and resolves when no connected worker is typing one. New updates are stored for the next hub. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#inbox.stop();
    this.#tasks.stop();
    this.#deadlines.stop();
    const underWay = this.#ledger.store.prompts
      .listOpen()
      .filter(({ state, sessionId }) => state !== "pending" && this.#sender.isConnected(sessionId))
      .map(({ promptId }) => this.#waits.wait(promptId));
    await Promise.all(underWay);
  }

  /** Stops channels and timers and closes the database. Must be the last call. */
  async stop(): Promise<void> {
    this.#running = false;
    for (const part of [this.announcer, this.#inbox, this.#deadlines, this.#retention]) part.stop();
    for (const part of [this.lostSessions, this.#sender, this.#tasks, this.#progress]) part.stop();
    for (const part of [this.pairing, this.sessionAdmission]) part.stop();
    await this.#outbox.stop();
    await Promise.allSettled(this.#configuredChannels.map(({ channel }) => channel.stop()));
    this.#ledger.store.keepSeal();
    this.#ledger.store.close();
  }

  /** Never answers: a client without an answer loses its connection with this hub and retries with the next one. */
  #leaveToNextHub(
    handlers: LedgerHandlers,
    ...call: Parameters<LedgerHandlers["prompt.answer"]>
  ): ReturnType<LedgerHandlers["prompt.answer"]> {
    return this.#draining ? new Promise(() => undefined) : handlers["prompt.answer"](...call);
  }

  async #startChannels(configuredChannels: readonly ConfiguredChannel[]): Promise<void> {
    await Promise.all(configuredChannels.map(({ id, channel }) => channel.start(this.#inbox.openInbox(id))));
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
      case "console":
        void this.#console.perform(news.request);
        break;
      case "console_closed":
        this.#console.refuseWaiting("its console was closed", news.sessionId);
        break;
      case "paused":
        if (news.by === null) break;
        this.#halted = this.#sender.halt();
        this.#console.refuseWaiting("AtlasBridge was paused");
        break;
      case "ended_quietly":
        closeThreads(this.#ledger, news.sessionId);
        break;
      case "tasks":
        this.#tasks.sendNext(news.sessionId);
        this.#progress.update();
        break;
      case "prompt":
        this.#waits.notifyChanged(news.promptId);
        this.#sender.promptChanged(news.promptId);
        this.reach.notePrompt(news.promptId);
        this.#watchers.notifyChanged();
        break;
      case "relay":
        this.#sender.updateMarks(news.sessionId);
        break;
      case "overview":
        this.#watchers.notifyChanged();
    }
  }
}

function choosePolicy({ policy, decide }: HubOptions): () => ActivePolicy {
  const fixed = decide === undefined ? NO_POLICY : { ...NO_POLICY, decide };
  return policy ?? (() => fixed);
}

/** Opens the database and builds the hub on it. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function openHub(options: OpenHubOptions): Promise<Hub> {
  const { databasePath: path, redact, auditKey } = options;
  const store = await openStore({ path, redact, ...(auditKey === undefined ? {} : { auditKey }) });
  return new Hub(store, options);
}
