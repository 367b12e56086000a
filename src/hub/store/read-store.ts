/** Reads the database without the hub, which may keep writing: read-only, with a consistent view of all tables. */
import type Database from "better-sqlite3";
import { inspectStore } from "./inspect-store.js";
import { toStoreError } from "./sqlite-errors.js";

/** Runs `look` in one read transaction. Errors: ATB_STORE_DAMAGED, ATB_STORE_FAILED. */
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
