/**
 * Opening the store makes a private database that survives a power cut, and leaves a corrupt, newer or foreign one untouched with
 * the reason.
 */
import Database from "better-sqlite3";
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIGRATIONS, SCHEMA_VERSION } from "../../../../src/hub/store/migrations.js";
import { openStore } from "../../../../src/hub/store/open-store.js";
import { chainRecord, EMPTY_CHAIN } from "../../../../src/hub/audit/chain.js";
import { sealHead } from "../../../../src/hub/audit/seal.js";
import { ensureAuditKey, locateAuditKey } from "../../../../src/hub/store/audit-files.js";
import { APPLICATION_ID } from "../../../../src/hub/store/read-store.js";
import { examineStore } from "../../../../src/hub/store/verify-store.js";
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

  it("opens a database of the schema with proofs of rows, and its audit still verifies", async () => {
    const path = pathIn();
    const key = ensureAuditKey(locateAuditKey(path));
    const record = chainRecord(EMPTY_CHAIN, 5, { step: "hub_started", details: "{}" });
    const seal = sealHead(key, 5, { count: 1, hash: record.hash });
    const database = new Database(path);
    for (const sql of MIGRATIONS.slice(0, 7)) database.exec(sql);
    database
      .prepare(
        "INSERT INTO audit VALUES (@position, @at, @step, @sessionId, @promptId, @identity, @details, @previous, @hash, x'00')",
      )
      .run(record);
    database.prepare("INSERT INTO audit_seal VALUES (1, @at, @count, @head, @key, @mac)").run(seal);
    database.exec(`INSERT INTO settings VALUES ('hub', 'a', 'b', x'00'); INSERT INTO tally VALUES (1, x'00');
      INSERT INTO quarantine VALUES ('replies', 'f', 'not_ours', '', 1)`);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma("user_version = 7");
    database.close();
    const store = await openStore({ path, redact });
    expect(store.settings.get("hub", "a")).toBe("b");
    store.write(() => store.audit.append(6, { step: "hub_started" }));
    store.close();
    expect(await examineStore(path)).toMatchObject({
      schema: SCHEMA_VERSION,
      badRows: [],
      audit: { rows: 2, verdict: { intact: true } },
    });
    const after = new Database(path);
    expect(() => after.exec("DELETE FROM audit")).toThrow("audit rows never go");
    after.close();
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
