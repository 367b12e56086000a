/** A hub whose ledger file is removed takes and begins no answer, and reports it to its sessions and in its status. */
import { existsSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PLACE_CHECK_EVERY_MS } from "../../../../src/hub/core/hub-announcer.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION } from "../rig.js";

const REMOVED = /was removed or replaced while the hub had it open/;

describe("a ledger that is removed", () => {
  it("takes no answer, begins none, and is reported to the sessions and in the status", async () => {
    const logged: string[] = [];
    const rig = await makeRig({
      log: (level, message) => {
        if (level === "error") logged.push(message);
      },
    });
    rig.core.announcer.start();
    rig.core.reach.noteHealth("chat", { state: "connected" });
    const begun = await rig.raise({}, 1);
    const open = await rig.raise({}, 2);
    const [first, second] = rig.chat.cards();
    await rig.chat.tap(first!, "1");
    expect(rig.readState(begun)).toBe("answering");
    expect(rig.core.reach.findProblem()).toBeNull();

    renameSync(rig.path, `${rig.path}.away`);
    await expect(rig.begin(begun)).rejects.toThrow(REMOVED);
    // The service keeps the tap for the next hub.
    await expect(rig.chat.tap(second!, "1")).rejects.toThrow(REMOVED);
    expect(rig.readState(open)).toBe("pending");
    expect(rig.core.reach.findProblem()).toMatch(REMOVED);
    rig.clock.advance(PLACE_CHECK_EVERY_MS * 3);
    await turns();
    expect(rig.link.reaches.at(-1)).toMatchObject({
      channels: [],
      problem: expect.stringMatching(REMOVED) as string,
    });
    expect(logged).toEqual(["the ledger was removed; no answers are accepted"]);
    await expect(rig.raise({}, 3)).rejects.toThrow(REMOVED);

    renameSync(`${rig.path}.away`, rig.path);
    rig.clock.advance(PLACE_CHECK_EVERY_MS);
    await turns();
    expect(rig.core.reach.findProblem()).toBeNull();
    expect(rig.link.reaches.at(-1)).toMatchObject({ problem: null });
    expect(await rig.begin(begun)).toBe("injecting");
    expect(rig.store.sessions.find(SESSION)?.closedAt).toBeNull();
  });

  it("gets no seal beside the file in its place", async () => {
    const rig = await makeRig();
    renameSync(rig.path, `${rig.path}.away`);
    const seals = `${rig.path}.checkpoints`;
    if (existsSync(seals)) renameSync(seals, `${seals}.away`);
    await rig.core.stop();
    expect(existsSync(seals)).toBe(false);
  });
});
