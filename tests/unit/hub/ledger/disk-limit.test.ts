/** At its disk limit the ledger takes no new prompt, and near it forgets settled prompts early. Open prompts are still answered. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { turns } from "../fake-channel.js";
import { makeRig, SETTINGS, type Rig } from "../rig.js";

const MEGABYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const LIMITED = { ...SETTINGS, ledger: { keep_for: 0, disk_limit_mb: 64 } };

/** Something of ours that lies beside the database and fills its share of the disk. */
function fill(rig: Rig, megabytes: number): void {
  writeFileSync(join(dirname(rig.path), "copy.db"), Buffer.alloc(megabytes * MEGABYTE));
}

async function look(rig: Rig): Promise<void> {
  rig.clock.advance(60_000);
  await turns(3);
}

describe("the disk space that the ledger may take", () => {
  it("at its limit no new question is taken, and what stands is answered all the same", async () => {
    const rig = await makeRig({ settings: LIMITED });
    const open = await rig.raise({}, 1);
    fill(rig, 65);
    await look(rig);
    expect(rig.core.readStatus().disk).toMatchObject({ full: true, limitBytes: 64 * MEGABYTE });
    await expect(rig.raise({}, 2)).rejects.toMatchObject({ code: "ATB_STORE_FAILED" });
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(open);
    await rig.end(open);
    expect(rig.readState(open)).toBe("answered");
    fill(rig, 1);
    await look(rig);
    expect(rig.core.readStatus().disk.full).toBe(false);
    expect(rig.readState(await rig.raise({}, 3))).toBe("pending");
  });

  it("near it settled prompts are deleted early, after an hour at the soonest, and no open ones", async () => {
    const rig = await makeRig({ settings: LIMITED });
    const settled = await rig.raise({}, 1);
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(settled);
    await rig.end(settled);
    rig.clock.advance(HOUR_MS);
    const open = await rig.raise({}, 2);
    await look(rig);
    expect(rig.readState(settled)).toBe("answered");
    fill(rig, 60);
    await look(rig);
    expect(rig.readState(settled)).toBeUndefined();
    expect(rig.readState(open)).toBe("pending");
    const pruned = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "ledger_pruned");
    expect(pruned.map(({ details }) => JSON.parse(details) as object)).toMatchObject([
      { prompts: 1, early: true },
    ]);
  });
});
