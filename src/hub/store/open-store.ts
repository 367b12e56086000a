/** Opens the database: refuses what it does not understand before it touches it, then migrates (design §11, §12). */
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import { MIGRATIONS, SCHEMA_VERSION } from "./migrations/index.js";
import { storeError } from "./sqlite-errors.js";
import { Store } from "./store.js";

type Sqlite = Database.Database;
type OpenSqlite = (path: string, options?: Database.Options) => Sqlite;

/** "AtB1" as a number, in the file's header: a database that is not ours is never migrated. */
const APPLICATION_ID = 0x41744231;

/** Only readers of another process (a backup, `sqlite3`) can hold us up; 5 s outlasts them, and a hang does not. */
const BUSY_TIMEOUT_MS = 5000;

const PRIVATE_FILE = 0o600;

export interface StoreOptions {
  readonly path: string;
  /** Takes secrets out of every string before it is hashed into the audit. */
  readonly redact: (text: string) => string;
}

/**
 * Opens or creates the database. Only the hub calls this; the native addon is loaded here and nowhere else.
 * Errors: ATB_STORE_DAMAGED (newer, foreign or corrupt; the file is as it was), ATB_STORE_FAILED.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { default: Constructor } = await import("better-sqlite3");
  const openSqlite: OpenSqlite = (path, how) => new Constructor(path, how);
  try {
    if (existsSync(options.path)) inspect(openSqlite, options.path);
    makePrivate(options.path);
    return openChecked(openSqlite, options);
  } catch (error) {
    throw storeError(error, options.path);
  }
}

function openChecked(openSqlite: OpenSqlite, options: StoreOptions): Store {
  const sqlite = openSqlite(options.path);
  try {
    configure(sqlite);
    migrate(sqlite);
    return new Store(sqlite, options.redact);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** SQLite gives the `-wal` and `-shm` files the mode of the database. */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_FILE));
  chmodSync(path, PRIVATE_FILE);
}

/** Read-only, so that a database of another program or a newer version stays byte for byte what it was. */
function inspect(openSqlite: OpenSqlite, path: string): void {
  const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
  try {
    const version = numberOf(sqlite.pragma("user_version", { simple: true }));
    const tables = sqlite.prepare<[], { n: number }>("SELECT count(*) AS n FROM sqlite_schema").get();
    if (version === 0 && tables?.n === 0) return;
    if (numberOf(sqlite.pragma("application_id", { simple: true })) !== APPLICATION_ID)
      throw damaged(path, "it is not a database of AtlasBridge");
    if (version > SCHEMA_VERSION)
      throw damaged(path, `it has schema ${version}, this program knows ${SCHEMA_VERSION}`);
    const report = sqlite.pragma("quick_check(1)", { simple: true });
    if (report !== "ok") throw damaged(path, "SQLite's check found it corrupt");
  } finally {
    sqlite.close();
  }
}

function damaged(path: string, found: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} cannot be used: ${found}. It was not touched.`, {
    hint: "Restore it from a backup or move it away (open questions are asked again), or install the newer version.",
  });
}

/** FULL: an acknowledged step survives a power cut, not only a killed process. */
function configure(sqlite: Sqlite): void {
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  // What is taken out of a row must not lie on in a free page.
  sqlite.pragma("secure_delete = ON");
}

function migrate(sqlite: Sqlite): void {
  sqlite
    .transaction(() => {
      const from = numberOf(sqlite.pragma("user_version", { simple: true }));
      for (const sql of MIGRATIONS.slice(from)) sqlite.exec(sql);
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
