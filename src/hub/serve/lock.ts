/** Exactly one hub per data directory (design §3). Node has no flock; SQLite's exclusive lock is one, and dies with its process. */
import Database from "better-sqlite3";

export interface HubLock {
  release(): void;
}

/**
 * Takes the lock for life, or returns null because another process has it. Nothing else in this process may open the file: closing
 * any descriptor of it would drop the lock (POSIX).
 */
export function takeHubLock(path: string): HubLock | null {
  const database = new Database(path, { timeout: 0 });
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
  return { release: () => void database.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
