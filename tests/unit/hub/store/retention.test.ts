/**
 * Settled prompts and closed sessions are deleted after the configured time, and the audit never is. An archive is a private copy
 * that verifies.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveStore } from "../../../../src/hub/store/archive-store.js";
import { countStore } from "../../../../src/hub/store/count-store.js";
import { verifyStoreAudit } from "../../../../src/hub/store/verify-store.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { makeRig, SETTINGS, type Rig } from "../rig.js";
import { turns } from "../fake-channel.js";

const DAY_MS = 24 * 3_600_000;
const SETTINGS_30_DAYS = { ...SETTINGS, ledger: { keep_for: 30 * DAY_MS, disk_limit_mb: 1_000_000 } };

async function answered(rig: Rig, n: number): Promise<void> {
  const event = await rig.raise({}, n);
  await rig.chat.tap(rig.chat.cards().at(-1)!, "3");
  await rig.begin(event);
  await rig.end(event);
}

/** Days pass one by one, as the daily look needs them. */
async function pass(rig: Rig, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    rig.clock.advance(DAY_MS);
    await turns(3);
    rig.clock.advance(1_000);
    await turns(3);
  }
}

describe("the ledger's memory", () => {
  it("forgets what was settled before the time that it keeps, and nothing of the audit", async () => {
    const rig = await makeRig({ settings: SETTINGS_30_DAYS });
    await answered(rig, 1);
    await pass(rig, 20);
    await answered(rig, 2);
    const open = await rig.raise({}, 3);
    const auditRows = rig.store.audit.head().count;
    await pass(rig, 15);
    const prompts = rig.store.prompts.listAfter(null, 100).map(({ promptId }) => promptId.slice(-1));
    expect(prompts).toEqual(["2", "3"]);
    expect(readDatabase(rig.path, "SELECT 1 FROM replies")).toHaveLength(1);
    expect(readDatabase(rig.path, "SELECT 1 FROM injections")).toHaveLength(1);
    expect(readDatabase(rig.path, "SELECT 1 FROM deliveries WHERE text IS NULL")).toHaveLength(2);
    expect(rig.readState(open)).toBe("expired");
    expect(rig.store.audit.head().count).toBeGreaterThan(auditRows);
    const last = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "ledger_pruned");
    expect(last.map(({ details }) => JSON.parse(details) as object)).toMatchObject([
      { prompts: 1, sessions: 0 },
    ]);
    expect((await verifyStoreAudit({ path: rig.path }))?.verdict.intact).toBe(true);
  });

  it("forgets nothing sooner because the clock was set forward, nor after it was set back", async () => {
    const rig = await makeRig({ settings: SETTINGS_30_DAYS });
    const kept = (): number => rig.store.prompts.listAfter(null, 100).length;
    await answered(rig, 1);
    rig.clock.setBy(100 * DAY_MS);
    await pass(rig, 1);
    expect(kept()).toBe(1);
    await answered(rig, 2);
    await pass(rig, 28);
    expect(kept()).toBe(2);
    rig.clock.setBy(-100 * DAY_MS);
    await pass(rig, 5);
    expect(rig.store.prompts.listAfter(null, 100).map(({ promptId }) => promptId.slice(-1))).toEqual(["2"]);
  });

  it("forgets a closed session with its questions, and keeps an open one", async () => {
    const rig = await makeRig({ settings: SETTINGS_30_DAYS });
    await answered(rig, 1);
    await rig.core.handlers["session.close"](
      { sessionId: "", exitCode: 0, signal: null, resume: "claude --resume 77" },
      {
        sessionId: rig.store.sessions.listAfter(null, 100)[0]!.sessionId,
      },
    );
    await turns(5);
    await pass(rig, 32);
    expect(rig.store.sessions.listAfter(null, 100)).toEqual([]);
    expect(readDatabase(rig.path, "SELECT 1 FROM deliveries")).toEqual([]);
    expect(readDatabase(rig.path, "SELECT 1 FROM settings WHERE scope = 'resume'")).toEqual([]);
  });

  it("keeps everything where the configuration says so", async () => {
    const rig = await makeRig();
    await answered(rig, 1);
    await pass(rig, 40);
    expect(rig.store.prompts.listAfter(null, 100)).toHaveLength(1);
  });

  it("forgets more than one batch", async () => {
    const rig = await makeRig({ settings: SETTINGS_30_DAYS });
    for (let n = 1; n <= 205; n += 1) await rig.raise({}, n);
    await pass(rig, 1);
    // Cards that nobody needs any more are given up one by one, with whatever else happens in between.
    for (let n = 1; n <= 205; n += 1) {
      rig.clock.advance(1);
      await turns(1);
    }
    await pass(rig, 33);
    expect(rig.store.prompts.listAfter(null, 100)).toEqual([]);
  });
});

describe("an archive", () => {
  it("is a private copy that verifies by itself, made while the hub writes", async () => {
    const rig = await makeRig();
    await answered(rig, 1);
    const target = join(rig.path, "..", "copy.db");
    await archiveStore(rig.path, target);
    await answered(rig, 2);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect((await countStore(target))?.rows).toMatchObject({ prompts: 1, injections: 1 });
    expect((await countStore(rig.path))?.rows).toMatchObject({ prompts: 2, injections: 2 });
    expect((await verifyStoreAudit({ path: target }))?.verdict).toMatchObject({ intact: true });
  });

  it("never takes the place of a file", async () => {
    const rig = await makeRig();
    await expect(archiveStore(rig.path, rig.path)).rejects.toMatchObject({ code: "ATB_FILE_FOREIGN" });
    expect(rig.store.sessions.listAfter(null, 100)).toHaveLength(1);
  });
});

describe("a card", () => {
  it("is on record with the hash of what it showed", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.raise({ excerpt: "Another question?" }, 2);
    const shown = readDatabase<{ shown_hash: string }>(rig.path, "SELECT shown_hash FROM deliveries").map(
      (row) => row.shown_hash,
    );
    const recorded = [...rig.store.audit.readAfter(0)]
      .filter(({ step }) => step === "card_posted")
      .map(({ details }) => (JSON.parse(details) as { shownHash: string }).shownHash);
    expect(recorded).toEqual(shown);
    expect(new Set(shown).size).toBe(2);
    expect(shown[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
