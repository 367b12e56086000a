/** Rows that another program writes to the ledger have no effect, and each of them is on record, whether the hub runs or not. */
import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { renderCard } from "../../../../channels/telegram/cards/card.js";
import { toPlain } from "../../../../channels/telegram/cards/markup.js";
import { checkDatabase } from "../../../../src/doctor/database.js";
import { FOREIGN_CHECK_EVERY_MS } from "../../../../src/hub/ledger/foreign-write-monitor.js";
import { examineStore } from "../../../../src/hub/store/examine-store.js";
import { UNPROVED_TEXT } from "../../../../src/hub/store/seals/unproved-prompt.js";
import { verifyStoreAudit } from "../../../../src/hub/store/verify-store.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import { makeRig as makeUnwatched, SESSION, SETTINGS, type Rig, type RigOptions } from "../rig.js";

const CALLER = { sessionId: null };

async function makeRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await makeUnwatched(options);
  rig.core.foreignWatch.start();
  return rig;
}

/** As a program with a connection of its own does it. */
function write(rig: Rig, sql: string, atLeast = 1): void {
  const database = new Database(rig.path);
  database.pragma("foreign_keys = OFF");
  expect(database.prepare(sql).run().changes).toBeGreaterThanOrEqual(atLeast);
  database.close();
}

async function looked(rig: Rig): Promise<void> {
  rig.clock.advance(FOREIGN_CHECK_EVERY_MS);
  await turns(5);
}

/** The same ledger under a new hub, with the same session connected. */
async function restarted(rig: Rig, between: () => void): Promise<Rig> {
  await rig.core.stop();
  between();
  return makeRig({ path: rig.path, clock: rig.clock });
}

const namedByDoctor = async (rig: Rig): Promise<string> =>
  checkDatabase(rig.path, await examineStore(rig.path))[0]?.found ?? "";

function steps(rig: Rig): string[] {
  return [...rig.store.audit.readAfter(0)].map(({ step }) => step);
}

const forgedReply = ({ promptId }: PromptEvent, state = "waiting"): string =>
  `INSERT INTO replies (reply_id, prompt_id, session_id, value, nonce, identity, person, newline_policy, state, received_at)
   VALUES ('f', '${promptId}', '${SESSION}', '1', 'n', 'chat:1', 'Ara', 'none', '${state}', 1)`;

describe.each(["while the hub runs", "while it does not"])("%s", (when) => {
  const isRunning = when === "while the hub runs";

  /** The rig to go on with, once the change was seen. */
  async function changed(rig: Rig, sql: string): Promise<Rig> {
    if (!isRunning) return restarted(rig, () => write(rig, sql));
    write(rig, sql);
    await looked(rig);
    return rig;
  }

  it("an answer that is put into the table reaches no tool, and the question stays open", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(rig, forgedReply(event));
    expect(after.link.replies).toEqual([]);
    expect(after.readState(event)).toBe("pending");
    expect(steps(after)).toContain("row_quarantined");
    expect(await namedByDoctor(after)).toContain("replies f: the hub did not write it; it was quarantined");
    expect((await verifyStoreAudit({ path: after.path }))?.verdict.intact).toBe(true);
  });

  it.each(["value = '2'", "identity = 'chat:2'", "text = 'and more'", "person = 'Bo'"])(
    "an answer that was given and is changed (%s) is not put in",
    async (change) => {
      const rig = await makeRig();
      rig.link.mode = "lost";
      const event = await rig.raise();
      await rig.chat.tap(rig.chat.cards()[0]!, "1");
      expect(rig.readState(event)).toBe("answering");
      await expect(
        changed(rig, `UPDATE replies SET ${change}`).then((after) => after.begin(event)),
      ).rejects.toThrow();
      expect((await verifyStoreAudit({ path: rig.path }))?.verdict.intact).toBe(true);
    },
  );

  it("a question that is changed is given up, its card says so, and the next one is answered", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(
      rig,
      "UPDATE prompts SET event = json_set(event, '$.excerpt', 'Something harmless?')",
    );
    expect(after.readState(event)).toBe("failed");
    expect(after.store.prompts.find(event.promptId)?.outcome).toBe(UNPROVED_TEXT);
    expect(after.store.audit.listSteps(event.promptId).map(({ step }) => step)).toContain("row_quarantined");
    expect(await namedByDoctor(after)).toContain(`prompts ${event.promptId}`);
    await after.core.setPaused(false, "chat:1" as never);
    const next = await after.raise({}, 2);
    await after.chat.tap(after.chat.cards().at(-1)!, "1");
    await after.begin(next);
    await after.end(next);
    expect(after.readState(next)).toBe("answered");
  });

  it("a card that was given up shows its warning once", async () => {
    const rig = await makeRig();
    const open = await rig.raise();
    const after = await changed(rig, "UPDATE prompts SET event = json_set(event, '$.excerpt', 'Harmless?')");
    await looked(after);
    const { notice, outcome } = after.chat.edits.get(1)!;
    expect(after.store.prompts.find(open.promptId)?.outcome).toBe(outcome.text);
    expect(outcome.text).toBe(UNPROVED_TEXT);
    const shown = toPlain(renderCard(notice, { now: 0, outcome }).spans);
    expect(shown.split(UNPROVED_TEXT)).toHaveLength(2);
    expect(shown.split("⚠️")).toHaveLength(2);
    expect(shown).toContain("claude: What was asked is not known.");
  });

  it("a question that was given up can be asked again by its id, which is all that is known of it", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(rig, "UPDATE prompts SET event = json_set(event, '$.excerpt', 'Harmless?')");
    after.link.stands = "anew";
    await after.core.handlers["prompt.again"]({ promptId: event.promptId }, CALLER);
    expect(after.link.asked).toEqual([{ promptId: event.promptId, fingerprint: "-" }]);
    expect(after.store.prompts.find(event.promptId)?.outcome).toBe(`${UNPROVED_TEXT} · asked again`);
  });

  it.each([
    ["answered", "event = json_set(event, '$.excerpt', 'Something else?')", "answered, by Ara"],
    ["answered", "state = 'failed', outcome = 'No'", "answered, by Ara"],
    ["answered", "state = 'pending', nonce = 'n', closed_at = NULL", "answered, by Ara"],
    ["expired", "state = 'answered', answered_by = 'Ara', outcome = 'Yes, by Ara'", "expired"],
  ] as const)(
    "a question that had ended (%s) and is changed (%s) keeps the end that the audit proves",
    async (state, change, words) => {
      const rig = await makeRig();
      const event = await rig.raise();
      const isAnswered = state === "answered";
      if (isAnswered) {
        await rig.chat.tap(rig.chat.cards()[0]!, "1");
        await rig.begin(event);
        await rig.end(event);
      } else rig.clock.advance(SETTINGS.prompts.expires_after);
      await turns();
      const after = await changed(rig, `UPDATE prompts SET ${change}`);
      // A row that has ended is come across by whoever lists it.
      await after.core.handlers["prompts.list"]({ all: true }, CALLER);
      await looked(after);
      const [listed] = await after.core.handlers["prompts.list"]({ all: true }, CALLER);
      expect(listed?.state).toBe(state);
      expect(listed?.excerpt).toContain("not prove what was asked or answered");
      expect(listed?.excerpt).toContain(`According to the audit it ended as ${words}.`);
      expect(listed?.excerpt).not.toContain("can no longer be answered");
      expect(rig.chat.cards()[0]!.outcome?.state).toBe(state);
      expect((await verifyStoreAudit({ path: after.path }))?.verdict.intact).toBe(true);
    },
  );

  it("a plan that is changed to foresee the tool's end proves no answer", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(event);
    if (isRunning) {
      write(rig, "UPDATE injections SET ends_tool = 1");
      await rig.core.handlers["session.close"](
        { sessionId: SESSION, exitCode: 0, signal: null },
        { sessionId: SESSION },
      );
      expect(rig.readState(event)).toBe("uncertain");
    } else {
      const after = await changed(rig, "UPDATE injections SET ends_tool = 1");
      expect(steps(after)).toContain("row_quarantined");
      expect(after.readState(event)).not.toBe("answered");
    }
  });

  it("a card that is bound to another question answers neither", async () => {
    const rig = await makeRig();
    const harmless = await rig.raise({}, 1);
    const dangerous = await rig.raise({}, 2);
    const card = rig.chat.cards()[0]!;
    const after = await changed(
      rig,
      `UPDATE deliveries SET prompt_id = '${dangerous.promptId}', text = NULL, twin_of = delivery_id
       WHERE prompt_id = '${harmless.promptId}'`,
    );
    await after.chat.tap(card, "1");
    expect([after.readState(harmless), after.readState(dangerous)]).toEqual(["pending", "pending"]);
    expect(steps(after)).toContain("row_quarantined");
  });

  it("a button that is given another meaning answers nothing", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const card = rig.chat.cards()[0]!;
    const after = await changed(rig, "UPDATE tokens SET value = '1' WHERE value = '3'");
    await after.chat.tap(card, "3");
    expect(after.readState(event)).toBe("pending");
    expect(await namedByDoctor(after)).toContain("tokens ");
  });

  it("an update of a service that is put into the table is not handled", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const token = rig.chat.cards()[0]!;
    await rig.chat.tap(token, "99");
    const after = await changed(
      rig,
      `INSERT INTO spool (channel, key, raw, stored_at) SELECT 'chat', 'forged', '${JSON.stringify({
        kind: "text",
        identity: "chat:1",
        displayName: "Ara",
        text: "answer k1 1",
        place: "1",
      })}', 1`,
    );
    expect(after.readState(event)).toBe("pending");
    expect(after.store.inbox.countUnhandled()).toBe(0);
    expect(await namedByDoctor(after)).toContain("spool ");
  });

  it("a task that is put into the table is not typed", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.state"]({ state: "idle", said: null } as never, { sessionId: SESSION });
    await rig.raise();
    const after = await changed(
      rig,
      `INSERT INTO tasks SELECT 'f', session_id, 'rm -rf /', 'chat:1', 'Ara', 'waiting', delivery_id, NULL, 1, NULL, NULL
       FROM deliveries LIMIT 1`,
    );
    expect(after.link.tasks).toEqual([]);
    expect(after.store.tasks.listOpenInSession(SESSION)).toEqual([]);
    expect(steps(after)).toContain("row_quarantined");
  });

  it.each([
    "DELETE FROM settings WHERE key = 'paused'",
    "UPDATE settings SET value = 'no' WHERE key = 'paused'",
  ])("a pause is not lifted by: %s", async (sql) => {
    const rig = await makeRig();
    await rig.core.setPaused(true, "chat:1" as never);
    const after = await changed(rig, sql);
    expect(after.core.readStatus().paused).toBe(true);
  });

  it("a step that is put on record is no proof of anything, and is named for ever", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(
      rig,
      `INSERT INTO audit SELECT position + 1, at, 'prompt_claimed', session_id, '${event.promptId}', 'chat:1', '{"replyId":"f"}', hash, hash, NULL
       FROM audit ORDER BY position DESC LIMIT 1`,
    );
    expect(steps(after)).toContain("audit_found_broken");
    const next = await after.raise({}, 2);
    await after.chat.tap(after.chat.cards().at(-1)!, "1");
    await after.begin(next);
    expect((await verifyStoreAudit({ path: after.path }))?.verdict).toMatchObject({ intact: false });
  });

  it("a trigger that would write with the hub's own hand is taken out before the hub writes anything", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const program = `CREATE TRIGGER theirs AFTER INSERT ON audit BEGIN ${forgedReply(event)} ON CONFLICT DO NOTHING; END`;
    const put = (): void => {
      const database = new Database(rig.path);
      database.exec(program);
      database.close();
    };
    let after = rig;
    if (isRunning) put();
    else after = await restarted(rig, put);
    await after.raise({}, 2);
    await looked(after);
    expect(after.link.replies).toEqual([]);
    const database = new Database(rig.path, { readonly: true });
    expect(database.prepare("SELECT count(*) AS n FROM replies").get()).toEqual({ n: 0 });
    database.close();
    const seen = [...after.store.audit.readAfter(0)].find(({ step }) => step === "foreign_write_seen");
    expect(JSON.parse(seen?.details ?? "{}")).toMatchObject({ programs: ["theirs"] });
  });
});

/** All of a table, to be put back as it was. */
function copyTables(rig: Rig, tables: readonly string[]): () => void {
  const database = new Database(rig.path);
  for (const table of tables) database.exec(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  database.close();
  return () => {
    const back = new Database(rig.path);
    back.pragma("foreign_keys = OFF");
    for (const table of tables)
      back.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`);
    back.close();
  };
}

describe("rows that are put back with the proof that they once had", () => {
  it.each([true, false])("do not give an answer twice (hub running: %s)", async (isRunning) => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.link.mode = "silent";
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const putBack = copyTables(rig, ["prompts", "replies", "tally"]);
    await rig.core.handlers["reply.refuse"](
      {
        promptId: event.promptId,
        replyId: rig.link.replies[0]!.replyId,
        rejection: { code: "typing", text: "no" },
        stillAsked: true,
      },
      { sessionId: SESSION },
    );
    expect(rig.readState(event)).toBe("pending");
    let after = rig;
    if (isRunning) {
      putBack();
      await looked(rig);
    } else after = await restarted(rig, putBack);
    expect(after.readState(event)).toBe("failed");
    expect(isRunning ? after.link.replies.length : 1).toBe(1);
    expect(isRunning ? [] : after.link.replies).toEqual([]);
    await expect(after.begin(event)).rejects.toThrow();
  });

  it("show an older record that was put back with the seal of its time", async () => {
    const rig = await makeRig();
    const putBack = copyTables(rig, ["audit", "audit_seal", "tally"]);
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    write(rig, "DROP TRIGGER audit_rows_never_go", 0);
    putBack();
    await expect(rig.begin(event)).rejects.toThrow();
    expect(steps(rig)).toContain("audit_found_broken");
    expect((await verifyStoreAudit({ path: rig.path }))?.verdict).toMatchObject({ intact: false });
  });

  it("show an older copy of the whole file", async () => {
    const rig = await makeRig();
    await rig.core.setPaused(true, "chat:1" as never);
    await rig.core.setPaused(false, "chat:1" as never);
    await rig.core.stop();
    copyFileSync(rig.path, `${rig.path}.old`);
    const second = await makeRig({ path: rig.path, clock: rig.clock });
    await second.core.setPaused(true, "chat:1" as never);
    const third = await restarted(second, () => copyFileSync(`${rig.path}.old`, rig.path));
    expect(third.core.readStatus().paused).toBe(true);
    expect(steps(third)).toContain("foreign_write_seen");
  });

  it("are not taken for what stands open by a hub that starts", async () => {
    const rig = await makeRig();
    const putBack = copyTables(rig, ["settings", "tally"]);
    await rig.core.setPaused(true, "chat:1" as never);
    const after = await restarted(rig, putBack);
    expect(after.core.readStatus().paused).toBe(true);
    const seen = [...after.store.audit.readAfter(0)]
      .filter(({ step }) => step === "foreign_write_seen")
      .at(-1);
    expect(JSON.parse(seen?.details ?? "{}")).toMatchObject({ unprovable: true });
  });
});

describe("a session's row", () => {
  it.each([
    "pid = 1",
    "capabilities = 'x'",
    "command = '['",
    "session_id = 'other'",
    "closed_at = 1, ending = 'lost'",
  ])("that is changed under a hub (%s) is put back as the hub knows it", async (change) => {
    const rig = await makeRig();
    const open = await rig.raise();
    write(rig, `UPDATE sessions SET ${change}`);
    expect(rig.core.admissionLedger.listWorkers()).toMatchObject([{ pid: 4242 }]);
    await looked(rig);
    expect(rig.core.admissionLedger.listWorkers()).toMatchObject([{ pid: 4242 }]);
    expect(rig.store.sessions.find(SESSION)).toMatchObject({ tool: "claude", pid: 4242, closedAt: null });
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(open);
    await rig.end(open);
    expect(rig.readState(open)).toBe("answered");
  });
});

describe("the key of the ledger", () => {
  it("that was replaced proves nothing: what is open is given up, nothing is typed, and all say so", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.link.mode = "lost";
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const after = await restarted(rig, () =>
      writeFileSync(join(dirname(rig.path), "audit.key"), `${"ab".repeat(32)}\n`),
    );
    expect(after.link.replies).toEqual([]);
    expect(after.readState(event)).toBe("failed");
    expect(after.core.readStatus().paused).toBe(true);
    expect(steps(after)).toContain("audit_found_broken");
    expect((await verifyStoreAudit({ path: after.path }))?.verdict).toMatchObject({ problem: "key_lost" });
    expect(await after.core.handlers["sessions.list"]({ all: false }, CALLER)).toMatchObject([
      { sessionId: SESSION, tool: "claude", pid: 4242 },
    ]);
  });

  it("that was replaced leaves no card open: it says that it cannot be answered any more, and has no buttons", async () => {
    const rig = await makeRig();
    await rig.raise();
    const card = rig.chat.cards()[0]!;
    await rig.core.stop();
    writeFileSync(join(dirname(rig.path), "audit.key"), `${"ab".repeat(32)}\n`);
    const after = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    await looked(after);
    expect(card.outcome).toMatchObject({ state: "failed", final: true, text: UNPROVED_TEXT });
    expect(card.outcome?.buttons).toBeUndefined();
    expect(UNPROVED_TEXT).toContain("can no longer be answered");
  });
});

describe("a program that goes on writing", () => {
  it("has no effect, and the hub goes on when it ends", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    for (let at = 0; at < 50; at += 1) {
      write(rig, `INSERT INTO settings VALUES ('hub', 'n${at}', 'x', NULL)`);
      // A name that is no text is found again by nobody who looks for it.
      write(
        rig,
        forgedReply(event)
          .replace("'f'", `CAST(x'ff0${at % 10}${at + 10}' AS TEXT)`)
          .replace("'n'", `'n${at}'`),
      );
    }
    await looked(rig);
    expect(steps(rig).filter((step) => step === "row_quarantined").length).toBe(30);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(event);
    expect(rig.readState(event)).toBe("injecting");
  });
});
