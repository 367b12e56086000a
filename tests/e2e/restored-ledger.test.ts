/** After an older copy of the ledger was put back: an old card says that nobody knows it, and what was answered since is not listed as open. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { Replay } from "../support/rig/replay.js";
import { withRig } from "../support/rig/rig.js";

it("an older copy of the ledger leaves no card with live buttons, and the prompt is asked again", () =>
  withRig(async (rig) => {
    const { database } = rig.home.paths;
    const older = `${database}.older`;
    copyFileSync(database, older);
    const replay = Replay.start(rig, ["bash"]);
    const card = await replay.run.card();
    await rig.home.run("hub", "stop");
    for (const part of ["", "-wal", "-shm"]) rmSync(`${database}${part}`, { force: true });
    copyFileSync(older, database);
    await rig.home.run("hub", "start");
    expect(await card.press(1)).toContain("has no record of this card");
    await eventually(() => Promise.resolve(card.tokens.length === 0));
    expect(card.message.text).toContain("has no record of this card");
    expect(replay.typed).toEqual([]);
    const again = await replay.run.card(2);
    expect(await again.press(4)).toContain("AtlasBridge is paused");
    await rig.home.run("resume");
    await again.press(4);
    expect(await again.settled()).toBe("✅ No, by Ara, confirmed");
  }));

it("after all our files were put back, a prompt that was answered since is not listed as open", () =>
  withRig(async (rig) => {
    const { dataDir } = rig.home.paths;
    const older = mkdtempSync(join(tmpdir(), "older-"));
    const replay = Replay.start(rig, ["bash"]);
    const card = await replay.run.card();
    await rig.home.run("hub", "stop");
    cpSync(dataDir, older, { recursive: true });
    await rig.home.run("hub", "start");
    await card.press(4);
    expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
    await rig.home.run("hub", "stop");
    rmSync(dataDir, { recursive: true });
    cpSync(older, dataDir, { recursive: true });
    rmSync(older, { recursive: true });
    await rig.home.run("hub", "start");
    await eventually(() =>
      Promise.resolve(card.message.text.includes("No longer open; the record does not say how it ended")),
    );
    expect((await rig.home.run("prompts")).stdout).toBe("No open prompts.\n");
  }));
