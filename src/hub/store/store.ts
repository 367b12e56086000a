/** The open database: one object per table, and `write` as the only way to change it, all or nothing. */
import type Database from "better-sqlite3";
import type { AtlasBridgeError } from "../../model/errors.js";
import { failPoint } from "../../observe/fail-point.js";
import { FilePlace } from "../sqlite/file-place.js";
import { AuditLog, type AuditLogOptions } from "./audit-log.js";
import { ForeignTriggers } from "./foreign-triggers.js";
import { Retention } from "./retention.js";
import { createRemovedError, toStoreError } from "./sqlite-errors.js";
import { Deliveries } from "./tables/deliveries.js";
import { InboxTable } from "./tables/inbox.js";
import { Injections } from "./tables/injections.js";
import { Outbox } from "./tables/outbox.js";
import { Prompts } from "./tables/prompts.js";
import { Replies } from "./tables/replies.js";
import { Sessions } from "./tables/sessions.js";
import { HubSettings } from "./tables/settings.js";
import { Tasks } from "./tables/tasks.js";
import { UnreadableRows } from "./unreadable-rows.js";

export type { AuditEntry, AuditRecord } from "../audit/chain.js";

/** A few kept seals per day for a busy user; a stretch without one is at most this long. */
const KEEP_SEAL_EVERY_ROWS = 256;

export class Store {
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly prompts: Prompts;
  readonly replies: Replies;
  readonly injections: Injections;
  readonly deliveries: Deliveries;
  readonly outbox: Outbox;
  readonly inbox: InboxTable;
  readonly tasks: Tasks;
  readonly settings: HubSettings;
  readonly retention: Retention;
  readonly unreadable: UnreadableRows;
  readonly #sqlite: Database.Database;
  readonly #place: FilePlace;
  readonly #foreignTriggers: ForeignTriggers;
  readonly #pages: Database.Statement<[], number>;
  readonly #freePages: Database.Statement<[], number>;
  readonly #pageSize: number;
  #appendedWhenKept = 0;

  /** Prepares every statement at once, so that a missing table shows here and not during an answer. */
  constructor(sqlite: Database.Database, options: AuditLogOptions) {
    this.#sqlite = sqlite;
    this.#place = new FilePlace(sqlite.name);
    this.#foreignTriggers = new ForeignTriggers(sqlite);
    this.audit = new AuditLog(sqlite, options);
    const unreadable = new UnreadableRows(sqlite, options.redact);
    this.unreadable = unreadable;
    this.sessions = new Sessions(sqlite, unreadable);
    this.prompts = new Prompts(sqlite, unreadable);
    this.replies = new Replies(sqlite, unreadable);
    this.injections = new Injections(sqlite, unreadable);
    this.deliveries = new Deliveries(sqlite, unreadable);
    this.outbox = new Outbox(sqlite, unreadable);
    this.inbox = new InboxTable(sqlite, unreadable);
    this.tasks = new Tasks(sqlite, unreadable);
    this.settings = new HubSettings(sqlite, unreadable);
    this.retention = new Retention(sqlite);
    this.#pages = sqlite.prepare<[], number>("PRAGMA page_count").pluck();
    this.#freePages = sqlite.prepare<[], number>("PRAGMA freelist_count").pluck();
    this.#pageSize = Number(sqlite.pragma("page_size", { simple: true }));
  }

  get path(): string {
    return this.#sqlite.name;
  }

  /** Why nothing may be written any more: the file was removed or replaced. Null while it is in place. */
  get removed(): AtlasBridgeError | null {
    return this.#place.isKept ? null : createRemovedError(this.path);
  }

  /** The database's size without free pages, which new rows reuse: the file does not grow after deletions. */
  countUsedBytes(): number {
    return ((this.#pages.get() ?? 0) - (this.#freePages.get() ?? 0)) * this.#pageSize;
  }

  /**
   * Runs `work` in one BEGIN IMMEDIATE transaction: everything is on disk when this returns, nothing if it throws. Errors:
   * ATB_STORE_FAILED, ATB_STORE_DAMAGED, and whatever `work` throws.
   */
  write<T>(work: () => T): T {
    if (this.#sqlite.inTransaction) return this.#sqlite.transaction(work)();
    const { removed } = this;
    if (removed) throw removed;
    let result: T;
    void failPoint("transaction", this.#sqlite);
    try {
      const guarded = (): T => {
        this.#foreignTriggers.drop();
        return work();
      };
      result = this.#sqlite.transaction(guarded).immediate();
      this.audit.noteCommit();
    } catch (error) {
      this.audit.noteRollback();
      this.#foreignTriggers.noteRollback();
      throw toStoreError(error, this.#sqlite.name);
    }
    if (this.audit.appended - this.#appendedWhenKept >= KEEP_SEAL_EVERY_ROWS) this.keepSeal();
    return result;
  }

  /** Stores the newest seal outside the database. If that fails, it is tried again after the next row. */
  keepSeal(): void {
    if (this.removed === null && this.audit.keepSeal()) this.#appendedWhenKept = this.audit.appended;
  }

  get isOpen(): boolean {
    return this.#sqlite.open;
  }

  close(): void {
    this.#sqlite.close();
  }
}
