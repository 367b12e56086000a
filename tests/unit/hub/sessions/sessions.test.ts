/**
 * A session survives a lost connection and a restart of the hub with its state, its prompts and its claimed answers. Its end or
 * its loss settles its prompts and is reported.
 */
import { describe, expect, it } from "vitest";
import { SCREEN_LOST_AGAIN_MS } from "../../../../src/hub/ledger/lost-screens.js";
import { LOST_AFTER_MS } from "../../../../src/hub/sessions/lost-sessions.js";
import { FakeLink, SESSION, makeRig, sessionParams } from "../rig.js";
import { turns } from "../fake-channel.js";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { PROTOCOL_VERSION } from "../../../../src/wire/messages.js";

const caller = { sessionId: SESSION };
const close = { sessionId: SESSION, exitCode: 3, signal: null };

describe("a session", () => {
  it("hears where its prompts will go", async () => {
    const rig = await makeRig();
    const result = await rig.core.handlers["session.open"](sessionParams(), caller);
    expect(result).toEqual({
      protocol: PROTOCOL_VERSION,
      version: "0.1.0",
      places: ["chat:p1"],
      draining: false,
    });
  });

  it("has names and a folder without a line break, which would look like a line of ours", async () => {
    const rig = await makeRig();
    const names = { tool: "sh\nx", label: "a\r\nb", cwd: "/w\n⚠️ all is well" };
    await rig.core.handlers["session.open"]({ ...sessionParams(), ...names }, caller);
    await rig.raise();
    const [session] = await rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null });
    expect(session).toMatchObject({
      tool: "sh‹U+000A›x",
      label: expect.not.stringContaining("\n") as string,
      cwd: "/w‹U+000A›⚠️ all is well",
    });
    const { tool, label, place } = rig.chat.cards()[0]!.notice.session;
    expect(`${tool}${label}${place}`).not.toContain("\n");
  });

  it("opened again by its worker is the same one, with its state", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "working" }, caller);
    await rig.core.handlers["session.open"](sessionParams(), caller);
    const sessions = await rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null });
    expect(sessions).toMatchObject([
      { sessionId: SESSION, state: "working", connected: true, endedAt: null },
    ]);
    const opened = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "session_opened");
    expect(opened).toHaveLength(1);
  });

  it("is listed with what its tool said last, until it works again", async () => {
    const rig = await makeRig();
    const tell = (state: ToolState, said?: string) =>
      rig.core.handlers["session.state"]({ sessionId: SESSION, state, ...(said && { said }) }, caller);
    const listed = async () => {
      const [session] = await rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null });
      return session?.said;
    };
    expect(await listed()).toBeNull();
    await tell("idle", "Done. Shall I push?");
    // Screen and status report come after the tool's own word, and know nothing of it.
    await tell("idle");
    await rig.core.handlers["session.open"](sessionParams(), caller);
    expect(await listed()).toBe("Done. Shall I push?");
    await tell("working");
    expect(await listed()).toBeNull();
  });

  it("tells its people again that its screen cannot be followed, on a clock that was set back", async () => {
    const rig = await makeRig();
    const tell = (state: ToolState) =>
      rig.core.handlers["session.state"]({ sessionId: SESSION, state }, caller);
    await tell("screen_lost");
    await tell("working");
    rig.clock.setBy(-365 * 86_400_000);
    rig.clock.advance(SCREEN_LOST_AGAIN_MS);
    await tell("screen_lost");
    await turns();
    rig.clock.advance(2_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(2);
  });

  it("tells its people once in a while that its screen cannot be followed, and the card of its question too", async () => {
    const rig = await makeRig();
    const tell = (state: ToolState) =>
      rig.core.handlers["session.state"]({ sessionId: SESSION, state }, caller);
    const event = await rig.raise();
    await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "screen_lost" }, caller);
    for (let time = 0; time < 3; time++) {
      await tell("screen_lost");
      await tell("working");
    }
    await tell("screen_lost");
    await turns();
    rig.clock.advance(2_000);
    await turns();
    expect(rig.chat.cards()[0]?.outcome?.text).toBe(
      "🙈 The screen can no longer be read; AtlasBridge typed nothing. Check the terminal.",
    );
    expect(rig.chat.texts()).toEqual([
      "🙈 claude: its screen can no longer be read. Until it is redrawn, prompts show only in its terminal.",
    ]);
    const recorded = [...rig.store.audit.readAfter(0)].filter(({ step }) => step === "screen_lost");
    expect(recorded).toHaveLength(1);
    const [session] = await rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null });
    expect(session?.state).toBe("screen_lost");
  });

  it("settles its prompts when it ends, and posts the exit code at the places that saw it", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.core.handlers["session.close"](close, caller);
    await rig.core.handlers["session.close"](close, caller);
    await turns();
    // The edit leaves room for messages that somebody waits for.
    rig.clock.advance(2_000);
    await turns();
    expect(rig.stateOf(event)).toBe("withdrawn");
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⏹ The session ended; AtlasBridge typed nothing");
    expect(rig.chat.texts()).toEqual(["⏹ claude ended with exit code 3."]);
    expect(rig.core.isIdle()).toBe(true);
  });

  it("that ends is reported when there is room for a prompt as well", async () => {
    const rig = await makeRig();
    await rig.raise({}, 1);
    await rig.raise({}, 2);
    await rig.core.handlers["session.close"](close, caller);
    await turns();
    expect(rig.chat.texts()).toEqual([]);
    rig.clock.advance(5_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("that had no message in a chat ends without one", async () => {
    const rig = await makeRig();
    await rig.core.handlers["session.close"](close, caller);
    await turns();
    expect(rig.chat.messages).toEqual([]);
  });

  it.each([
    { endsTool: false, state: "uncertain", says: "before the answer was confirmed" },
    { endsTool: true, state: "answered", says: "The tool exited, as this answer requests" },
  ])(
    "that ends during an injection leaves it $state when the plan foresaw the end: $endsTool",
    async (expected) => {
      const rig = await makeRig();
      const event = await rig.raise();
      await rig.chat.tap(rig.chat.cards()[0]!, "3");
      await rig.begin(event, expected.endsTool);
      await rig.core.handlers["session.close"]({ ...close, exitCode: 0 }, caller);
      await turns();
      expect(rig.stateOf(event)).toBe(expected.state);
      expect(rig.chat.cards()[0]?.outcome?.text).toContain(expected.says);
      expect(await rig.end(event)).toBe(expected.state);
    },
  );
});

describe("a worker that is gone", () => {
  it("is lost when its process is dead and it did not come back in time; nothing is called answered", async () => {
    const rig = await makeRig({ processAlive: (pid, start) => !(pid === 4242 && start === "77") });
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "3");
    await rig.begin(event, true);
    rig.core.disconnected(SESSION);
    rig.clock.advance(LOST_AFTER_MS - 1);
    expect(rig.stateOf(event)).toBe("injecting");
    rig.clock.advance(1);
    await turns();
    expect(rig.stateOf(event)).toBe("uncertain");
    expect(rig.chat.cards()[0]?.outcome?.text).toMatch(
      /^❔ .*, by Ara: AtlasBridge's process for this session exited before the answer was confirmed\. Check the terminal\.$/,
    );
    expect(rig.chat.texts()).toEqual([
      "⏹ AtlasBridge's process for claude has exited. The tool may still run in its terminal, but its prompts are no longer relayed.",
    ]);
  });

  it("is not called ended: only its own process was looked at", async () => {
    const rig = await makeRig({ processAlive: () => false });
    await rig.raise();
    rig.core.disconnected(SESSION);
    rig.clock.advance(LOST_AFTER_MS);
    await turns();
    expect(rig.chat.cards()[0]?.outcome?.text).toBe(
      "⏹ AtlasBridge's process for this session has exited; AtlasBridge typed nothing. Check the terminal.",
    );
    const listed = await rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null });
    expect(listed).toMatchObject([{ ending: "lost" }]);
  });

  it("is not lost while its process lives, nor when it is back", async () => {
    for (const isBack of [false, true]) {
      const rig = await makeRig({ processAlive: () => !isBack });
      rig.core.disconnected(SESSION);
      if (isBack) rig.core.connected(SESSION, new FakeLink());
      rig.clock.advance(LOST_AFTER_MS * 4);
      expect(rig.store.sessions.listOpen()).toHaveLength(1);
    }
  });

  it("is noticed as dead at any time, and no process is checked while none is missing", async () => {
    let alive = true;
    const rig = await makeRig({ processAlive: () => alive });
    const timers = rig.clock.pending;
    rig.core.disconnected(SESSION);
    expect(rig.clock.pending).toBe(timers + 1);
    rig.clock.advance(LOST_AFTER_MS * 100);
    alive = false;
    rig.clock.advance(LOST_AFTER_MS);
    expect(rig.store.sessions.listOpen()).toEqual([]);
    rig.clock.advance(LOST_AFTER_MS);
    expect(rig.clock.pending).toBe(timers);
  });

  it("after a restart of the hub gets its time to come back", async () => {
    const rig = await makeRig();
    await rig.raise();
    await rig.core.stop();
    const again = await makeRig({ path: rig.path, clock: rig.clock, processAlive: () => false });
    again.core.disconnected(SESSION);
    rig.clock.advance(LOST_AFTER_MS - 1);
    expect(again.store.sessions.listOpen()).toHaveLength(1);
    rig.clock.advance(1);
    expect(again.store.sessions.listOpen()).toEqual([]);
  });
});

describe("a claimed reply", () => {
  it("waits for a worker that is away and goes out when it is back", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.core.disconnected(SESSION);
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    expect(rig.link.replies).toEqual([]);
    const back = new FakeLink();
    rig.core.connected(SESSION, back);
    await turns();
    expect(back.replies).toMatchObject([{ value: "2" }]);
  });

  it("is offered again on a new connection until the worker acts on it, and never twice on one", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    await rig.core.handlers["prompt.raise"](event as never, caller);
    expect(rig.link.replies).toHaveLength(1);
    // It was acknowledged, but the worker's refusal may be what was lost with the connection.
    const back = new FakeLink();
    rig.core.connected(SESSION, back);
    await turns();
    expect(back.replies).toEqual(rig.link.replies);
    await rig.begin(event);
    const last = new FakeLink();
    rig.core.connected(SESSION, last);
    await turns();
    expect(last.replies).toEqual([]);
  });

  it("survives a restart of the hub", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.link.mode = "silent";
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    await rig.core.stop();
    const again = await makeRig({ path: rig.path });
    await turns();
    expect(again.link.replies).toMatchObject([{ value: "2", replyId: rig.link.replies[0]?.replyId }]);
  });

  it("is offered again to a connected worker that did not take it in time", async () => {
    const rig = await makeRig();
    await rig.raise();
    rig.link.mode = "lost";
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    rig.link.mode = "accept";
    rig.clock.advance(2_000);
    await turns();
    expect(rig.link.replies).toHaveLength(2);
    rig.clock.advance(60_000);
    await turns();
    expect(rig.link.replies).toHaveLength(2);
  });

  it("that the worker declines puts the question back, with the reason on the card", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.link.mode = "decline";
    await rig.chat.tap(rig.chat.cards()[0]!, "2");
    await turns();
    expect(rig.stateOf(event)).toBe("pending");
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state: "refused", final: false });
  });
});
