/** The open database: one object per table, and `write` as the only way to change it, all or nothing. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { failPoint } from "../../observe/fail-point.js";
import { AuditLog, type AuditLogOptions } from "./audit-log.js";
import { Deliveries } from "./tables/deliveries.js";
import { ForeignWrites, type ForeignWriteReport } from "./seals/foreign-writes.js";
import { Injections } from "./tables/injections.js";
import { locateAuditKey, readAuditKey } from "./seals/audit-key.js";
import { keepSeal, locateKeptSeals } from "./seals/kept-seals.js";
import { Outbox } from "./tables/outbox.js";
import { Prompts } from "./tables/prompts.js";
import { Quarantine } from "./seals/quarantine.js";
import { Replies } from "./tables/replies.js";
import { RowSeals } from "./seals/row-seals.js";
import { Retention } from "./retention.js";
import { Sessions } from "./tables/sessions.js";
import { HubSettings } from "./tables/settings.js";
import { InboxTable } from "./tables/inbox.js";
import { Tasks } from "./tables/tasks.js";
import type { Seal } from "../audit/seal.js";
import { FilePlace } from "../sqlite/file-place.js";
import type { AtlasBridgeError } from "../../model/errors.js";
import { createRemovedError, toStoreError } from "./sqlite-errors.js";

export type { AuditEntry, ChainVerdict } from "../audit/chain.js";

/** A few kept seals per day for a busy user; a stretch without one is at most this long. */
const KEEP_SEAL_EVERY_ROWS = 256;

export interface StoreParts extends AuditLogOptions {
  readonly found?: ForeignWriteReport;
}

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
  readonly foreign: ForeignWrites;
  readonly quarantine: Quarantine;
  readonly #sqlite: Database.Database;
  readonly #place: FilePlace;
  readonly #pages: Database.Statement<[], number>;
  readonly #freePages: Database.Statement<[], number>;
  readonly #pageSize: number;
  #appendedWhenKept = 0;

  /** Prepares every statement at once, so that a missing table shows here and not during an answer. */
  constructor(sqlite: Database.Database, options: StoreParts) {
    this.#sqlite = sqlite;
    this.#place = new FilePlace(sqlite.name);
    const seals = new RowSeals(sqlite, options.key);
    seals.guardTables();
    this.audit = new AuditLog(sqlite, seals, options);
    this.foreign = new ForeignWrites(sqlite, seals, this.audit, options.found);
    this.quarantine = new Quarantine(sqlite, seals, this.audit, options.redact);
    this.sessions = new Sessions(sqlite, seals);
    this.prompts = new Prompts(sqlite, seals);
    this.replies = new Replies(sqlite, seals);
    this.injections = new Injections(sqlite, seals);
    this.deliveries = new Deliveries(sqlite, seals);
    this.outbox = new Outbox(sqlite, seals);
    this.inbox = new InboxTable(sqlite, seals);
    this.tasks = new Tasks(sqlite, seals);
    this.settings = new HubSettings(sqlite, seals);
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
      result = this.#sqlite.transaction(() => this.#withSeals(work)).immediate();
      this.foreign.committed();
    } catch (error) {
      this.foreign.failed();
      throw toStoreError(error, this.#sqlite.name);
    }
    if (this.audit.appended - this.#appendedWhenKept >= KEEP_SEAL_EVERY_ROWS) this.keepSeal();
    return result;
  }

  #withSeals<T>(work: () => T): T {
    this.foreign.beginWrite();
    const result = work();
    this.foreign.endWrite();
    return result;
  }

  /** Stores the newest seal outside the database. The database has the same proof, so a full disk is no problem here. */
  keepSeal(): void {
    this.#appendedWhenKept = this.audit.appended;
    this.#keepOutside(this.audit.seal());
  }

  /** Stores a seal of what this process last recorded, when the file no longer ends there. */
  keepKnownSeal(at: number): void {
    this.#keepOutside(this.audit.findKnownSeal(at));
  }

  /**
   * Stores such a seal beside a file that took the place of this ledger's while it was open, so that an older copy is noticed.
   * False while no such file is there, or where another key is: a seal would then claim that rows of another ledger are missing.
   * Errors: ATB_STORE_DAMAGED if the key beside it cannot be read.
   */
  keepSealBesideReplacement(at: number): boolean {
    if (
      this.removed === null ||
      !existsSync(this.path) ||
      !this.audit.usesKey(readAuditKey(locateAuditKey(this.path)))
    )
      return false;
    this.#keepOutside(this.audit.findKnownSeal(at), true);
    return true;
  }

  #keepOutside(seal: Seal | null, isReplaced = false): void {
    try {
      if (seal && (isReplaced || this.removed === null)) keepSeal(locateKeptSeals(this.#sqlite.name), seal);
    } catch {
      this.#appendedWhenKept -= KEEP_SEAL_EVERY_ROWS;
    }
  }

  get isOpen(): boolean {
    return this.#sqlite.open;
  }

  close(): void {
    this.#sqlite.close();
  }
}
