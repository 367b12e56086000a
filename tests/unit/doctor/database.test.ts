/** `doctor` checks the database and its audit chain while a hub has it open, and fails a changed, lost, foreign or newer one. */
import Database from "better-sqlite3";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkDatabase } from "../../../src/doctor/files.js";
import { SCHEMA_VERSION } from "../../../src/hub/store/migrations.js";
import { examineStore, verifyStoreAudit } from "../../../src/hub/store/verify-store.js";
import { openStore } from "../../../src/hub/store/open-store.js";
import { tempDirectory } from "../hub/rig.js";

describe("the database as doctor sees it", () => {
  let path = "";

  beforeEach(() => void (path = join(tempDirectory(), "atlasbridge.db")));

  const make = async (steps: number): Promise<void> => {
    const store = await openStore({ path, redact: (text) => text });
    for (let at = 1; at <= steps; at += 1)
      store.write(() => store.audit.append(at, { step: "hub_started", details: { at } }));
    store.close();
  };
  const alter = (sql: string): void => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };
  const look = async () => checkDatabase(path, await examineStore(path));

  it("may not exist yet", async () => {
    expect(await look()).toMatchObject([{ name: "database", state: "ok" }]);
  });

  it("is reported as lost where only its key and its seals are left", async () => {
    const found = checkDatabase(path, await examineStore(path), [join(path, "../audit.key")]);
    expect(found).toMatchObject([{ name: "database", state: "fail" }]);
    expect(found[0]?.found).toMatch(/the ledger is missing although .*audit\.key exists/);
  });

  it("is sound, and so is its chain, while a hub has it open", async () => {
    await make(3);
    const store = await openStore({ path, redact: (text) => text });
    store.write(() => store.audit.append(4, { step: "hub_started" }));
    expect(await look()).toMatchObject([
      { name: "database", state: "ok", found: `${path}: sound, schema ${SCHEMA_VERSION}` },
      { name: "audit", state: "ok", found: "4 steps, all intact" },
    ]);
    store.close();
  });

  it("is reported with the step that somebody changed", async () => {
    await make(3);
    alter("DROP TRIGGER audit_rows_never_change; UPDATE audit SET details = '{}' WHERE position = 2");
    expect((await look())[1]).toMatchObject({
      name: "audit",
      state: "fail",
      found: "the audit log is not intact from step 2 on (changed)",
    });
  });

  it("gets the same report as from `audit verify`, also of what only the seals show", async () => {
    await make(5);
    alter("DROP TRIGGER audit_rows_never_go; DELETE FROM audit WHERE position = 5");
    const verified = await verifyStoreAudit({ path });
    expect(verified?.verdict).toMatchObject({ intact: false, problem: "cut" });
    expect((await look())[1]).toMatchObject({ name: "audit", state: "fail" });
    expect((await look())[1]?.found).toContain("step 5 on (cut)");
  });

  it("of another program, or of none, is refused in the hub's words", async () => {
    writeFileSync(path, "not a database, but long enough to have a header".repeat(100));
    await expect(look()).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
  });

  it("of a newer version is refused, of an older one is left to the hub", async () => {
    await make(1);
    alter(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    await expect(look()).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
    expect(checkDatabase(path, { schema: 1, newestSchema: 2, badRows: [], audit: null })).toMatchObject([
      { state: "ok", found: expect.stringContaining("schema 1, which the next hub migrates to 2") as string },
    ]);
  });
});
