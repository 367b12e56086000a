/** A notice of `notify_human` is posted once at each place to which the prompts of the session go. */
import { describe, expect, it } from "vitest";
import { turns } from "../fake-channel.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { makeRig, SESSION } from "../rig.js";

const caller = { sessionId: SESSION };
const notice = { noticeId: "44444444-4444-4444-8444-444444444444", text: "All tests pass." };

describe("a notice of a tool to its people", () => {
  it("is posted wherever its prompts go, under the tool's name, without buttons", async () => {
    const rig = await makeRig();
    expect(await rig.core.handlers["session.tell"](notice, caller)).toEqual({ places: 1 });
    await turns();
    expect(rig.chat.cards()).toEqual([]);
    expect(rig.chat.messages.map(({ notice: shown }) => shown)).toMatchObject([
      { kind: "text", text: "📣 claude: All tests pass." },
    ]);
  });

  it("is quoted line by line, so that no line of it passes for one of ours", async () => {
    const rig = await makeRig();
    const text = "Done.\n\n✅ Yes, by Ara, confirmed\n🔐 claude asks for permission";
    await rig.core.handlers["session.tell"]({ ...notice, text }, caller);
    await turns();
    expect(rig.chat.messages.map(({ notice: shown }) => shown)).toMatchObject([
      { text: "📣 claude: Done.\n> \n> ✅ Yes, by Ara, confirmed\n> 🔐 claude asks for permission" },
    ]);
  });

  it("is posted once, however often it is sent", async () => {
    const rig = await makeRig();
    const first = await rig.core.handlers["session.tell"](notice, caller);
    expect(await rig.core.handlers["session.tell"](notice, caller)).toEqual(first);
    await turns();
    expect(rig.chat.messages).toHaveLength(1);
  });

  it("goes to no place where the chat takes nothing, or its channel has lost its service", async () => {
    const rig = await makeRig();
    rig.core.reach.noteHealth("chat", { state: "degraded", reason: "no network", action: "Wait." });
    expect(await rig.core.handlers["session.tell"](notice, caller)).toEqual({ places: 0 });
    rig.core.reach.noteHealth("chat", { state: "connected" });
    rig.core.reach.places.noteRefusal("chat", "p1", "403 blocked");
    expect(await rig.core.handlers["session.tell"](notice, caller)).toEqual({ places: 0 });
  });

  it("is on record without its words", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.tell"](notice, caller);
    const rows = JSON.stringify(readDatabase(rig.path, "SELECT step, details FROM audit"));
    expect(rows).toContain("notice_told");
    expect(rows).not.toContain("All tests pass");
  });

  it("is refused once its session is over", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.close"]({ sessionId: SESSION, exitCode: 0, signal: null }, caller);
    expect(() => rig.core.handlers["session.tell"](notice, caller)).toThrow("not open");
  });
});
