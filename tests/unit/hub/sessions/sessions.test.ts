/**
 * A session survives a lost connection and a restart of the hub with its state, its prompts and its claimed answers. Its end or
 * its loss settles its prompts and is reported, if it says something that nobody has seen.
 */
import { describe, expect, it } from "vitest";
import { SCREEN_LOST_AGAIN_MS } from "../../../../src/hub/ledger/lost-screens.js";
import { LOST_AFTER_MS } from "../../../../src/hub/sessions/lost-sessions.js";
import { LONG_SESSION_MS } from "../../../../src/hub/sessions/ending.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { FakeLink, SESSION, SETTINGS, makeRig, sessionParams, type Rig } from "../rig.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { turns } from "../fake-channel.js";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { PROTOCOL_VERSION } from "../../../../src/wire/messages.js";

const caller = { sessionId: SESSION };
const close = { sessionId: SESSION, exitCode: 3, signal: null };
const NOW = new ManualClock().now();
const HELD = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 30_000 } };

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

  it("opened again ends the prompts that its worker has no more, and says that their end is unknown", async () => {
    const rig = await makeRig();
    const [kept, forgotten, answered] = [
      await rig.raise({}, 1),
      await rig.raise({}, 2),
      await rig.raise({}, 3),
    ];
    await rig.chat.tap(rig.chat.cards()[2]!, "1");
    await rig.core.handlers["session.open"]({ ...sessionParams(), prompts: [kept.promptId] }, caller);
    await turns();
    expect([kept, forgotten, answered].map((event) => rig.readState(event))).toEqual([
      "pending",
      "withdrawn",
      "withdrawn",
    ]);
    expect(rig.store.prompts.find(forgotten.promptId)?.outcome).toBe(
      "❔ No longer open; the record does not say how it ended",
    );
    expect(rig.store.prompts.find(answered.promptId)?.outcome).toBe(
      "❔ No longer open; the record does not say how it ended, nor what became of “Yes”, by Ara",
    );
    // Nor does an answer to it claim that it was answered at the terminal.
    await rig.chat.text(`answer ${rig.store.prompts.find(forgotten.promptId)?.shortId ?? ""} 1`);
    expect(rig.chat.lastAnswer).toBe("No longer open; the record does not say how it ended.");
  });

  it("opened again by a worker that does not name its prompts keeps them", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.core.handlers["session.open"](sessionParams(), caller);
    expect(rig.readState(event)).toBe("pending");
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
    expect(rig.readState(event)).toBe("withdrawn");
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

  describe("that ends without a failure", () => {
    const typed = (rig: Rig) => rig.core.handlers["session.typed"]({ agoMs: 0 }, caller);
    const ends = async (rig: Rig, over: Partial<typeof close> | { signal: string } = {}) => {
      await rig.core.handlers["session.close"]({ ...close, exitCode: 0, ...over }, caller);
      for (let second = 0; second < 60; second += 1) {
        rig.clock.advance(1_000);
        await turns(1);
      }
    };

    it.each([
      ["after a moment", LONG_SESSION_MS - 1_000, {}, []],
      ["after a while", LONG_SESSION_MS, {}, ["⏹ claude ended with exit code 0."]],
      ["by Ctrl-C after a moment", 0, { exitCode: 130 }, []],
      ["with its window after a moment", 0, { exitCode: null, signal: "SIGHUP" }, []],
      [
        "with its window after a while",
        LONG_SESSION_MS,
        { exitCode: null, signal: "SIGHUP" },
        ["⏹ claude has ended: its terminal was closed."],
      ],
      [
        "not at all: it was killed",
        0,
        { exitCode: null, signal: "SIGKILL" },
        ["⏹ claude was ended by SIGKILL."],
      ],
    ])("%s is reported only if that says something", async (_, ms, over, told) => {
      const rig = await makeRig({ startedAt: NOW });
      const event = await rig.raise();
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
      rig.clock.advance(ms);
      await ends(rig, over);
      expect(rig.chat.texts()).toEqual(told);
    });

    it.each([
      ["while its tool works on a task from a chat", true, ["⏹ claude has ended: its terminal was closed."]],
      ["while its tool works on something else", false, []],
    ])("%s, with its window, is reported only to somebody who may wait", async (_, isGiven, told) => {
      const rig = await makeRig({ startedAt: NOW });
      const event = await rig.raise();
      await rig.core.handlers["prompt.withdraw"]({ promptId: event.promptId, reason: "left_screen" }, caller);
      await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "idle" }, caller);
      if (isGiven) await rig.chat.text("task claude fix the tests");
      await turns(10);
      await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "working" }, caller);
      await ends(rig, { signal: "SIGHUP" });
      expect(rig.chat.texts()).toEqual(told);
    });

    it("is not reported to the person who sits at its terminal, and a failure when that person has gone", async () => {
      for (const [exitCode, told] of [
        [0, 0],
        [3, 1],
      ] as const) {
        const rig = await makeRig({ settings: HELD, startedAt: NOW });
        await rig.raise();
        rig.clock.advance(LONG_SESSION_MS);
        await typed(rig);
        await rig.core.handlers["session.close"]({ ...close, exitCode }, caller);
        for (let second = 0; second < 29; second += 1) {
          rig.clock.advance(1_000);
          await turns(1);
        }
        expect(rig.chat.texts()).toEqual([]);
        rig.clock.advance(2_000);
        await turns();
        expect(rig.chat.texts()).toHaveLength(told);
      }
    });

    it("never waits for a task afterwards: an unsent message is dropped, and its words come with the end", async () => {
      const rig = await makeRig({ settings: HELD, startedAt: NOW });
      await rig.raise();
      rig.chat.fault = () => {
        throw new DeliveryError("offline", { certainty: "not_sent" });
      };
      await typed(rig);
      rig.clock.advance(30_000);
      const state = (to: ToolState, said?: string) =>
        rig.core.handlers["session.state"]({ sessionId: SESSION, state: to, ...(said && { said }) }, caller);
      await state("working");
      await state("idle", "All 12 tests pass.");
      rig.chat.fault = () => undefined;
      await ends(rig);
      expect(rig.chat.texts()).toEqual([
        "⏹ claude ended with exit code 0. Its last message:\n\nAll 12 tests pass.",
      ]);
    });

    it("leaves of the message that it waits for a task only what the tool said", async () => {
      const rig = await makeRig({ startedAt: NOW });
      await typed(rig);
      await rig.core.handlers["session.state"]({ sessionId: SESSION, state: "working" }, caller);
      const idle = { sessionId: SESSION, state: "idle", said: "All 12 tests pass." } as const;
      await rig.core.handlers["session.state"](idle, caller);
      await turns();
      expect(rig.chat.texts()).toEqual([expect.stringMatching(/waits for its next task/)]);
      await ends(rig, { exitCode: 130 });
      expect(rig.chat.messages).toHaveLength(1);
      expect(rig.chat.messages[0]!.outcome).toMatchObject({ text: "⏹ The session ended", final: true });
      expect(rig.store.deliveries.listLatest(SESSION, "idle")[0]?.text).toBe("All 12 tests pass.");
    });

    it("has its thread closed where no message says so, and not where one does", async () => {
      for (const exitCode of [0, 1]) {
        const rig = await makeRig({ startedAt: NOW });
        const closed: unknown[] = [];
        Object.assign(rig.chat, {
          closeThread: (place: string, session: unknown) => Promise.resolve(closed.push([place, session])),
        });
        await rig.raise();
        await ends(rig, { exitCode });
        expect(closed).toEqual(
          exitCode === 0 ? [["p1", expect.objectContaining({ sessionId: SESSION, ended: true })]] : [],
        );
      }
    });
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
      expect(rig.readState(event)).toBe(expected.state);
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
    rig.core.noteDisconnected(SESSION);
    rig.clock.advance(LOST_AFTER_MS - 1);
    expect(rig.readState(event)).toBe("injecting");
    rig.clock.advance(1);
    await turns();
    expect(rig.readState(event)).toBe("uncertain");
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
    rig.core.noteDisconnected(SESSION);
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
      rig.core.noteDisconnected(SESSION);
      if (isBack) rig.core.connected(SESSION, new FakeLink());
      rig.clock.advance(LOST_AFTER_MS * 4);
      expect(rig.store.sessions.listOpen()).toHaveLength(1);
    }
  });

  it("is noticed as dead at any time, and no process is checked while none is missing", async () => {
    let alive = true;
    const rig = await makeRig({ processAlive: () => alive });
    const timers = rig.clock.pending;
    rig.core.noteDisconnected(SESSION);
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
    again.core.noteDisconnected(SESSION);
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
    rig.core.noteDisconnected(SESSION);
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
    expect(rig.readState(event)).toBe("pending");
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({ state: "refused", final: false });
  });
});
