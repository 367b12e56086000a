import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { openSqlite } from "../../../src/hub/sqlite/open-sqlite.js";
import { tempDirectory } from "./rig.js";

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

it("nothing that the driver made is ever garbage: on newer Nodes its collection would end the process", async () => {
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

it("a pipe or a directory in the place of the database is refused at once", () => {
  const pipe = join(tempDirectory(), "a.db");
  execFileSync("mkfifo", [pipe]);
  expect(() => openSqlite(pipe)).toThrow(`${pipe} is no file.`);
  const beside = join(tempDirectory(), "b.db");
  mkdirSync(`${beside}-wal`);
  expect(() => openSqlite(beside)).toThrow(`${beside}-wal is no file, but a directory.`);
});
