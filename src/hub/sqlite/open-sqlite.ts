/**
 * SQLite without garbage. The driver's native objects (those of `node::ObjectWrap`, as built for Node 24.19 and later) end the whole
 * process when the garbage collector takes one at a moment at which no script runs. The driver's next line is free of it, but does
 * not run on Node 20 (ADR 11). So nothing of it ever becomes garbage: all that is opened or prepared is kept to the end.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import type Sqlite from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";

/** A hub opens three databases in its life and prepares some sixty statements. */
const kept: object[] = [];

function keep<T extends object>(made: T): T {
  kept.push(made);
  return made;
}

let loaded: typeof Sqlite | undefined;

/** Loaded on first use, so that a driver that is missing or was built for another Node is an error with words of its own. */
function driver(): typeof Sqlite {
  try {
    const require = createRequire(import.meta.url);
    return (loaded ??= require(require.resolve("better-sqlite3")) as typeof Sqlite);
  } catch (cause) {
    throw notLoaded(cause);
  }
}

function notLoaded(cause: unknown): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_STORE_FAILED",
    "the database driver (better-sqlite3) could not be loaded: run `npm rebuild better-sqlite3`",
    { hint: "If it is not there at all, install AtlasBridge again.", cause },
  );
}

/** Its binary is loaded with the first database: one that was never built, or not for this Node. */
function isNotLoaded(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_DLOPEN_FAILED" || (error instanceof Error && /bindings file/.test(error.message));
}

/** Opening a pipe would wait for ever for its other end. A directory is refused by SQLite itself. */
function refusePipes(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found || found.isFile() || found.isDirectory()) continue;
    throw new AtlasBridgeError("ATB_STORE_FAILED", `${file} is no file.`, { hint: "Move it away." });
  }
}

function construct(path: string, options?: Sqlite.Options): Sqlite.Database {
  const Driver = driver();
  refusePipes(path);
  try {
    return new Driver(path, options);
  } catch (error) {
    throw isNotLoaded(error) ? notLoaded(error) : error;
  }
}

/**
 * Opens or creates; closing is up to the caller. Statements are prepared once and used again; `iterate` must not be used.
 * Errors: ATB_STORE_FAILED when there is no driver, or a pipe at that path; else the driver's own.
 */
export function openSqlite(path: string, options?: Sqlite.Options): Sqlite.Database {
  const database = keep(construct(path, options));
  const { prototype } = driver();
  const prepare = (sql: string): Sqlite.Statement => keep(prototype.prepare.call(database, sql));
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
  return loaded && error instanceof loaded.SqliteError ? error.code : null;
}
