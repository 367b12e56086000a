/**
 * The wrapper of the SQLite driver keeps every object of the driver alive, reads pragmas as the driver does, and refuses a pipe
 * as database.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { openSqlite } from "../../../../src/hub/sqlite/open-sqlite.js";
import { tempDirectory } from "../rig.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Weak references to all that an ordinary use of the driver makes, closed and let go. */
function used(path: string): WeakRef<object>[] {
  const database = openSqlite(path);
  const made: object[] = [database, database.prepare("CREATE TABLE a (b)"), database.prepare("SELECT 1")];
  database.pragma("journal_mode = WAL");
  database.transaction(() => undefined).immediate();
  database.close();
  return made.map((object) => new WeakRef(object));
}

it("no object of the driver is garbage collected, which would end the process on newer Nodes", async () => {
  const references = used(join(tempDirectory(), "a.db"));
  const litter = new WeakRef({});
  // A reference that was just made is held to the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(litter.deref()).toBeUndefined();
  expect(references.map((reference) => reference.deref())).not.toContain(undefined);
});

it("pragmas are set and read as with the driver's own", () => {
  const database = openSqlite(join(tempDirectory(), "a.db"));
  expect(database.pragma("journal_mode = WAL", { simple: true })).toBe("wal");
  database.pragma("user_version = 7");
  expect(database.pragma("user_version", { simple: true })).toBe(7);
  expect(database.pragma("user_version")).toEqual([{ user_version: 7 }]);
  database.close();
});

it.each(["", "-wal"])("a pipe in the place of the database%s is refused, not waited for", (suffix) => {
  const path = join(tempDirectory(), "a.db");
  execFileSync("mkfifo", [`${path}${suffix}`]);
  expect(() => openSqlite(path)).toThrow(`${path}${suffix} is not a regular file.`);
});
