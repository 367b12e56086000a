/** Reads a database file with a connection of its own, as another process would. */
import Database from "better-sqlite3";

export function readDatabase<T>(path: string, sql: string, params: readonly string[] = []): T[] {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare<string[], T>(sql).all(...params);
  } finally {
    database.close();
  }
}
