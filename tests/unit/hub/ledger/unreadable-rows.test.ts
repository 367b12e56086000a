/** A row that cannot be read is set aside on record and named by `doctor`, and the hub goes on with everything else. */
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { renderCard } from "../../../../channels/telegram/cards/card.js";
import { toPlain } from "../../../../channels/telegram/cards/markup.js";
import { checkDatabase } from "../../../../src/doctor/files.js";
import { UNREADABLE_TEXT } from "../../../../src/hub/store/unreadable-rows.js";
import { examineStore } from "../../../../src/hub/store/verify-store.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, type Rig } from "../rig.js";

const CALLER = { sessionId: null };

/** As a page does that went bad. */
function damage(rig: Rig, sql: string): void {
  const database = new Database(rig.path);
  database.pragma("foreign_keys = OFF");
  expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
  database.close();
}

/** Lists everything, and takes a step. */
async function goOn(rig: Rig): Promise<void> {
  await rig.core.handlers["prompts.list"]({ all: true }, CALLER);
  await rig.core.handlers["sessions.list"]({ all: true }, CALLER);
  for (const { promptId } of rig.store.prompts.listAfter(null, 9)) rig.store.deliveries.listCards(promptId);
  await rig.raise({}, 7);
  await turns(5);
}

const namedByDoctor = async (rig: Rig): Promise<string> =>
  checkDatabase(rig.path, await examineStore(rig.path))[0]?.found ?? "";

describe("a row that cannot be read", () => {
  it.each([
    ["prompts", "UPDATE prompts SET event = '{'"],
    ["prompts", "UPDATE prompts SET verdict = ''"],
    ["sessions", "UPDATE sessions SET command = '['"],
    ["deliveries", "UPDATE deliveries SET ref = '{'"],
  ])("(%s: %s) is set aside, and the next question is answered", async (table, sql) => {
    const rig = await makeRig();
    await rig.raise();
    damage(rig, sql);
    await goOn(rig);
    const next = rig.store.prompts.listOpen().at(-1)!;
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(next.event);
    await rig.end(next.event);
    expect(rig.readState(next.event)).toBe("answered");
    expect([...rig.store.audit.readAfter(0)].map(({ step }) => step)).toContain("row_quarantined");
    expect(await namedByDoctor(rig)).toContain(`${table} `);
    expect(rig.store.sessions.find(SESSION)).toMatchObject({ pid: 4242, closedAt: null });
  });

  it("of a question ends it: its card says so once, and it can be asked again by its id", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    damage(rig, "UPDATE prompts SET event = '{'");
    await goOn(rig);
    expect(rig.readState(event)).toBe("failed");
    const { notice, outcome } = rig.chat.edits.get(1)!;
    expect(outcome).toMatchObject({ state: "failed", final: true, text: UNREADABLE_TEXT });
    const shown = toPlain(renderCard(notice, { now: 0, outcome }).spans);
    expect(shown.split(UNREADABLE_TEXT)).toHaveLength(2);
    expect(shown).toContain("claude: What was asked is not known.");
    rig.link.stands = "anew";
    await rig.core.handlers["prompt.again"]({ promptId: event.promptId }, CALLER);
    expect(rig.link.asked).toEqual([{ promptId: event.promptId, fingerprint: "-" }]);
  });

  it("of a message or an update is dropped, also by a hub that starts", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.core.stop();
    damage(rig, "INSERT INTO spool (channel, key, raw, stored_at) VALUES ('chat', 'bad', '{', 1)");
    damage(
      rig,
      "INSERT INTO outbox (delivery_id, kind, priority, due_at, outcome) SELECT delivery_id, 'settle', 0, 1, '{' FROM deliveries",
    );
    const after = await makeRig({ path: rig.path, clock: rig.clock });
    await goOn(after);
    expect(after.store.inbox.countUnhandled()).toBe(0);
    expect(after.store.outbox.count()).toBe(0);
    expect(await namedByDoctor(after)).toContain("outbox ");
  });

  it("whose id no text expresses is recorded once, and the hub goes on", async () => {
    const rig = await makeRig();
    await rig.raise();
    damage(rig, "UPDATE prompts SET event = '{', prompt_id = CAST(x'ff00fe' AS TEXT)");
    for (let at = 2; at < 5; at += 1) {
      await rig.core.handlers["prompts.list"]({ all: true }, CALLER);
      await rig.raise({}, at);
    }
    const steps = [...rig.store.audit.readAfter(0)].map(({ step }) => step);
    expect(steps.filter((step) => step === "row_quarantined")).toHaveLength(1);
    expect(rig.store.prompts.listOpen()).toHaveLength(3);
  });

  it("with the uses of a rule leaves it none", async () => {
    const rig = await makeRig();
    rig.store.write(() => rig.store.settings.set("policy", `${SESSION}/r`, "{"));
    expect(rig.store.settings.getJson("policy", `${SESSION}/r`)).toBeNull();
    await rig.raise();
    expect(rig.store.settings.get("policy", `${SESSION}/r`)).toBe("null");
  });
});
