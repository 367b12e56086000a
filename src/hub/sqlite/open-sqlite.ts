/**
 * SQLite without garbage. The driver's native objects (those of `node::ObjectWrap`, as built for Node 24.19 and later) end the whole
 * process when the garbage collector takes one at a moment at which no script runs. The driver's next line is free of it, but does
 * not run on Node 20 (ADR 11). So nothing of it ever becomes garbage: all that is opened or prepared is kept to the end.
 */
import Sqlite from "better-sqlite3";

/** A hub opens three databases in its life and prepares some sixty statements. */
const kept: object[] = [];

function keep<T extends object>(made: T): T {
  kept.push(made);
  return made;
}

/** Opens or creates; closing is up to the caller. Statements are prepared once and used again; `iterate` must not be used. */
export function openSqlite(path: string, options?: Sqlite.Options): Sqlite.Database {
  const database = keep(new Sqlite(path, options));
  const prepare = (sql: string): Sqlite.Statement => keep(Sqlite.prototype.prepare.call(database, sql));
  // The driver's own would prepare a statement that nobody holds.
  const pragma = (source: string, { simple = false }: Sqlite.PragmaOptions = {}): unknown => {
    const statement = prepare(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    return simple ? statement.pluck().get() : statement.all();
  };
  return Object.assign(database, { prepare, pragma });
}

/** `SQLITE_BUSY` and the like; null of an error that is not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Sqlite.SqliteError ? error.code : null;
}
