/** A pause stops every answer at once, in the middle of its keys and for the next hub too, until a resume. */
import { describe, expect, it } from "vitest";
import { LOCAL_IDENTITY } from "../../../../src/model/ids.js";
import { createRefusal } from "../../../../src/model/answer/refusal.js";
import { ARA, FakeLink, SESSION, SETTINGS, makeRig, type Rig } from "../rig.js";
import { turns } from "../fake-channel.js";

/** What the worker does when it got no leave to begin. */
async function giveBack(rig: Rig): Promise<string> {
  const [prompt] = rig.store.prompts.listAfter(null, 100);
  const key = { promptId: prompt!.promptId, replyId: prompt!.replyId! };
  const refusal = { ...key, rejection: createRefusal("not_recorded"), stillAsked: true };
  const { state } = await rig.core.handlers["reply.refuse"](refusal, { sessionId: SESSION });
  await turns();
  return state;
}

describe("a pause of the hub", () => {
  it("stops an answer that was taken and is not being typed yet; the person is told why", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    await expect(rig.begin(event)).rejects.toMatchObject({ code: "ATB_HUB_REFUSED" });
    expect(rig.store.injections.findByPrompt(event.promptId)).toBeNull();
    expect(await giveBack(rig)).toBe("pending");
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⚠️ AtlasBridge is paused; nothing was typed.");
    await rig.core.setPaused(false, LOCAL_IDENTITY);
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    expect(await rig.begin(event)).toBe("injecting");
  });

  it("stops one whose leave was lost on the way: nothing was written, and that is what people are told", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.begin(event);
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    await expect(rig.begin(event)).rejects.toMatchObject({ code: "ATB_HUB_REFUSED" });
    expect(await giveBack(rig)).toBe("failed");
  });

  it("stops the policy, and the answer at a deadline", async () => {
    const settings = { ...SETTINGS, prompts: { ...SETTINGS.prompts, on_expiry: "safe_default" as const } };
    const decide = () => ({ kind: "answer", value: "1", rule: "r", reason: "" }) as const;
    const rig = await makeRig({ settings, decide });
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    const event = await rig.raise();
    expect(rig.readState(event)).toBe("pending");
    rig.clock.advance(SETTINGS.prompts.expires_after);
    await turns();
    expect(rig.readState(event)).toBe("expired");
    expect(rig.link.replies).toEqual([]);
  });

  it("reaches every connected worker at once, and one that comes back while it lasts", async () => {
    const rig = await makeRig();
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    expect(rig.link.calls).toEqual(["answers.halt"]);
    await rig.core.setPaused(true, LOCAL_IDENTITY);
    const again = new FakeLink();
    rig.core.connected(SESSION, again);
    expect([rig.link.calls, again.calls]).toEqual([["answers.halt"], ["answers.halt"]]);
    await rig.core.setPaused(false, LOCAL_IDENTITY);
    const later = new FakeLink();
    rig.core.connected(SESSION, later);
    expect(later.calls).toEqual([]);
  });

  it("does not wait for a worker that does not respond", async () => {
    const rig = await makeRig();
    rig.link.mode = "silent";
    const heard = rig.core.setPaused(true, LOCAL_IDENTITY);
    rig.clock.advance(2_000);
    await heard;
    expect(rig.core.readStatus().paused).toBe(true);
  });

  it("is refused to a viewer", async () => {
    const me = { name: "Me", identities: [LOCAL_IDENTITY], role: "viewer" } as const;
    const rig = await makeRig({ settings: { ...SETTINGS, people: [ARA, me] } });
    expect(() => rig.core.setPaused(true, LOCAL_IDENTITY)).toThrow("the local user may not do that");
    expect(rig.core.readStatus().paused).toBe(false);
  });
});
