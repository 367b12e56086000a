/** Ensures exactly one hub per data directory (ADR 5), by SQLite's exclusive lock, which ends with its process. */
import { truncateSync } from "node:fs";
import { findDeniedError, createFileError } from "../../config/file-errors.js";
import { openSqlite, getSqliteCode } from "../sqlite/open-sqlite.js";
import { getFileIdentity } from "./file-identity.js";

export interface HubLock {
  /** False once another file is in its place (the directory was removed or restored): others may then hold that file's lock. */
  isInPlace(): boolean;
  release(): void;
}

/**
 * Takes the lock for the life of the process, or returns null if another process holds it. Nothing else in this process may
 * open the file: closing any descriptor of it would release the lock (POSIX). Errors: ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export function acquireHubLock(path: string): HubLock | null {
  try {
    return tryLock(path);
  } catch (error) {
    if (!isNoDatabase(error)) throw findDeniedError(path) ?? createFileError(error, path, "cannot be locked");
    // It stores nothing and nobody holds it: opening it would have failed as busy otherwise.
    truncateSync(path);
    return tryLock(path);
  }
}

function tryLock(path: string): HubLock | null {
  const database = openSqlite(path, { timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    // No data is ever written; without this an empty journal would be left beside the file.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  const held = getFileIdentity(path);
  return { isInPlace: () => getFileIdentity(path) === held, release: () => void database.close() };
}

function isBusy(error: unknown): boolean {
  return getSqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
}

function isNoDatabase(error: unknown): boolean {
  return /^SQLITE_(?:NOTADB|CORRUPT)/.test(getSqliteCode(error) ?? "");
}
