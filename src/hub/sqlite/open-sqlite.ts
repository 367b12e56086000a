/**
 * SQLite without garbage collection. The driver's native objects (`node::ObjectWrap`, as built for Node 24.19 and later) crash
 * the process when they are collected while no script runs. The driver's next release line fixes that but does not support Node
 * 20 (ADR 11). So every opened database and prepared statement is kept alive until the process exits.
 */
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import type Sqlite from "better-sqlite3";
import { AtlasBridgeError } from "../../model/errors.js";

/** A hub opens three databases in its life and prepares about sixty statements. */
const kept: object[] = [];

function keepAlive<T extends object>(made: T): T {
  kept.push(made);
  return made;
}

let loaded: typeof Sqlite | undefined;

/** Loaded on first use, so that a driver that is missing or built for another Node gives a clear error. */
function loadDriver(): typeof Sqlite {
  try {
    const require = createRequire(import.meta.filename);
    return (loaded ??= require(require.resolve("better-sqlite3")) as typeof Sqlite);
  } catch (cause) {
    throw createLoadError(cause);
  }
}

function createLoadError(cause: unknown): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_STORE_FAILED",
    "the database driver (better-sqlite3) could not be loaded: run `npm rebuild better-sqlite3`",
    { hint: "If it is missing, reinstall AtlasBridge.", cause },
  );
}

/** The driver's binary is loaded with the first database; this detects one that was never built or was built for another Node. */
function isNotLoaded(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_DLOPEN_FAILED" || (error instanceof Error && /bindings file/.test(error.message));
}

/** Opening a pipe would block forever. SQLite itself refuses a directory. */
function refusePipes(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found || found.isFile() || found.isDirectory()) continue;
    throw new AtlasBridgeError("ATB_STORE_FAILED", `${file} is not a regular file.`, {
      hint: "Move it away.",
    });
  }
}

function construct(path: string, options?: Sqlite.Options): Sqlite.Database {
  const Driver = loadDriver();
  refusePipes(path);
  try {
    return new Driver(path, options);
  } catch (error) {
    throw isNotLoaded(error) ? createLoadError(error) : error;
  }
}

/**
 * Opens or creates a database; the caller closes it. Statements are prepared once and reused; `iterate` must not be used.
 * Errors: ATB_STORE_FAILED if there is no driver or the path is a pipe; otherwise the driver's own.
 */
export function openSqlite(path: string, options?: Sqlite.Options): Sqlite.Database {
  const database = keepAlive(construct(path, options));
  const { prototype } = loadDriver();
  const prepare = (sql: string): Sqlite.Statement => keepAlive(prototype.prepare.call(database, sql));
  // The driver's own `pragma` would prepare a statement that nobody keeps alive.
  const pragma = (source: string, { simple = false }: Sqlite.PragmaOptions = {}): unknown => {
    const statement = prepare(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    return simple ? statement.pluck().get() : statement.all();
  };
  return Object.assign(database, { prepare, pragma });
}

/** Returns `SQLITE_BUSY` and the like; null for an error that is not SQLite's. */
export function getSqliteCode(error: unknown): string | null {
  return loaded && error instanceof loaded.SqliteError ? error.code : null;
}
