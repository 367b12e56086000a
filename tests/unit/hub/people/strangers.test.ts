/** Updates of strangers leave a bounded number of rows, are counted on record, and delay no answer of the people in the configuration. */
import { describe, expect, it } from "vitest";
import { Strangers } from "../../../../src/hub/people/strangers.js";
import { asId, type Identity } from "../../../../src/model/ids.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { turns } from "../fake-channel.js";
import { makeRig } from "../rig.js";

const who = (n: number) => asId<Identity>(`chat:${n}`);

describe("strangers", () => {
  it("are distinguished, and the latest thousand are remembered", () => {
    const strangers = new Strangers();
    for (let n = 0; n < 3; n += 1) expect(strangers.shouldReply(who(0), 0)).toBe(true);
    for (let n = 1; n < 1000; n += 1) expect(strangers.shouldReply(who(n), 1)).toBe(true);
    expect(strangers.shouldReply(who(0), 2)).toBe(false);
    for (let n = 1000; n < 2000; n += 1) strangers.shouldReply(who(n), 3);
    expect(strangers.shouldReply(who(0), 4)).toBe(true);
  });

  it("are not silenced by a clock that was set back", () => {
    const strangers = new Strangers();
    for (let n = 0; n < 3; n += 1) strangers.shouldReply(who(1), 1_000_000);
    expect(strangers.shouldReply(who(1), 1_000_001)).toBe(false);
    expect(strangers.shouldReply(who(1), 0)).toBe(true);
  });
});

describe("a flood of strangers' updates", () => {
  it("leaves a bounded number of rows, is counted on record, and delays no answer", async () => {
    const rig = await makeRig();
    const open = await rig.raise({}, 1);
    const updates = 3_000;
    const inbox = rig.chat.inbox!;
    for (let at = 0; at < updates; at += 1)
      await inbox.store(`flood-${at}`, {
        kind: "text",
        text: `hello ${at}`,
        identity: `chat:${1_000 + (at % 500)}`,
        displayName: "",
        place: "elsewhere",
        receivedAt: 0,
      });
    await turns(5);
    const rows = readDatabase(rig.path, "SELECT 1 FROM spool").length;
    expect(rows).toBeLessThanOrEqual(200);
    rig.clock.advance(60_000);
    await turns(3);
    const [ignored] = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "strangers_ignored");
    expect(JSON.parse(ignored!.details)).toEqual({ updates: updates - rows });
    await rig.chat.tap(rig.chat.cards().at(-1)!, "1");
    await rig.begin(open);
    await rig.end(open);
    expect(rig.readState(open)).toBe("answered");
    // What was kept is forgotten while the hub runs.
    rig.clock.advance(8 * 24 * 3_600_000);
    await turns(3);
    expect(readDatabase(rig.path, "SELECT 1 FROM spool")).toEqual([]);
  });
});
