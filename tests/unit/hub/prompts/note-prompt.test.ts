/** What a session notices of an open prompt stands on its cards, which stay open. */
import { describe, expect, it } from "vitest";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION } from "../rig.js";

describe("a note on a prompt", () => {
  it("stands on its card, which can still be answered", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const note = { promptId: event.promptId, note: "screen_differs" } as const;
    await rig.core.handlers["prompt.note"](note, { sessionId: SESSION });
    await turns();
    const card = rig.chat.cards()[0]!;
    expect(card.outcome?.final).toBe(false);
    expect(card.outcome?.text).toContain("a dialog in which this call was not found");
    await rig.chat.tap(card, "1");
    expect(rig.readState(event)).toBe("answering");
  });
});
