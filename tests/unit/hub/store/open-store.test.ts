/**
 * Opening the store makes a private database that survives a power cut, and leaves a corrupt, newer or foreign one untouched with
 * the reason.
 */
import Database from "better-sqlite3";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCHEMA_VERSION } from "../../../../src/hub/store/migrations.js";
import { openStore } from "../../../../src/hub/store/open-store.js";
import { tempDirectory } from "../rig.js";

const redact = (text: string): string => text;
const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

function pathIn(directory = tempDirectory()): string {
  return join(directory, "atlasbridge.db");
}

describe("opening the store", () => {
  it("makes a private database of the newest schema, durable against a power cut", async () => {
    const path = pathIn();
    const store = await openStore({ path, redact });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    store.close();
    const database = new Database(path, { readonly: true });
    expect(database.pragma("user_version", { simple: true })).toBe(SCHEMA_VERSION);
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
    database.close();
  });

  it("keeps every instant as a whole number", async () => {
    const path = pathIn();
    (await openStore({ path, redact })).close();
    const database = new Database(path, { readonly: true });
    const instants = database
      .prepare(
        `SELECT t.name || '.' || c.name AS instant, t.strict, c.type FROM pragma_table_list t, pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND (c.name = 'at' OR c.name GLOB '*_at')`,
      )
      .all() as { instant: string; strict: number; type: string }[];
    database.close();
    expect(instants.map(({ instant }) => instant)).toContain("audit.at");
    expect(instants.filter(({ strict, type }) => !strict || type !== "INTEGER")).toEqual([]);
  });

  it("opens again its own database, and closes it to other users", async () => {
    const path = pathIn();
    const first = await openStore({ path, redact });
    first.write(() => first.settings.set("hub", "a", "b"));
    first.close();
    const second = await openStore({ path, redact });
    expect(second.settings.get("hub", "a")).toBe("b");
    second.close();
  });

  it("leaves a database untouched that a version before the first release made", async () => {
    const path = pathIn();
    (await openStore({ path, redact })).close();
    const database = new Database(path);
    database.pragma("user_version = 7");
    database.close();
    const before = digest(path);
    await expect(openStore({ path, redact })).rejects.toMatchObject({
      code: "ATB_STORE_DAMAGED",
      message: expect.stringContaining("schema 7") as string,
    });
    expect(digest(path)).toBe(before);
  });

  it("leaves a database of a newer version untouched", async () => {
    const path = pathIn();
    (await openStore({ path, redact })).close();
    const database = new Database(path);
    database.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    const before = digest(path);
    await expect(openStore({ path, redact })).rejects.toMatchObject({
      code: "ATB_STORE_DAMAGED",
      message: expect.stringContaining(`schema ${SCHEMA_VERSION + 1}`) as string,
    });
    expect(digest(path)).toBe(before);
  });

  it("leaves somebody else's database untouched", async () => {
    const path = pathIn();
    const database = new Database(path);
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    const before = digest(path);
    await expect(openStore({ path, redact })).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
    expect(digest(path)).toBe(before);
  });

  it("leaves a file that is no database untouched", async () => {
    const path = pathIn();
    writeFileSync(path, "not a database, but long enough to have a header".repeat(100));
    const before = digest(path);
    await expect(openStore({ path, redact })).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
    expect(digest(path)).toBe(before);
  });

  it("leaves a corrupt database untouched", async () => {
    const path = pathIn();
    (await openStore({ path, redact })).close();
    const bytes = readFileSync(path);
    // Past the header and the schema page: only the check can see it.
    bytes.fill(0x5a, 3 * 4096, 6 * 4096);
    writeFileSync(path, bytes);
    const before = digest(path);
    await expect(openStore({ path, redact })).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
    expect(digest(path)).toBe(before);
  });

  it("refuses a database from which a table is gone", async () => {
    const path = pathIn();
    (await openStore({ path, redact })).close();
    const database = new Database(path);
    database.exec("DROP TABLE outbox");
    database.close();
    await expect(openStore({ path, redact })).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
  });

  it("says what to do when the place cannot be written", async () => {
    const path = join(tempDirectory(), "missing", "atlasbridge.db");
    await expect(openStore({ path, redact })).rejects.toMatchObject({
      code: "ATB_STORE_FAILED",
      hint: expect.stringContaining("data directory") as string,
    });
  });

  it("undoes a transaction that throws, as a whole", async () => {
    const store = await openStore({ path: pathIn(), redact });
    expect(() =>
      store.write(() => {
        store.settings.set("hub", "a", "b");
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(store.settings.get("hub", "a")).toBeNull();
    store.close();
  });
});
