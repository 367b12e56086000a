/** Checks what a database file is before anything is written to it. */
import type Database from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";
import { SCHEMA_VERSION } from "./migrations/index.js";

/** "AtB1" as a number in the file's header: a foreign database is never migrated. */
export const APPLICATION_ID = 0x41744231;

/** Refuses foreign, newer or corrupt databases; an empty file is fine. Errors: ATB_STORE_DAMAGED. */
export function inspectStore(sqlite: Database.Database, path: string): void {
  const version = readSchemaVersion(sqlite);
  const tables = sqlite.prepare<[], { n: number }>("SELECT count(*) AS n FROM sqlite_schema").get();
  if (version === 0 && tables?.n === 0) return;
  if (toNumber(sqlite.pragma("application_id", { simple: true })) !== APPLICATION_ID)
    throw createDamageError(path, "it is not an AtlasBridge database");
  if (version > SCHEMA_VERSION)
    throw createDamageError(path, `it has schema ${version}, this version supports ${SCHEMA_VERSION}`);
  const report = sqlite.pragma("quick_check(1)", { simple: true });
  if (report !== "ok") throw createDamageError(path, "SQLite's check reports corruption");
}

/** 0 before the first migration. */
export function readSchemaVersion(sqlite: Database.Database): number {
  return toNumber(sqlite.pragma("user_version", { simple: true }));
}

function createDamageError(path: string, found: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_STORE_DAMAGED", `${path} cannot be used: ${found}. It was not changed.`, {
    hint: "Restore it from a backup or move it away (open questions are asked again), or install the newer version.",
  });
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
