/** The only way to change the ledger: a transaction that records every step and emits its events only after the commit. */
import { hostname } from "node:os";
import { findHostLabel } from "../../config/host-label.js";
import type { Config } from "../../config/schema.js";
import type { Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type Identity, type SessionId } from "../../model/ids.js";
import type { Random } from "../../observe/random.js";
import type { Log } from "../../observe/log.js";
import { WallSteps } from "../../observe/wall-steps.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import { FirstTurns } from "../people/first-turns.js";
import { ListeningGaps } from "../people/listening-gaps.js";
import { Presence } from "../people/presence.js";
import { LostScreens } from "./lost-screens.js";
import { Strangers } from "../people/strangers.js";
import type { ConfiguredChannel, RouteSettings } from "../people/routing.js";
import { readDelegations } from "../store/delegations.js";
import type { ActivePolicy } from "../policy/verdict.js";
import { DiskUse } from "../store/disk-use.js";
import type { AuditEntry, Store } from "../store/store.js";
import type { DomainEvent } from "./domain-event.js";

/** What the configuration says about people and prompts; a reload replaces it as a whole. */
export type LedgerSettings = Pick<
  Config,
  "people" | "prompts" | "routes" | "hosts" | "quiet_hours" | "conversation" | "agents" | "ledger"
> &
  Pick<RouteSettings, "delegations">;

export interface Transaction {
  /** The instant of the whole step; deadlines are compared with it. */
  readonly now: number;
  /** Appends a record to the audit and returns its position. If that fails, the whole step fails. */
  record(entry: AuditEntry): number;
  emit(news: DomainEvent): void;
}

export interface LedgerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly safeText: SafeText;
  readonly policy: () => ActivePolicy;
  readonly settings: () => LedgerSettings;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  readonly onEvent: (news: DomainEvent) => void;
  readonly isConnected: (sessionId: string) => boolean;
  /** Whether that process is stopped and therefore reads nothing. */
  readonly processStopped: (pid: number) => boolean;
  readonly log: Log;
  readonly hostname?: string | undefined;
}

const STORE_ERRORS: readonly string[] = ["ATB_STORE_FAILED", "ATB_STORE_DAMAGED"];

/** How many rows were known to be missing when a person took answers again. */
const OLDER_COPY = { scope: "hub", key: "older_copy_accepted" };
const PAUSE_SINCE = { scope: "hub", key: "pause_since" };
const MOVED_BY = { scope: "hub", key: "deadlines_moved_by_ms" };

const MEGABYTE = 1024 * 1024;

export class Ledger {
  readonly options: LedgerOptions;
  readonly store: Store;
  readonly presence = new Presence();
  readonly listeningGaps: ListeningGaps;
  readonly firstTurns = new FirstTurns();
  readonly lostScreens = new LostScreens();
  readonly strangers = new Strangers();
  /** By task id: the hash of the draft that the sender saw and allowed to clear. In memory only: after a restart they are asked again. */
  readonly boxClearings = new Map<string, string>();
  /** Sessions that a person has opened to agents since they were started. In memory only: after a restart they are opened again. */
  readonly openedToAgents = new Set<SessionId>();
  readonly disk: DiskUse;
  readonly #wallSteps: WallSteps;
  /** Who paused the hub, "itself" where it found a changed record; null while it is not paused. In memory: the database can be changed. */
  #pausedBy: Identity | "itself" | null;
  #failure: AtlasBridgeError | null = null;
  #open: Transaction | null = null;

  constructor(options: LedgerOptions) {
    const withDelegations = (): LedgerSettings => {
      const { store, clock } = options;
      const settings = options.settings();
      if (!store.isOpen) return settings;
      return { ...settings, delegations: readDelegations(store, clock.now(), this.movedByMs) };
    };
    this.options = { ...options, settings: withDelegations };
    this.store = options.store;
    this.#pausedBy = this.#findPause();
    this.listeningGaps = new ListeningGaps(options.clock);
    this.#wallSteps = new WallSteps(options.clock);
    this.disk = new DiskUse(options.store, () => options.settings().ledger.disk_limit_mb * MEGABYTE);
  }

  /** Who paused the hub last; "itself" also where another program may have removed a pause. */
  #findPause(): Identity | "itself" | null {
    const { audit, sessions, settings } = this.store;
    const accepted = Number(settings.get(OLDER_COPY.scope, OLDER_COPY.key) ?? 0);
    if (audit.isBehind() && audit.countKept() > accepted) return "itself";
    if (audit.head().count === 0) return sessions.countOpen() > 0 ? "itself" : null;
    const since = settings.get(PAUSE_SINCE.scope, PAUSE_SINCE.key);
    const pause = audit.readPause(since === null ? null : Number(since));
    if (pause === "unproved") return "itself";
    return pause && (pause.identity === null ? "itself" : asId<Identity>(pause.identity));
  }

  /** Call when a person takes answers again: an older copy of the audit pauses the next hub no more. */
  acceptOlderCopy(): void {
    const { audit, settings } = this.store;
    if (audit.isBehind()) settings.set(OLDER_COPY.scope, OLDER_COPY.key, String(audit.countKept()));
  }

  /** Runs `work` in one transaction, or inside the current one. Rows that could not be read are set aside first. */
  commit<T>(work: (tx: Transaction) => T): T {
    if (this.#open) return work(this.#open);
    if (!this.store.unreadable.isEmpty) this.#transact((tx) => this.#setAsideUnreadable(tx));
    return this.#transact(work);
  }

  /**
   * Records that the hub starts. An audit that does not end where it was sealed, or an older copy of it, is recorded first. To stop for
   * good would let anyone who can write to the file lock the owner out.
   */
  recordStart(): void {
    const { audit } = this.store;
    this.commit((tx) => {
      const by = this.#pausedBy;
      if (!audit.endsWhereSealed() || audit.isBehind()) audit.recordBreak(tx.now);
      if (by === "itself")
        this.options.log(
          "error",
          "the hub is paused: its record was changed, or is an older copy; see `atlasbridge audit verify`; `resume` takes answers again",
        );
      // The pause is recorded once more: the rows before this one are not read again.
      if (by !== null)
        this.notePauseSince(tx.record({ step: "hub_paused", ...(by !== "itself" && { identity: by }) }));
      const started = tx.record({ step: "hub_started" });
      if (by === null) this.notePauseSince(started);
    });
    this.store.keepSeal();
  }

  /** The row from which the audit says whether the hub is paused. */
  notePauseSince(position: number): void {
    this.store.settings.set(PAUSE_SINCE.scope, PAUSE_SINCE.key, String(position));
  }

  #setAsideUnreadable(tx: Transaction): void {
    const rows = this.store.unreadable.setAside(this.store.audit, tx.now);
    this.options.log("error", "rows of the ledger cannot be read: see `atlasbridge doctor`", {
      rows: rows.length,
    });
    for (const { table, rowId } of rows)
      if (table === "prompts") tx.emit({ kind: "prompt", promptId: rowId });
    for (const kind of ["outbox", "deadlines", "overview"] as const) tx.emit({ kind });
  }

  get isPaused(): boolean {
    return this.#pausedBy !== null;
  }

  /** Whether it was the hub that paused, and no person. */
  get hasPausedItself(): boolean {
    return this.#pausedBy === "itself";
  }

  get failure(): AtlasBridgeError | null {
    return this.#failure;
  }

  proveWritable(): void {
    this.commit((tx) => this.store.settings.set("hub", "relay_checked_at", String(tx.now)));
  }

  /** By how many ms the wall clock was set while the stored deadlines have not moved yet: what reads them must add it. */
  get clockSetByMs(): number {
    return this.#wallSteps.measure();
  }

  /** By how many ms the wall clock was set and deadlines were moved, all in all since the ledger was begun. */
  get movedByMs(): number {
    return Number(this.store.settings.get(MOVED_BY.scope, MOVED_BY.key) ?? 0);
  }

  /** Moves the deadlines if the wall clock was set; every step does so before anything else. */
  followClock(): void {
    if (this.clockSetByMs !== 0) this.commit(() => undefined);
  }

  /** How messages name this machine; null while no other one is known. */
  get hostLabel(): string | null {
    return findHostLabel(this.options.settings().hosts, this.options.hostname ?? hostname());
  }

  #transact<T>(work: (tx: Transaction) => T): T {
    const { store, options } = this;
    const news = new Map<string, DomainEvent>();
    const setByMs = this.#wallSteps.measure();
    const now = options.clock.now();
    const tx: Transaction = {
      now,
      record: (entry) => store.audit.append(now, entry),
      emit: (item) => void news.set(JSON.stringify(item), item),
    };
    this.#open = tx;
    let result: T;
    try {
      result = store.write(() => {
        if (setByMs !== 0) this.#moveDeadlines(tx, setByMs);
        return work(tx);
      });
    } catch (error) {
      if (error instanceof AtlasBridgeError && STORE_ERRORS.includes(error.code)) this.#failure = error;
      throw error;
    } finally {
      this.#open = null;
    }
    this.#failure = null;
    this.#wallSteps.follow(setByMs);
    for (const item of news.values()) this.#dispatch(item);
    return result;
  }

  #moveDeadlines(tx: Transaction, setByMs: number): void {
    this.options.log("warn", "the wall clock was set: deadlines and reminders move with it", { setByMs });
    this.store.prompts.moveDeadlines(setByMs);
    this.store.outbox.moveDueTimes(setByMs);
    this.store.settings.set(MOVED_BY.scope, MOVED_BY.key, String(this.movedByMs + setByMs));
    tx.emit({ kind: "deadlines" });
  }

  /** The step is on disk: an error in its consequences must not undo its acknowledgement. */
  #dispatch(news: DomainEvent): void {
    if (news.kind === "paused") this.#pausedBy = news.by;
    try {
      this.options.onEvent(news);
    } catch (error) {
      this.options.log("error", "what follows a commit failed", { news: news.kind, error: String(error) });
    }
  }
}
