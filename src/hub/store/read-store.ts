/** Reads the database without the hub, which may keep writing, and checks what a file is before anything is read or written. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import { readAuditKey } from "./audit-files.js";
import { FIRST_SCHEMA_VERSION, SCHEMA_VERSION } from "./migrations.js";
import { addSignFunction, checkSignature } from "./sign-rows.js";
import { toStoreError } from "./sqlite-errors.js";

/** "AtB1" as a number in the file's header: a foreign database is never migrated. */
export const APPLICATION_ID = 0x41744231;

/** Runs `look` in one read transaction, with a consistent view of all tables. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function readStore<T>(path: string, look: (sqlite: Database.Database) => T): Promise<T> {
  const { openSqlite } = await import("../sqlite/open-sqlite.js");
  try {
    const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
    try {
      inspectStore(sqlite, path);
      return sqlite.transaction(() => look(sqlite))();
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** One of the hub's settings; null if there is none that the hub signed. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
export async function readSetting(
  { path, auditKey }: { readonly path: string; readonly auditKey: string },
  scope: string,
  key: string,
): Promise<string | null> {
  const signingKey = existsSync(path) ? readAuditKey(auditKey) : null;
  if (signingKey === null) return null;
  return readStore(path, (sqlite) => {
    if (readSchemaVersion(sqlite) !== SCHEMA_VERSION) return null;
    addSignFunction(sqlite, signingKey);
    const find = sqlite.prepare<[string, string], string>(
      `SELECT value FROM settings WHERE scope = ? AND key = ? AND ${checkSignature("settings")}`,
    );
    return find.pluck().get(scope, key) ?? null;
  });
}

/** Refuses foreign, newer or corrupt databases; an empty file is fine. Errors: ATB_STORE_DAMAGED. */
export function inspectStore(sqlite: Database.Database, path: string): void {
  const version = readSchemaVersion(sqlite);
  const tables = sqlite.prepare<[], { n: number }>("SELECT count(*) AS n FROM sqlite_schema").get();
  if (version === 0 && tables?.n === 0) return;
  if (toNumber(sqlite.pragma("application_id", { simple: true })) !== APPLICATION_ID)
    throw createDamageError(path, "it is not an AtlasBridge database");
  if (version < FIRST_SCHEMA_VERSION)
    throw createDamageError(
      path,
      `it has schema ${version}, of a version before the first release`,
      BEGIN_ANEW,
    );
  if (version > SCHEMA_VERSION)
    throw createDamageError(path, `it has schema ${version}, this version supports ${SCHEMA_VERSION}`);
  const report = sqlite.pragma("quick_check(1)", { simple: true });
  if (report !== "ok") throw createDamageError(path, "SQLite's check reports corruption");
}

/** 0 before the first migration. */
export function readSchemaVersion(sqlite: Database.Database): number {
  return toNumber(sqlite.pragma("user_version", { simple: true }));
}

const RESTORE =
  "Restore it from a backup or move it away (open questions are asked again, and the hub is paused until `resume`), or install the newer version.";
const BEGIN_ANEW =
  "Move it away: the hub then begins a new record, paused until `resume`. Open questions are asked again; permissions and confirmed addresses must be given again. A copy is checked with the version that made it.";

function createDamageError(path: string, found: string, hint = RESTORE): AtlasBridgeError {
  return new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} cannot be used: ${found}. It was not changed.`, {
    hint,
  });
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
