/**
 * The seals of the audit show every changed, removed, added or moved row and a cut end, also when the chain was computed again
 * without the key.
 */
import type Database from "better-sqlite3";
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashRecord, type AuditRecord } from "../../../../src/hub/audit/chain.js";
import { openStore } from "../../../../src/hub/store/open-store.js";
import type { Store } from "../../../../src/hub/store/store.js";
import { verifyStoreAudit } from "../../../../src/hub/store/verify-store.js";
import { makeRig, tempDirectory } from "../rig.js";
import { tamper } from "../../../support/tamper.js";

const ROWS = 6;

function open(path: string): Promise<Store> {
  return openStore({ path, redact: (text) => text });
}

function append(store: Store, count: number): void {
  for (let n = 1; n <= count; n += 1) {
    const at = store.audit.head().count + 1;
    const entry = {
      step: "prompt_raised",
      sessionId: `s${at}`,
      promptId: `p${at}`,
      identity: "chat:1",
    } as const;
    store.write(() => store.audit.append(at, { ...entry, details: { at } }));
  }
}

/** A database with six rows; the seal of the first three is kept outside too. */
async function written(): Promise<string> {
  const path = join(tempDirectory(), "atlasbridge.db");
  const store = await open(path);
  append(store, ROWS / 2);
  store.keepSeal();
  append(store, ROWS / 2);
  store.close();
  return path;
}

/** What somebody with the file and `sqlite3`, but without the key, can do. */
/** Makes every link and hash from `position` on anew, as anybody can. */
function restamp(database: Database.Database, position: number): void {
  const rows = database
    .prepare(
      `SELECT position, at, step, session_id AS sessionId, prompt_id AS promptId, identity, details, previous, hash
       FROM audit ORDER BY position`,
    )
    .all() as AuditRecord[];
  let previous = rows[position - 2]?.hash ?? "0".repeat(64);
  for (const row of rows.slice(position - 1)) {
    const hash = hashRecord({ ...row, previous });
    database
      .prepare("UPDATE audit SET previous = ?, hash = ? WHERE position = ?")
      .run(previous, hash, row.position);
    previous = hash;
  }
}

async function readVerdict(path: string) {
  return (await verifyStoreAudit({ path }))?.verdict;
}

describe("an audit and its seals", () => {
  it("verifies as it was written, in a later life, and beside a hub that writes", async () => {
    const path = await written();
    expect(await readVerdict(path)).toMatchObject({ intact: true, head: { count: ROWS }, seals: 2 });
    const store = await open(path);
    append(store, 1);
    expect(await readVerdict(path)).toMatchObject({ intact: true, head: { count: ROWS + 1 } });
    store.close();
  });

  it("has a key of 256 bits that only its owner can read", async () => {
    const key = join(dirname(await written()), "audit.key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  const at4 = { intact: false, position: 4 };
  it.each<[what: string, change: Parameters<typeof tamper>[1], found: object]>([
    ["an instant", "UPDATE audit SET at = 99 WHERE position = 4", { ...at4, problem: "changed" }],
    ["a step", "UPDATE audit SET step = 'prompt_asked' WHERE position = 4", { ...at4, problem: "changed" }],
    ["a session", "UPDATE audit SET session_id = NULL WHERE position = 4", { ...at4, problem: "changed" }],
    ["a prompt", "UPDATE audit SET prompt_id = 'p9' WHERE position = 4", { ...at4, problem: "changed" }],
    [
      "an identity",
      "UPDATE audit SET identity = 'chat:2' WHERE position = 4",
      { ...at4, problem: "changed" },
    ],
    ["details", "UPDATE audit SET details = '{}' WHERE position = 4", { ...at4, problem: "changed" }],
    ["a hash", "UPDATE audit SET hash = upper(hash) WHERE position = 4", { ...at4, problem: "changed" }],
    ["a link", "UPDATE audit SET previous = hash WHERE position = 4", { ...at4, problem: "broken_link" }],
    ["a row taken out", "DELETE FROM audit WHERE position = 4", { ...at4, problem: "missing" }],
    [
      "two rows that changed places",
      `UPDATE audit SET position = 99 WHERE position = 4; UPDATE audit SET position = 4 WHERE position = 5;
       UPDATE audit SET position = 5 WHERE position = 99`,
      { ...at4, problem: "broken_link" },
    ],
    ["a tail that was cut", "DELETE FROM audit WHERE position >= 4", { ...at4, problem: "cut" }],
    ["everything cut", "DELETE FROM audit", { intact: false, position: 1, problem: "cut" }],
    [
      "a tail that was cut, with its seal",
      "DELETE FROM audit WHERE position >= 4; DELETE FROM audit_seal",
      { intact: false, position: 3, problem: "unsealed" },
    ],
    [
      "a tail that was cut, and the seal adjusted",
      `DELETE FROM audit WHERE position >= 4;
       UPDATE audit_seal SET count = 3, head = (SELECT hash FROM audit WHERE position = 3)`,
      { intact: false, position: 3, problem: "forged_seal" },
    ],
    [
      "a row changed and all after it made anew",
      (database) => {
        database.exec("UPDATE audit SET identity = 'chat:2' WHERE position = 5");
        restamp(database, 5);
      },
      // The seal that was kept of the first three narrows it down.
      { ...at4, problem: "made_anew", until: ROWS },
    ],
    [
      "all of it made anew",
      (database) => {
        database.exec("UPDATE audit SET identity = 'chat:2' WHERE position = 1");
        restamp(database, 1);
      },
      { intact: false, position: 1, problem: "made_anew", until: 3 },
    ],
    [
      "a row that was added",
      (database) => {
        database.exec(
          "INSERT INTO audit SELECT 7, 7, step, session_id, prompt_id, identity, details, hash, hash FROM audit WHERE position = 6",
        );
        restamp(database, 7);
      },
      { intact: false, position: 7, problem: "unsealed" },
    ],
    [
      "a seal made with another key",
      "UPDATE audit_seal SET key = 'theirs'",
      // The seal of the first three is still proved by the key.
      { ...at4, problem: "key_lost", until: ROWS },
    ],
  ])("finds and names %s", async (_what, change, found) => {
    const path = await written();
    tamper(path, change);
    expect(await readVerdict(path)).toEqual(found);
  });

  it("shows an older copy of the database that was put in its place", async () => {
    const path = await written();
    copyFileSync(path, `${path}.old`);
    const store = await open(path);
    append(store, 2);
    store.keepSeal();
    store.close();
    copyFileSync(`${path}.old`, path);
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    expect(await readVerdict(path)).toEqual({ intact: false, position: ROWS + 1, problem: "cut" });
  });

  it("names the rows of a restored older copy also when a hub went on with it", async () => {
    const path = await written();
    copyFileSync(path, `${path}.old`);
    const store = await open(path);
    append(store, 4);
    store.keepSeal();
    store.close();
    copyFileSync(`${path}.old`, path);
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    const again = await open(path);
    again.write(() => again.audit.append(99, { step: "hub_started" }));
    again.keepSeal();
    // The first three are proved by a seal that was kept before; the hub's own new row is not one of those that were sealed.
    const anew = { intact: false, position: ROWS / 2 + 1, problem: "made_anew", until: ROWS + 1 };
    expect(await readVerdict(path)).toEqual(anew);
    append(again, 4);
    again.close();
    expect(await readVerdict(path)).toEqual(anew);
  });

  it("is held against a length and a hash that somebody noted down", async () => {
    const path = await written();
    const [row] = (await open(path)).audit.readAfter(1);
    const noted = { count: 2, hash: row?.hash ?? "" };
    expect((await verifyStoreAudit({ path, noted }))?.verdict.intact).toBe(true);
    const other = { count: 2, hash: "f".repeat(64) };
    expect((await verifyStoreAudit({ path, noted: other }))?.verdict).toMatchObject({
      problem: "made_anew",
      until: 2,
    });
  });

  it("cannot be checked with another key", async () => {
    const path = await written();
    writeFileSync(join(dirname(path), "audit.key"), `${"ab".repeat(32)}\n`);
    const lost = { intact: false, position: 1, problem: "key_lost", until: ROWS };
    expect(await readVerdict(path)).toEqual(lost);
    rmSync(`${path}.checkpoints`);
    expect(await readVerdict(path)).toEqual(lost);
  });

  it("names all rows that were written under a key that is gone, and none that another one proves", async () => {
    const path = await written();
    const keyFile = join(dirname(path), "audit.key");
    const first = readFileSync(keyFile, "utf8");
    writeFileSync(keyFile, `${"ab".repeat(32)}\n`);
    await (await makeRig({ path })).core.stop();
    expect(await readVerdict(path)).toEqual({ intact: false, position: 1, problem: "key_lost", until: ROWS });
    const under = (await verifyStoreAudit({ path }))?.rows ?? 0;
    writeFileSync(keyFile, first);
    const lost = { intact: false, position: ROWS + 1, problem: "key_lost", until: under };
    expect(await readVerdict(path)).toEqual(lost);
    await (await makeRig({ path })).core.stop();
    expect(await readVerdict(path)).toEqual(lost);
  });

  it("is not proved while the key is missing", async () => {
    const path = await written();
    rmSync(join(dirname(path), "audit.key"));
    const missing = { intact: false, position: 1, problem: "key_missing", until: ROWS };
    expect(await readVerdict(path)).toEqual(missing);
  });

  it("stays broken when it was rewritten, the key deleted, and a hub sealed it again", async () => {
    const path = await written();
    tamper(path, (database) => {
      database.exec("UPDATE audit SET details = '{}' WHERE position IN (2, 5)");
      restamp(database, 2);
    });
    rmSync(join(dirname(path), "audit.key"));
    await makeRig({ path });
    const lost = { intact: false, position: 1, problem: "key_lost", until: ROWS };
    expect(await readVerdict(path)).toEqual(lost);
    // Without the seals outside, too, for the hub has recorded where it found no seal of its key.
    rmSync(`${path}.checkpoints`);
    expect(await readVerdict(path)).toEqual({
      intact: false,
      position: ROWS + 1,
      problem: "found_broken",
    });
  });

  it("stays broken once a hub has put that on record, even if every proof was made with the key", async () => {
    const path = await written();
    const store = await open(path);
    const details = { count: ROWS, sealed: ROWS + 1 };
    store.write(() => store.audit.append(ROWS + 1, { step: "audit_found_broken", details }));
    append(store, 1);
    store.close();
    expect(await readVerdict(path)).toEqual({ intact: false, position: ROWS + 1, problem: "found_broken" });
  });

  it("is not opened with an invalid key, and stays as it is", async () => {
    const path = await written();
    writeFileSync(join(dirname(path), "audit.key"), "half a k");
    await expect(open(path)).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
    await expect(readVerdict(path)).rejects.toMatchObject({ code: "ATB_STORE_DAMAGED" });
  });

  it("goes on after a crash in the middle of a kept seal", async () => {
    const path = await written();
    writeFileSync(`${path}.checkpoints`, readFileSync(`${path}.checkpoints`, "utf8") + '{"at":1,"cou');
    const store = await open(path);
    store.keepSeal();
    store.close();
    expect(await readVerdict(path)).toMatchObject({ intact: true, seals: 3 });
  });

  it("goes on in a place where no seal can be stored", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const store = await open(path);
    rmSync(dirname(path), { recursive: true, force: true });
    expect(() => store.keepSeal()).not.toThrow();
    store.close();
  });
});

describe("a hub that finds its audit changed", () => {
  it("types no answer whose record was cut under its hands, and puts that on record", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    tamper(rig.path, "DELETE FROM audit WHERE position = (SELECT max(position) FROM audit)");
    await expect(rig.begin(event)).rejects.toMatchObject({ code: "ATB_HUB_REFUSED" });
    await rig.raise({}, 2);
    const steps = [...rig.store.audit.readAfter(0)].map(({ step }) => step);
    expect(steps).toContain("audit_found_broken");
    expect(rig.store.injections.findByPrompt(event.promptId)).toBeNull();
  });

  it("puts that on record at its next start and goes on, and the proof of it stays", async () => {
    const path = await written();
    tamper(path, "DELETE FROM audit WHERE position > 4");
    const rig = await makeRig({ path });
    const steps = [...rig.store.audit.readAfter(4)].map(({ step, details }) => ({ step, details }));
    expect(steps[0]).toEqual({ step: "audit_found_broken", details: '{"count":4,"sealed":6}' });
    await rig.raise();
    expect(rig.chat.cards()).toHaveLength(1);
    expect(await readVerdict(path)).toEqual({
      intact: false,
      position: 4,
      problem: "made_anew",
      until: ROWS,
    });
  });
});
