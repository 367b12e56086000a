import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { checkDatabase } from "../../../src/app/doctor/database.js";
import { examineStore } from "../../../src/hub/store/examine-store.js";
import { UNREADABLE_TEXT } from "../../../src/hub/store/stored-event.js";
import { verifyStoreAudit } from "../../../src/hub/store/verify-store.js";
import { turns } from "./fake-channel.js";
import { makeRig, SESSION, type Rig } from "./rig.js";

const CALLER = { sessionId: null };

/** As a page that went bad would do it. */
function spoil(rig: Rig, sql: string): void {
  const database = new Database(rig.path);
  expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
  database.close();
}

const namedByDoctor = async (rig: Rig): Promise<string> =>
  checkDatabase(rig.path, await examineStore(rig.path))[0]?.found ?? "";

describe("one row that cannot be read", () => {
  it.each([
    ["no JSON at all", '\'{"promptType": "mul\''],
    ["JSON of something else", "'[1, 2]'"],
    ["without the fields that everything relies on", "'{}'"],
  ])("of a question (%s) ends that question, and every other one goes on", async (_, event) => {
    const rig = await makeRig();
    const bad = await rig.raise({}, 1);
    const good = await rig.raise({}, 2);
    spoil(rig, `UPDATE prompts SET event = ${event} WHERE prompt_id = '${bad.promptId}'`);
    const listed = await rig.core.handlers["prompts.list"]({ all: false }, CALLER);
    expect(listed.map(({ state }) => state)).toEqual(["failed", "pending"]);
    expect(await rig.core.handlers["prompts.list"]({ all: false }, CALLER)).toHaveLength(1);
    expect(rig.core.status()).toMatchObject({ openPrompts: 1 });
    expect(rig.stateOf(bad)).toBe("failed");
    const cards = rig.chat.cards();
    await rig.chat.tap(cards.at(-1)!, "1");
    await rig.begin(good);
    await rig.end(good);
    expect(rig.stateOf(good)).toBe("answered");
    rig.clock.advance(60_000);
    await turns(5);
    expect(rig.chat.cards()[0]?.outcome?.text).toBe(UNREADABLE_TEXT);
    expect(await namedByDoctor(rig)).toContain(
      `prompts ${bad.promptId}: event cannot be read; it was put aside`,
    );
    const steps = rig.store.audit.stepsOf(bad.promptId).map(({ step }) => step);
    expect(steps).toContain("row_quarantined");
    expect((await verifyStoreAudit({ path: rig.path }))?.verdict.intact).toBe(true);
  });

  it("is named by doctor before any hub has come across it", async () => {
    const rig = await makeRig();
    const bad = await rig.raise({}, 1);
    spoil(rig, "UPDATE prompts SET event = '{'");
    expect(await namedByDoctor(rig)).toContain(`prompts ${bad.promptId}: event cannot be read`);
  });

  it.each(["command", "capabilities"])(
    "of a session (%s) takes its powers, and not its questions",
    async (field) => {
      const rig = await makeRig();
      const open = await rig.raise({}, 1);
      spoil(rig, `UPDATE sessions SET ${field} = 'x'`);
      expect(await rig.core.handlers["sessions.list"]({ all: false }, CALLER)).toHaveLength(1);
      expect(rig.core.door.workers()).toHaveLength(1);
      await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
      await rig.begin(open);
      await rig.end(open);
      expect(rig.stateOf(open)).toBe("answered");
      expect(await namedByDoctor(rig)).toContain(`sessions ${SESSION}: ${field}`);
    },
  );

  it("of a card is put aside, and its question is answered all the same", async () => {
    const rig = await makeRig();
    const open = await rig.raise({}, 1);
    spoil(rig, `UPDATE deliveries SET ref = '{' WHERE prompt_id = '${open.promptId}'`);
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(open);
    await rig.end(open);
    expect(rig.stateOf(open)).toBe("answered");
    expect(await namedByDoctor(rig)).toContain("deliveries ");
  });

  it.each(["raw = '{'", "raw = '7'"])(
    "of what came in (%s) is put away, and the next is handled",
    async (bad) => {
      const rig = await makeRig();
      const open = await rig.raise({}, 1);
      await rig.core.stop();
      const database = new Database(rig.path);
      database
        .prepare("INSERT INTO spool (channel, key, raw, stored_at) VALUES ('chat', 'bad', '', 0)")
        .run();
      database.close();
      spoil(rig, `UPDATE spool SET ${bad} WHERE key = 'bad'`);
      const again = await makeRig({ path: rig.path, clock: rig.clock });
      await turns(3);
      expect(again.store.spool.countUnhandled()).toBe(0);
      await again.chat.tap(rig.chat.cards().at(-1)!, "1");
      expect(again.stateOf(open)).toBe("answering");
      expect(await namedByDoctor(again)).toContain("spool ");
    },
  );
});
