/** The open database: one object a table, one way to write (`write`), nothing half done. */
import type Database from "better-sqlite3";
import { AuditLog } from "./audit-log.js";
import { Deliveries } from "./deliveries.js";
import { Injections } from "./injections.js";
import { Outbox } from "./outbox.js";
import { Prompts } from "./prompts.js";
import { Replies } from "./replies.js";
import { Sessions } from "./sessions.js";
import { Settings } from "./settings.js";
import { Spool } from "./spool.js";
import { storeError } from "./sqlite-errors.js";

export type { AuditEntry, ChainVerdict as AuditVerdict } from "../audit/chain.js";

export class Store {
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly prompts: Prompts;
  readonly replies: Replies;
  readonly injections: Injections;
  readonly deliveries: Deliveries;
  readonly outbox: Outbox;
  readonly spool: Spool;
  readonly settings: Settings;
  readonly #sqlite: Database.Database;

  /** Prepares every statement, so a missing table shows here and not in the middle of an answer. */
  constructor(sqlite: Database.Database, redact: (text: string) => string) {
    this.#sqlite = sqlite;
    this.audit = new AuditLog(sqlite, redact);
    this.sessions = new Sessions(sqlite);
    this.prompts = new Prompts(sqlite);
    this.replies = new Replies(sqlite);
    this.injections = new Injections(sqlite);
    this.deliveries = new Deliveries(sqlite);
    this.outbox = new Outbox(sqlite);
    this.spool = new Spool(sqlite);
    this.settings = new Settings(sqlite);
  }

  /**
   * Runs `work` in one BEGIN IMMEDIATE transaction: all of it is on disk when this returns, or none of it when it throws.
   * Errors: ATB_STORE_FAILED, ATB_STORE_DAMAGED, and whatever `work` throws.
   */
  write<T>(work: () => T): T {
    try {
      return this.#sqlite.transaction(work).immediate();
    } catch (error) {
      throw storeError(error, this.#sqlite.name);
    }
  }

  get isOpen(): boolean {
    return this.#sqlite.open;
  }

  close(): void {
    this.#sqlite.close();
  }
}
