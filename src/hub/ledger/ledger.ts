/**
 * The one way to change the ledger: a transaction in which every step is recorded, and news that spread only once it is on disk.
 * Everything else in this folder is functions over it.
 */
import type { Config } from "../../config/schema.js";
import type { Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { Random } from "../../observe/random.js";
import type { Log } from "../../observe/log.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import { Presence } from "../people/presence.js";
import { LostScreens } from "./lost-screens.js";
import { Strangers } from "../people/strangers.js";
import type { ConfiguredChannel } from "../people/routing.js";
import type { Decide } from "../policy/verdict.js";
import { DiskUse } from "../store/disk-use.js";
import type { AuditEntry, Store } from "../store/store.js";
import type { DomainEvent } from "./domain-event.js";

/** What the configuration says about people and prompts; replaced as a whole by a reload. */
export type LedgerSettings = Pick<
  Config,
  "people" | "prompts" | "routes" | "quiet_hours" | "conversation" | "ledger"
>;

/** One transaction in the making. */
export interface Transaction {
  /** The instant of the whole step; deadlines are judged by it, inside the transaction. */
  readonly now: number;
  /** Puts a record into the audit and returns its position. If it cannot be written, the step fails as a whole. */
  record(entry: AuditEntry): number;
  /** To be told after the commit, once. */
  tell(news: DomainEvent): void;
}

export interface LedgerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly safeText: SafeText;
  readonly decide: Decide;
  readonly settings: () => LedgerSettings;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  readonly onNews: (news: DomainEvent) => void;
  /** Whether the session's worker is connected. */
  readonly isConnected: (sessionId: string) => boolean;
  /** Whether that process is stopped, and so follows nothing. */
  readonly processStopped: (pid: number) => boolean;
  /** Mends what another program wrote. True when there is more than is mended in one transaction. */
  readonly mendForeignWrites: (ledger: Ledger, tx: Transaction) => boolean;
  readonly log: Log;
}

/** Whoever writes faster than that many looks holds the hub up, and is not obeyed. */
const LOOKS_MAX = 10;
/** Each mends some hundreds of rows. */
const PARTS_MAX = 100;

const MEGABYTE = 1024 * 1024;

export class Ledger {
  readonly options: LedgerOptions;
  readonly store: Store;
  readonly presence = new Presence();
  readonly lostScreens = new LostScreens();
  readonly strangers = new Strangers();
  readonly disk: DiskUse;
  #open: Transaction | null = null;

  constructor(options: LedgerOptions) {
    this.options = options;
    this.store = options.store;
    this.disk = new DiskUse(options.store, () => options.settings().ledger.disk_limit_mb * MEGABYTE);
  }

  /**
   * Runs `work` in one transaction; inside another `commit` it joins that one. What another program wrote meanwhile is looked at and mended
   * first, in a transaction of its own. Errors: ATB_STORE_DAMAGED where it goes on writing.
   */
  commit<T>(work: (tx: Transaction) => T): T {
    if (this.#open) return work(this.#open);
    const { foreign } = this.store;
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      this.look();
      const done = this.#transact((tx) => (foreign.isSuspected ? null : { result: work(tx) }));
      if (done !== null) return done.result;
    }
    throw new AtlasBridgeError("ATB_STORE_DAMAGED", "another program goes on writing to the ledger", {
      hint: "Nothing is answered meanwhile. `fuser` tells which program has the database open: end it.",
    });
  }

  /** Mends what another program wrote, if one did. */
  look(): void {
    const { foreign } = this.store;
    if (this.#open) return;
    for (let parts = 0; parts < PARTS_MAX && foreign.isSuspected; parts += 1)
      foreign.seen(this.#transact((tx) => this.options.mendForeignWrites(this, tx)));
  }

  #transact<T>(work: (tx: Transaction) => T): T {
    const { store, options } = this;
    const news = new Map<string, DomainEvent>();
    const now = options.clock.now();
    const tx: Transaction = {
      now,
      record: (entry) => store.audit.append(now, entry),
      tell: (item) => void news.set(JSON.stringify(item), item),
    };
    this.#open = tx;
    let result: T;
    try {
      result = store.write(() => work(tx));
    } finally {
      this.#open = null;
    }
    for (const item of news.values()) this.#spread(item);
    return result;
  }

  /** The step is on disk: nothing that follows may take back its acknowledgement. */
  #spread(news: DomainEvent): void {
    try {
      this.options.onNews(news);
    } catch (error) {
      this.options.log("error", "what follows a commit failed", { news: news.kind, error: String(error) });
    }
  }
}
