/** Opens the database: refuses what it does not understand before it touches it, then migrates. */
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type Database from "better-sqlite3";
import { deniedFile } from "../../config/file-errors.js";
import type { AtlasBridgeError } from "../../model/errors.js";
import { auditKeyBeside, ensureAuditKey } from "./seals/audit-key.js";
import { AuditLog, type AuditLogOptions } from "./audit-log.js";
import type { ForeignWriteReport } from "./seals/foreign-writes.js";
import { APPLICATION_ID, inspectStore, schemaVersion } from "./inspect-store.js";
import { MIGRATIONS, SCHEMA_VERSION } from "./migrations/index.js";
import { storeError } from "./sqlite-errors.js";
import { RowSeals } from "./seals/row-seals.js";
import { SchemaGuard } from "./seals/schema-guard.js";
import { Store } from "./store.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

type Sqlite = Database.Database;
type OpenSqlite = (path: string, options?: Database.Options) => Sqlite;

/** Only readers of another process (a backup, `sqlite3`) can hold us up; 5 s outlasts them, and a hang does not. */
const BUSY_TIMEOUT_MS = 5000;

/** What SQLite's log keeps of its size once all of it is merged. */
const WAL_BYTES_KEPT = 16 * 1024 * 1024;

export interface StoreOptions {
  readonly path: string;
  /** Takes secrets out of every string before it is hashed into the audit. */
  readonly redact: (text: string) => string;
  /** The file with the key that the audit is sealed with. Default: `audit.key` beside the database. */
  readonly auditKey?: string;
}

/** The first schema whose audit is sealed. */
const FIRST_SEALED_SCHEMA = 2;
/** The first schema in which every row says who wrote it. */
const FIRST_SCHEMA_WITH_PROVED_ROWS = 7;

/**
 * Opens or creates the database. Only the hub calls this; the native addon is loaded here and nowhere else.
 * Errors: ATB_STORE_DAMAGED (newer, foreign or corrupt; the file is as it was), ATB_FILE_DENIED, ATB_STORE_FAILED.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  try {
    if (existsSync(options.path)) inspectReadOnly(openSqlite, options.path);
    makePrivate(options.path);
    return openChecked(openSqlite, options);
  } catch (error) {
    throw deniedAmong(options.path) ?? storeError(error, options.path);
  }
}

/** SQLite only says that it cannot open; which of its files is somebody else's is what helps. */
function deniedAmong(path: string): AtlasBridgeError | null {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const denied = existsSync(file) ? deniedFile(file) : null;
    if (denied) return denied;
  }
  return null;
}

function openChecked(openSqlite: OpenSqlite, options: StoreOptions): Store {
  const key = ensureAuditKey(options.auditKey ?? auditKeyBeside(options.path));
  const sqlite = openSqlite(options.path);
  try {
    const audit = { redact: options.redact, key };
    configure(sqlite);
    const found = migrate(sqlite, audit);
    return new Store(sqlite, { ...audit, found });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** SQLite gives the `-wal` and `-shm` files the mode of the database. */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE_MODE));
  chmodSync(path, PRIVATE_FILE_MODE);
}

/** So that a database of another program or a newer version stays byte for byte what it was. */
function inspectReadOnly(openSqlite: OpenSqlite, path: string): void {
  const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
  try {
    inspectStore(sqlite, path);
  } finally {
    sqlite.close();
  }
}

/** FULL: an acknowledged step survives a power cut, not only a killed process. */
function configure(sqlite: Sqlite): void {
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  // A reader that takes long makes it grow; afterwards it shrinks again.
  sqlite.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`);
  sqlite.pragma("foreign_keys = ON");
  // What is taken out of a row must not lie on in a free page.
  sqlite.pragma("secure_delete = ON");
}

function migrate(sqlite: Sqlite, audit: AuditLogOptions): ForeignWriteReport {
  return sqlite
    .transaction(() => {
      const from = schemaVersion(sqlite);
      // Before the first write: a trigger that another program left in the file would run with it.
      const programs = from > 0 ? new SchemaGuard(sqlite).mend() : [];
      for (const sql of MIGRATIONS.slice(from)) sqlite.exec(sql);
      const seals = new RowSeals(sqlite, audit.key);
      if (from < FIRST_SCHEMA_WITH_PROVED_ROWS) seals.sealEverything();
      if (from < FIRST_SEALED_SCHEMA) new AuditLog(sqlite, seals, audit).sealUnsealed();
      new SchemaGuard(sqlite).mend();
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${SCHEMA_VERSION}`);
      return { trusted: from < FIRST_SCHEMA_WITH_PROVED_ROWS, programs };
    })
    .immediate();
}
