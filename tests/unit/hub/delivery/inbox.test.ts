/** An update of a channel is stored before it is acknowledged and handled once, also when the hub is killed at any step. */
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { turns } from "../fake-channel.js";
import { makeRig } from "../rig.js";

describe("an update of a channel", () => {
  it("that comes twice acts once", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1", "chat:1", "same");
    await rig.chat.tap(rig.chat.cards()[0]!, "1", "chat:1", "same");
    expect(rig.chat.answers).toHaveLength(1);
    expect(await rig.chat.inbox?.store("same", {})).toBe(false);
  });

  it("stored by a hub that was killed before it acted is handled by the next", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const [button] = rig.chat.cards()[0]!.notice.buttons;
    const raw = { kind: "tap", token: button!.token, identity: "chat:1", place: "p1", receivedAt: 0 };
    rig.store.write(() => rig.store.inbox.insert("chat", "late", raw, 0));
    await rig.core.stop();
    const again = await makeRig({ path: rig.path, chat: rig.chat });
    await turns();
    expect(again.readState(event)).toBe("answering");
    expect(rig.chat.lastAnswer).toBe("Yes: accepted for claude");
  });

  it("whose sender could not be told is answered again by the next hub, and acts no second time", async () => {
    const rig = await makeRig();
    await rig.raise();
    const answer = rig.chat.respond.bind(rig.chat);
    rig.chat.respond = () => Promise.reject(new Error("offline"));
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.core.stop();
    rig.chat.respond = answer;
    await makeRig({ path: rig.path, chat: rig.chat });
    await turns();
    expect(rig.chat.answers.map(({ answer: { text } }) => text)).toEqual(["Yes: accepted for claude"]);
  });

  it("that its channel cannot read is marked as handled", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.chat.interpret = () => null;
    await rig.chat.text("x");
    rig.chat.interpret = () => {
      throw new TypeError("unexpected update");
    };
    await rig.chat.text("y");
    expect(rig.chat.answers.map(({ answer }) => answer.text)).toEqual([
      "Something went wrong in AtlasBridge; nothing was typed.",
    ]);
    expect(rig.store.inbox.countUnhandled()).toBe(0);
  });

  it("that cannot be recorded is tried again", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const append = rig.store.audit.append.bind(rig.store.audit);
    rig.store.audit.append = () => {
      throw new AtlasBridgeError("ATB_STORE_FAILED", "disk full");
    };
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("pending");
    expect(rig.core.isIdle()).toBe(false);
    rig.store.audit.append = append;
    rig.clock.advance(5_000);
    await turns();
    expect(rig.readState(event)).toBe("answering");
    expect(rig.store.inbox.countUnhandled()).toBe(0);
  });

  it("is forgotten a week after it was handled, and not before", async () => {
    const rig = await makeRig();
    await rig.chat.text("hello");
    const insertAgain = async (afterMs: number) => {
      rig.clock.advance(afterMs);
      const again = await makeRig({ path: rig.path, clock: rig.clock });
      return again.store.write(() => again.store.inbox.insert("chat", "update-1", {}, 0));
    };
    expect(await insertAgain(6 * 86_400_000)).toBe(false);
    expect(await insertAgain(2 * 86_400_000)).toBe(true);
  });
});
