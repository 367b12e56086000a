/**
 * A hub that yields to a newer one finishes the answers on their way and begins no new ones. An idle hub stays while a session, a
 * card or an answer still needs it.
 */
import { describe, expect, it } from "vitest";
import { FakeLink, makeRig, SESSION } from "../rig.js";
import { turns } from "../fake-channel.js";

const caller = { sessionId: SESSION };
const client = { sessionId: null };
const close = { sessionId: SESSION, exitCode: 0, signal: null };

/** Whether a promise has settled by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.finally(() => (over = true));
  await turns();
  return over;
}

describe("a hub that yields to a newer one", () => {
  it("ends at once when no answer is under way", async () => {
    const rig = await makeRig();
    await rig.raise();
    expect(await isOver(rig.core.drain())).toBe(true);
  });

  it("waits for the answer that a connected worker is typing", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    const drained = rig.core.drain();
    expect(await isOver(drained)).toBe(false);
    await rig.begin(event);
    expect(await isOver(drained)).toBe(false);
    await rig.end(event);
    expect(await isOver(drained)).toBe(true);
    expect(rig.stateOf(event)).toBe("answered");
  });

  it("does not wait for a worker that is away: the next hub has the answer, too", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.core.disconnected(SESSION);
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    expect(await isOver(rig.core.drain())).toBe(true);
  });

  it("begins no new answer: taps, typed answers and deadlines are the next hub's", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.core.drain();
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const asked = rig.core.handlers["prompt.answer"]({ shortId, value: "2" }, client);
    expect(await isOver(Promise.resolve(asked))).toBe(false);
    rig.clock.advance(24 * 3_600_000);
    await turns();
    expect(rig.stateOf(event)).toBe("pending");
    expect(rig.chat.answers).toEqual([]);
    expect(rig.link.replies).toEqual([]);

    await rig.core.stop();
    const next = await makeRig({ path: rig.path, chat: rig.chat });
    await turns();
    expect(next.chat.answers).toHaveLength(1);
  });
});

describe("a session that is too old for the hub", () => {
  it("is closed, and its people are told that its prompts stay at the terminal", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.core.disconnected(SESSION);
    rig.core.workerTooOld(SESSION, "0.0.1");
    rig.core.workerTooOld(SESSION, "0.0.1");
    await turns();
    rig.clock.advance(2_000);
    await turns();
    expect(rig.stateOf(event)).toBe("withdrawn");
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⏹ No longer relayed: answer at the terminal");
    expect(rig.chat.texts()).toEqual([
      "⏹ claude runs AtlasBridge 0.0.1, which is too old for the hub: its prompts show only in its terminal until it is restarted.",
    ]);
  });

  it("that the hub does not know is ignored", async () => {
    const rig = await makeRig();
    rig.core.workerTooOld("99999999-9999-4999-8999-999999999999" as typeof SESSION, "0.0.1");
    expect(rig.store.sessions.listAfter(null, 100)).toHaveLength(1);
  });
});

describe("a hub that nobody is connected to", () => {
  it("stays for a session that may come back", async () => {
    const rig = await makeRig();
    rig.core.disconnected(SESSION);
    expect(rig.core.isIdle()).toBe(false);
    await rig.core.handlers["session.close"](close, caller);
    expect(rig.core.isIdle()).toBe(true);
  });

  it("stays until every card is settled, however long the chat is away", async () => {
    const rig = await makeRig();
    await rig.raise();
    const settle = rig.chat.settle.bind(rig.chat);
    rig.chat.settle = () => Promise.reject(new Error("the network is away"));
    await rig.core.handlers["session.close"](close, caller);
    await turns();
    rig.clock.advance(3_600_000);
    await turns();
    expect(rig.core.isIdle()).toBe(false);
    rig.chat.settle = settle;
    rig.clock.advance(120_000);
    await turns();
    expect(rig.core.isIdle()).toBe(true);
  });

  it("stays for a question that is still being answered", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    rig.core.disconnected(SESSION);
    expect(rig.core.isIdle()).toBe(false);
    rig.core.connected(SESSION, new FakeLink());
    await rig.begin(event);
    await rig.end(event);
    await rig.core.handlers["session.close"](close, caller);
    await turns();
    rig.clock.advance(10_000);
    await turns();
    expect(rig.core.isIdle()).toBe(true);
  });
});
