/** Opens the database: checks it before anything is changed, then migrates it. */
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type Database from "better-sqlite3";
import { findDeniedError } from "../../config/file-errors.js";
import type { AtlasBridgeError } from "../../model/errors.js";
import { locateAuditKey, ensureAuditKey } from "./audit-files.js";
import { FIRST_SCHEMA_VERSION, MIGRATIONS, SCHEMA_VERSION } from "./migrations.js";
import { APPLICATION_ID, inspectStore, readSchemaVersion } from "./read-store.js";
import { addSignFunction } from "./sign-rows.js";
import { toStoreError } from "./sqlite-errors.js";
import { Store } from "./store.js";
import { PRIVATE_FILE_MODE } from "../../config/private-files.js";

type Sqlite = Database.Database;
type OpenSqlite = (path: string, options?: Database.Options) => Sqlite;

/** Only readers in other processes (a backup, `sqlite3`) can block us. 5 s outlasts them without hanging forever. */
const BUSY_TIMEOUT_MS = 5000;

/** The size to which SQLite's log shrinks after a checkpoint. */
const WAL_BYTES_KEPT = 16 * 1024 * 1024;

export interface StoreOptions {
  readonly path: string;
  /** Redacts secrets from every string before it is hashed into the audit. */
  readonly redact: (text: string) => string;
  readonly auditKey?: string;
}

/**
 * Opens or creates the database. Only the hub calls this. Errors: ATB_STORE_DAMAGED (newer, foreign or corrupt; the file is
 * unchanged), ATB_FILE_DENIED, ATB_STORE_FAILED.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  try {
    if (existsSync(options.path)) inspectReadOnly(openSqlite, options.path);
    makePrivate(options.path);
    return openChecked(openSqlite, options);
  } catch (error) {
    throw findDenied(options.path) ?? toStoreError(error, options.path);
  }
}

/** SQLite only reports that it cannot open; this names the file that belongs to another user. */
function findDenied(path: string): AtlasBridgeError | null {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const denied = existsSync(file) ? findDeniedError(file) : null;
    if (denied) return denied;
  }
  return null;
}

function openChecked(openSqlite: OpenSqlite, options: StoreOptions): Store {
  const key = ensureAuditKey(options.auditKey ?? locateAuditKey(options.path));
  const sqlite = openSqlite(options.path);
  try {
    configure(sqlite);
    addSignFunction(sqlite, key);
    migrate(sqlite);
    return new Store(sqlite, { redact: options.redact, key });
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

/** Read-only, so that a foreign or newer database stays unchanged byte for byte. */
function inspectReadOnly(openSqlite: OpenSqlite, path: string): void {
  const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
  try {
    inspectStore(sqlite, path);
  } finally {
    sqlite.close();
  }
}

/** FULL: an acknowledged step survives a power failure, not only a killed process. */
function configure(sqlite: Sqlite): void {
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  // A long read makes the log grow; afterwards it shrinks again.
  sqlite.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`);
  sqlite.pragma("foreign_keys = ON");
  // Deleted content must not remain in a free page.
  sqlite.pragma("secure_delete = ON");
}

function migrate(sqlite: Sqlite): void {
  sqlite
    .transaction(() => {
      const from = readSchemaVersion(sqlite);
      const done = from === 0 ? 0 : from - FIRST_SCHEMA_VERSION + 1;
      for (const sql of MIGRATIONS.slice(done)) sqlite.exec(sql);
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}
