/**
 * A hub that yields to a newer one finishes the answers on their way and begins no new ones. An idle hub stays while a session, a
 * card or an answer still needs it.
 */
import { describe, expect, it } from "vitest";
import { LOST_AFTER_MS } from "../../../../src/hub/sessions/lost-sessions.js";
import { FakeLink, makeRig, SESSION, sessionParams } from "../rig.js";
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
    expect(rig.readState(event)).toBe("answered");
  });

  it("does not wait for a worker that is away: the next hub has the answer, too", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.core.noteDisconnected(SESSION);
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
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.answers).toEqual([]);
    expect(rig.link.replies).toEqual([]);

    await rig.core.stop();
    const next = await makeRig({ path: rig.path, chat: rig.chat });
    await turns();
    expect(next.chat.answers).toHaveLength(1);
  });
});

describe("a session that is too old for the hub", () => {
  it("loses its prompts, and its people are told that its prompts stay at the terminal", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.core.noteDisconnected(SESSION);
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    await turns();
    rig.clock.advance(2_000);
    await turns();
    expect(rig.readState(event)).toBe("withdrawn");
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⏹ No longer relayed: answer at the terminal");
    expect(rig.chat.texts()).toEqual([
      "⏹ claude runs AtlasBridge 0.0.1, which is too old for the hub: its prompts show only in its terminal until it is restarted.",
    ]);
  });

  it("stays listed as not relayed with the question that may still wait, also by the next hub", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.core.noteDisconnected(SESSION);
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    await rig.core.stop();
    const next = await makeRig({ path: rig.path, chat: rig.chat, unopened: true });
    next.core.noteWorkerTooOld(SESSION, "0.0.1");
    await turns();

    const { sessions, unanswered, openPrompts } = next.core.readStatus();
    const { shortId } = next.store.prompts.find(event.promptId)!;
    expect({ sessions, unanswered, openPrompts }).toEqual({
      sessions: 1,
      unanswered: [{ shortId, state: "withdrawn" }],
      openPrompts: 0,
    });
    expect(next.chat.texts()).toHaveLength(1);
    await next.chat.text("prompts");
    await next.chat.text("sessions");
    const [prompts, listed] = next.chat.answers.map(({ answer }) => answer.text);
    expect(prompts).toBe(
      `No prompt is open. ${shortId} (withdrawn) may still wait at its terminal: check there. ` +
        "claude: its AtlasBridge is too old for the hub; check the terminal.",
    );
    expect(listed).toContain("not relayed, its AtlasBridge is too old for the hub");
  });

  it("is lost, without another word to its people, once its process has ended", async () => {
    let alive = true;
    const rig = await makeRig({ processAlive: () => alive });
    await rig.raise();
    rig.core.noteDisconnected(SESSION);
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    await turns();
    rig.clock.advance(2_000);
    await turns();
    const told = rig.chat.texts();
    expect(told).toHaveLength(1);
    alive = false;
    rig.clock.advance(LOST_AFTER_MS);
    rig.clock.advance(LOST_AFTER_MS);
    await turns();
    expect(rig.store.sessions.find(SESSION)?.ending).toBe("lost");
    expect(rig.chat.texts()).toEqual(told);
  });

  it("is relayed again by a hub that serves it", async () => {
    const rig = await makeRig();
    rig.core.noteDisconnected(SESSION);
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    await rig.core.handlers["session.open"](sessionParams(), { sessionId: SESSION });
    expect(rig.store.sessions.find(SESSION)).toMatchObject({ closedAt: null, toolState: "starting" });
  });

  it("that the hub does not know is ignored", async () => {
    const rig = await makeRig();
    rig.core.noteWorkerTooOld("99999999-9999-4999-8999-999999999999" as typeof SESSION, "0.0.1");
    expect(rig.store.sessions.listAfter(null, 100)).toHaveLength(1);
  });
});

describe("a hub that is stopped", () => {
  it("leaves each session whose process lives, connected or not, and none that it did not relay", async () => {
    let alive = true;
    const rig = await makeRig({ processAlive: () => alive });
    const listLeft = (): unknown[] => rig.core.lostSessions.listRunning().map(({ sessionId }) => sessionId);
    rig.core.noteDisconnected(SESSION);
    expect(listLeft()).toEqual([SESSION]);
    alive = false;
    expect(listLeft()).toEqual([]);
    rig.core.connected(SESSION, new FakeLink());
    expect(listLeft()).toEqual([SESSION]);
    rig.core.noteDisconnected(SESSION);
    alive = true;
    rig.core.noteWorkerTooOld(SESSION, "0.0.1");
    expect(listLeft()).toEqual([]);
  });
});

describe("a hub that nobody is connected to", () => {
  it("stays for a session that may come back", async () => {
    const rig = await makeRig();
    rig.core.noteDisconnected(SESSION);
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
    rig.core.noteDisconnected(SESSION);
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
