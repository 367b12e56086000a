/** An answer or a task is typed only if the audit proves that a person gave exactly it, whatever another program wrote to the tables. */
import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { verifyStoreAudit } from "../../../../src/hub/store/verify-store.js";
import { asId } from "../../../../src/model/ids.js";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, type Rig } from "../rig.js";

/** As a program with a connection of its own does it. */
function write(rig: Rig, sql: string): void {
  const database = new Database(rig.path);
  database.pragma("foreign_keys = OFF");
  database.exec(sql);
  database.close();
}

/** The same ledger under a new hub, with the same session connected. */
async function restarted(rig: Rig, between: () => void): Promise<Rig> {
  await rig.core.stop();
  between();
  return makeRig({ path: rig.path, clock: rig.clock });
}

function steps(rig: Rig): string[] {
  return [...rig.store.audit.readAfter(0)].map(({ step }) => step);
}

const forgeReply = ({ promptId }: PromptEvent): string =>
  `INSERT INTO replies (reply_id, prompt_id, session_id, value, nonce, identity, person, newline_policy, state, received_at)
   VALUES ('f', '${promptId}', '${SESSION}', '1', 'n', 'chat:1', 'Ara', 'none', 'waiting', 1);
   UPDATE prompts SET state = 'answering', nonce = NULL, reply_id = 'f' WHERE prompt_id = '${promptId}'`;

const forgeStep = ({ promptId }: PromptEvent): string =>
  `INSERT INTO audit SELECT position + 1, at, 'prompt_claimed', session_id, '${promptId}', 'chat:1',
     '{"by":"Ara","replyId":"f","value":"1"}', hash, hash FROM audit ORDER BY position DESC LIMIT 1`;

describe.each([true, false])("with the hub running: %s", (isRunning) => {
  async function changed(rig: Rig, sql: string): Promise<Rig> {
    if (!isRunning) return restarted(rig, () => write(rig, sql));
    write(rig, sql);
    return rig;
  }

  it("an answer that is put into the table reaches no tool, and the question is open again", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(rig, forgeReply(event));
    await expect(after.begin(event)).rejects.toThrow();
    after.core.connected(SESSION, after.link);
    await turns();
    expect(after.link.replies).toEqual([]);
    expect(after.readState(event)).toBe("pending");
    expect((await verifyStoreAudit({ path: after.path }))?.verdict.intact).toBe(true);
  });

  it("a step that is put on record is no proof of anything, and is named for ever", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const after = await changed(rig, `${forgeReply(event)}; ${forgeStep(event)}`);
    await expect(after.begin(event)).rejects.toThrow();
    // A hub that starts on a changed audit takes no answer before a person says so.
    if (!isRunning) expect(steps(after)).toContain("hub_paused");
    await after.core.setPaused(false, asId("cli:local"));
    const next = await after.raise({}, 2);
    expect(steps(after)).toContain("audit_found_broken");
    // Sealed with all that came after it, it proves nothing either.
    await expect(after.begin(event)).rejects.toThrow();
    await after.chat.tap(after.chat.cards().at(-1)!, "1");
    await after.begin(next);
    expect((await verifyStoreAudit({ path: after.path }))?.verdict).toMatchObject({ intact: false });
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

  it("a task that is put into the table is not typed", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.state"]({ state: "idle", said: null } as never, { sessionId: SESSION });
    await rig.raise();
    const after = await changed(
      rig,
      `INSERT INTO tasks SELECT 'f', session_id, 'rm -rf /', 'chat:1', 'Ara', 'waiting', delivery_id, NULL, 1, NULL, x'00'
       FROM deliveries LIMIT 1`,
    );
    const begin = () => after.core.handlers["task.begin"]({ taskId: "f" }, { sessionId: SESSION });
    expect(begin).toThrow("there is no such task waiting");
  });

  it("an answer that was given and refused is not put in again where its rows are put back", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.link.mode = "silent";
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const tables = ["prompts", "replies"];
    for (const table of tables) write(rig, `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    const { replyId } = rig.link.replies[0]!;
    const refusal = { promptId: event.promptId, replyId, stillAsked: true };
    const why = { rejection: { code: "typing" as const, text: "no" } };
    await rig.core.handlers["reply.refuse"]({ ...refusal, ...why }, { sessionId: SESSION });
    expect(rig.readState(event)).toBe("pending");
    const putBack = tables.map(
      (table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`,
    );
    const after = await changed(rig, putBack.join(";"));
    await expect(after.begin(event)).rejects.toThrow();
    expect(after.link.replies).toHaveLength(isRunning ? 1 : 0);
  });
});

describe("an answer that was claimed and is not put in yet", () => {
  async function claimed(): Promise<{ rig: Rig; event: PromptEvent }> {
    const rig = await makeRig();
    rig.link.mode = "lost";
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    return { rig, event };
  }

  it("is not put in where an older record is put back with the seal of its time", async () => {
    const rig = await makeRig();
    for (const table of ["audit", "audit_seal"])
      write(rig, `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    write(
      rig,
      `DROP TRIGGER audit_rows_never_go; DELETE FROM audit; INSERT INTO audit SELECT * FROM kept_audit;
       DELETE FROM audit_seal; INSERT INTO audit_seal SELECT * FROM kept_audit_seal`,
    );
    await expect(rig.begin(event)).rejects.toThrow();
    await rig.raise({}, 2);
    expect(steps(rig)).toContain("audit_found_broken");
    expect((await verifyStoreAudit({ path: rig.path }))?.verdict).toMatchObject({ intact: false });
  });

  it("is not put in from an older copy of the whole file: that is on record, and it is asked again", async () => {
    const { rig, event } = await claimed();
    const copy = new Database(rig.path);
    await copy.backup(`${rig.path}.old`);
    copy.close();
    await rig.raise({}, 2);
    const after = await restarted(rig, () => copyFileSync(`${rig.path}.old`, rig.path));
    expect(steps(after)).toContain("audit_found_broken");
    await turns();
    expect(after.link.replies).toEqual([]);
    expect(after.readState(event)).toBe("pending");
  });

  it("is not put in where the key was replaced: the question is ended", async () => {
    const { rig, event } = await claimed();
    const key = join(dirname(rig.path), "audit.key");
    const after = await restarted(rig, () => writeFileSync(key, `${"ab".repeat(32)}\n`));
    await turns();
    expect(after.link.replies).toEqual([]);
    expect(after.readState(event)).toBe("failed");
    expect(steps(after)).toContain("audit_found_broken");
    expect((await verifyStoreAudit({ path: after.path }))?.verdict).toMatchObject({ problem: "key_lost" });
  });
});
