/** Exactly one hub per data directory (ADR 5). Node has no flock; SQLite's exclusive lock is one, and dies with its process. */
import { truncateSync } from "node:fs";
import { deniedFile, fileError } from "../../config/file-errors.js";
import { openSqlite, sqliteCode } from "../sqlite/open-sqlite.js";
import { fileIdentity } from "./file-identity.js";

export interface HubLock {
  /** False once another file stands in its place (the directory was removed or restored): then others may hold that one's lock. */
  isInPlace(): boolean;
  release(): void;
}

/**
 * Takes the lock for life, or returns null because another process has it. Nothing else in this process may open the file: closing
 * any descriptor of it would drop the lock (POSIX). Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export function takeHubLock(path: string): HubLock | null {
  try {
    return tryLock(path);
  } catch (error) {
    if (!isNoDatabase(error)) throw deniedFile(path) ?? fileError(error, path, "cannot be locked");
    // Nothing is kept in it, and nobody holds it: a holder would have shown first.
    truncateSync(path);
    return tryLock(path);
  }
}

function tryLock(path: string): HubLock | null {
  const database = openSqlite(path, { timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    // Nothing is ever written: without this an empty journal would lie beside the file.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const taken = fileIdentity(path);
  return { isInPlace: () => fileIdentity(path) === taken, release: () => void database.close() };
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
}

function isNoDatabase(error: unknown): boolean {
  return /^SQLITE_(?:NOTADB|CORRUPT)/.test(sqliteCode(error) ?? "");
}
