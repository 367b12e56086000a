/**
 * An idle tool is reported once in its chats, with its last answer. A reply is its next task, which is given, queued or refused
 * as the configuration says, and its result is reported.
 */
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { asId, type Identity, type SessionId } from "../../../../src/model/ids.js";
import { START_MS } from "../../../../src/hub/people/first-turns.js";
import { createRefusal, type RefusalCode } from "../../../../src/model/answer/refusal.js";
import { DeliveryError, type Notice } from "../../../../src/sdk/channel.js";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { readDatabase } from "../../../property/hub/read-database.js";
import { configureChannel, turns } from "../fake-channel.js";
import {
  ARA,
  FakeLink,
  makeRig,
  RECEIPT,
  SESSION,
  sessionParams,
  SETTINGS,
  type Rig,
  type RigOptions,
} from "../rig.js";

const VI = { name: "Vi", identities: ["chat:2"], role: "viewer" } as const;

async function toolIs(rig: Rig, state: ToolState, said?: string): Promise<void> {
  const params = { sessionId: SESSION, state, ...(said === undefined ? {} : { said }) };
  await rig.core.handlers["session.state"](params, { sessionId: SESSION });
  await turns();
}

/** Somebody has typed at the terminal, so what the tool does next is a turn. */
async function makeUsed(options: RigOptions = {}): Promise<Rig> {
  const rig = await makeRig(options);
  rig.clock.advance(START_MS);
  await rig.core.handlers["session.typed"]({ agoMs: 60_000 }, { sessionId: SESSION });
  return rig;
}

/** A session that has just come to the end of a turn, and its people know. */
async function makeIdle(options: RigOptions = {}, said = "All tests pass."): Promise<Rig> {
  const rig = await makeUsed(options);
  await toolIs(rig, "working");
  await toolIs(rig, "idle", said);
  return rig;
}

async function after(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    rig.clock.advance(Math.min(1_000, ms - passed));
    await turns(2);
  }
}

/** Says something in reply to the last message, or in the session's own topic. */
async function reply(rig: Rig, text: string, identity = "chat:1"): Promise<string | undefined> {
  const before = rig.chat.answers.length;
  await rig.chat.text(text, { ref: rig.chat.messages.at(-1)!.ref, identity });
  await turns(6);
  return rig.chat.answers.slice(before).at(-1)?.answer.text;
}

async function inTopic(rig: Rig, text: string): Promise<string | undefined> {
  const before = rig.chat.answers.length;
  const from = { identity: asId<Identity>("chat:1"), place: "p1", receivedAt: 0, displayName: "Ara" };
  await rig.chat.receive({ kind: "text", text, about: SESSION, ...from });
  await turns(6);
  return rig.chat.answers.slice(before).at(-1)?.answer.text;
}

/** What the last message says now. */
function readLast({ chat }: Rig): string | undefined {
  const { notice, outcome } = chat.messages.at(-1)!;
  return outcome?.text ?? (notice.kind === "text" ? notice.text : undefined);
}

const textOf = (notice: Notice): string => (notice.kind === "text" ? notice.text : "");

const settings = (over: Partial<typeof SETTINGS.conversation>) => ({
  ...SETTINGS,
  conversation: { ...SETTINGS.conversation, ...over },
});

const refusal = (code: RefusalCode) => () =>
  Promise.resolve({ receipt: null, rejection: { ...createRefusal(code) } });

const listSteps = (rig: Rig): string[] =>
  readDatabase<{ step: string }>(
    rig.path,
    "SELECT step FROM audit WHERE step LIKE 'task%' ORDER BY position",
  ).map(({ step }) => step);

describe("a tool that was started in a mode in which it asks almost nothing", () => {
  const HINT =
    "ℹ️ It was started without --ask, and asks almost nothing. To be asked: atlasbridge run --ask claude";

  async function workTwice(rig: Rig): Promise<void> {
    const capabilities = { chatTurns: true, screenView: true, asksLittle: true };
    await rig.core.handlers["session.open"](sessionParams({ startedAt: 0, capabilities }), {
      sessionId: null,
    });
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "All tests pass.");
    await after(rig, 5_000);
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "Done.");
    await after(rig, 5_000);
  }

  it("says so once, in the first message that comes anyway", async () => {
    const rig = await makeUsed();
    await workTwice(rig);
    const head = "💤 claude waits for its next task. Reply to this message to give it a task.";
    expect(rig.chat.texts()).toEqual([`${head}\n${HINT}\n\nAll tests pass.`, `${head}\n\nDone.`]);
  });

  it("says nothing with conversation.ask_hint: false", async () => {
    const rig = await makeUsed({ settings: settings({ ask_hint: false }) });
    await workTwice(rig);
    expect(rig.chat.texts()).toHaveLength(2);
    expect(rig.chat.texts().join("\n")).not.toContain(HINT);
  });
});

describe("a tool that waits for its next task", () => {
  it("is reported once, with its last answer, however often it is drawn again", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "idle", "All tests pass.");
    await toolIs(rig, "idle");
    await after(rig, 20_000);
    expect(rig.chat.texts()).toEqual([
      "💤 claude waits for its next task. Reply to this message to give it a task.\n\nAll tests pass.",
    ]);
  });

  it("is reported again after its next turn", async () => {
    const rig = await makeIdle();
    await after(rig, 20_000);
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "All tests pass.");
    expect(rig.chat.texts()).toHaveLength(2);
  });

  it("is reported again after its next turn on a clock that was set back by an hour", async () => {
    const rig = await makeIdle();
    await after(rig, 20_000);
    rig.clock.setBy(-3_600_000);
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "All tests pass.");
    expect(rig.chat.texts()).toHaveLength(2);
  });

  it("is reported again, once, when its last answer comes late", async () => {
    const rig = await makeUsed();
    await toolIs(rig, "working");
    await toolIs(rig, "idle");
    await after(rig, 4_000);
    expect(rig.chat.texts()).toHaveLength(1);
    await toolIs(rig, "idle", "Shall I push it?");
    await toolIs(rig, "idle", "Shall I push it?");
    await toolIs(rig, "idle");
    await after(rig, 20_000);
    expect(rig.chat.texts().slice(1, 3)).toEqual([expect.stringMatching(/Shall I push it\?$/)]);
  });

  it("is reported with an answer that comes while it is posted without one", async () => {
    const rig = await makeUsed();
    await toolIs(rig, "working");
    await toolIs(rig, "idle");
    let said: unknown = null;
    rig.chat.fault = () => {
      const words = { sessionId: SESSION, state: "idle", said: "Shall I push it?" } as const;
      said ??= rig.core.handlers["session.state"](words, { sessionId: SESSION });
      return undefined;
    };
    await after(rig, 10_000);
    expect(rig.chat.texts()).toEqual([
      "💤 claude waits for its next task. Reply to this message to give it a task.",
      expect.stringMatching(/Shall I push it\?$/),
    ]);
  });

  it("keeps the words of each turn that could not be posted before the next one, of nine and the latest", async () => {
    const rig = await makeUsed();
    rig.chat.fault = () => {
      throw new DeliveryError("offline", { certainty: "not_sent" });
    };
    for (let turn = 1; turn <= 14; turn += 1) {
      await toolIs(rig, "working");
      await toolIs(rig, "idle", `Turn ${turn}.`);
    }
    rig.chat.fault = () => undefined;
    await after(rig, 120_000);
    const turnsTold = rig.chat.texts().map((text) => /Turn (\d+)\.$/.exec(text)?.[1]);
    expect(turnsTold.sort()).toEqual(["1", "14", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  it("is reported when there is room for a prompt as well", async () => {
    const rig = await makeUsed();
    await rig.raise({}, 1);
    await rig.raise({}, 2);
    for (const said of ["First.", "Second."]) {
      await toolIs(rig, "working");
      await toolIs(rig, "idle", said);
    }
    await rig.raise({}, 3);
    expect(rig.chat.cards()).toHaveLength(3);
    expect(rig.chat.texts()).toEqual([]);
    await after(rig, 5_000);
    expect(rig.chat.texts().map((text) => text.slice(-7))).toEqual(["\nFirst.", "Second."]);
  });

  it("is reported a moment later when its last answer is not known yet, and then without one", async () => {
    const rig = await makeUsed();
    await toolIs(rig, "working");
    await toolIs(rig, "idle");
    await after(rig, 1_000);
    expect(rig.chat.texts()).toEqual([]);
    await toolIs(rig, "idle", "Shall I push it?");
    expect(rig.chat.texts()).toEqual([
      expect.stringMatching(/^💬 claude asks a question in its last message\.[^]*Shall I push it\?$/),
    ]);
    await toolIs(rig, "working");
    await toolIs(rig, "idle");
    await after(rig, 4_000);
    expect(rig.chat.texts()[1]).toBe(
      "💤 claude waits for its next task. Reply to this message to give it a task.",
    );
  });

  it("is not reported between two parts of one turn, at its start, or while a prompt is open", async () => {
    const rig = await makeRig();
    await toolIs(rig, "idle");
    await after(rig, 5_000);
    await toolIs(rig, "working");
    await toolIs(rig, "idle");
    await after(rig, 1_000);
    await toolIs(rig, "working");
    await after(rig, 10_000);
    expect(rig.chat.texts()).toEqual([]);
  });

  it("is reported once where the screen lags behind the tool's own report", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "All tests pass.");
    await after(rig, 10_000);
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("is reported by a restarted hub only if the hub before has not done so", async () => {
    const rig = await makeIdle();
    await rig.core.stop();
    const next = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    await toolIs(next, "idle", "All tests pass.");
    await after(next, 5_000);
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("is not reported with conversation.idle_message: false, or where it takes no tasks and has no last answer", async () => {
    const rig = await makeIdle({ settings: settings({ idle_message: false }) });
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([]);
  });

  it("is not reported while somebody types at its terminal", async () => {
    const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 5_000 } };
    const rig = await makeRig({ settings: held });
    await toolIs(rig, "working");
    await rig.core.handlers["session.typed"]({ agoMs: 4_000 }, { sessionId: SESSION });
    await toolIs(rig, "idle", "Done.");
    await after(rig, 4_000);
    expect(rig.chat.texts()).toEqual([]);
    await after(rig, 2_000);
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("is reported with the words of the turn before, whose end was read at the terminal", async () => {
    const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 5_000 } };
    const rig = await makeUsed({ settings: held });
    for (let turn = 0; turn < 2; turn += 1) {
      await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
      await toolIs(rig, "working");
      await after(rig, 1_000);
      await toolIs(rig, "idle", "Done.");
      await after(rig, 1_000);
    }
    await after(rig, 10_000);
    expect(rig.chat.texts()).toEqual([expect.stringMatching(/Done\.$/)]);
  });

  it.each(["after the first has ended", "while the tool works on the first"])(
    "is reported after each of two tasks that end in the same words, the second given %s",
    async (when) => {
      const rig = await makeIdle();
      const isQueued = when.startsWith("while");
      for (let task = 0; task < 2; task += 1) {
        if (task === 0 || !isQueued) await reply(rig, "say done");
        await toolIs(rig, "working");
        if (task === 0 && isQueued) await reply(rig, "say done again");
        await after(rig, 2_000);
        await toolIs(rig, "idle", "Done.");
        // A waiting task is given within five seconds.
        await after(rig, 6_000);
      }
      expect(rig.link.tasks).toHaveLength(2);
      expect(rig.chat.texts().filter((text) => text.endsWith("Done."))).toHaveLength(2);
    },
  );

  it("is not reported while somebody types at another terminal, and is once they stop", async () => {
    const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 5_000 } };
    const rig = await makeUsed({ settings: held });
    const other = asId<SessionId>("33333333-3333-4333-8333-333333333333");
    await rig.core.handlers["session.open"](sessionParams({ sessionId: other }), { sessionId: null });
    await toolIs(rig, "working");
    for (let second = 0; second < 20; second += 1) {
      if (second === 2) await toolIs(rig, "idle", "Done.");
      await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: other });
      await after(rig, 1_000);
    }
    expect(rig.chat.texts()).toEqual([]);
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([expect.stringMatching(/Done\.$/)]);
  });

  describe("while somebody types at another terminal for an hour", () => {
    const OTHER = asId<SessionId>("33333333-3333-4333-8333-333333333333");
    /** Returns in which second after the end of the turn its message came. */
    const listArrivals = async (said: string): Promise<number[]> => {
      const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 30_000 } };
      const rig = await makeUsed({ settings: held });
      await rig.core.handlers["session.open"](sessionParams({ sessionId: OTHER }), { sessionId: null });
      await toolIs(rig, "working");
      const type = () => rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: OTHER });
      await type();
      await toolIs(rig, "idle", said);
      const arrivals: number[] = [];
      for (let second = 0; second < 3_600; second += 10) {
        if (rig.chat.texts().length > arrivals.length) arrivals.push(second);
        await type();
        await after(rig, 10_000);
      }
      return arrivals;
    };

    it("is reported after five minutes", async () => {
      expect(await listArrivals("Done.")).toEqual([300]);
    });

    it("is reported at once where it asks a question", async () => {
      expect(await listArrivals("Shall I deploy? (y/n)")).toEqual([0]);
    });
  });

  it("is not reported to a person who types at its terminal after it has become idle: they have seen it", async () => {
    const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 5_000 } };
    const rig = await makeUsed({ settings: held });
    await toolIs(rig, "working");
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    await after(rig, 1_000);
    await toolIs(rig, "idle", "Done.");
    // The same key, reported again.
    await rig.core.handlers["session.typed"]({ agoMs: 1_000 }, { sessionId: SESSION });
    await after(rig, 2_000);
    expect(rig.store.outbox.count()).toBe(1);
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    expect(rig.store.outbox.count()).toBe(0);
    await after(rig, 20_000);
    expect(rig.chat.texts()).toEqual([]);
  });

  it("is not reported to the person who gave it the next task at its terminal", async () => {
    const held = { ...SETTINGS, prompts: { ...SETTINGS.prompts, deliver_after: 5_000 } };
    const rig = await makeUsed({ settings: held });
    await toolIs(rig, "working");
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    await toolIs(rig, "idle", "Done.");
    await after(rig, 4_000);
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    await toolIs(rig, "working");
    await after(rig, 20_000);
    expect(rig.chat.texts()).toEqual([]);
    await toolIs(rig, "idle", "Done again.");
    expect(rig.chat.texts()).toEqual([expect.stringMatching(/Done again\.$/)]);
  });

  it.each([
    ["it has loaded for some seconds", ["working", "idle"], 5_000, 0],
    ["a question about the folder was answered", ["waiting", "idle"], 60_000, 0],
    ["it took half a minute: that was a task", ["working", "idle"], START_MS, 1],
    ["it draws itself in several parts", ["working", "idle", "working", "idle"], 1_000, 0],
  ] as const)("at its start: %s", async (_, states, ms, told) => {
    const rig = await makeRig();
    for (const state of states) {
      await toolIs(rig, state, state === "idle" ? "Welcome back." : undefined);
      if (state !== "idle") await after(rig, ms);
    }
    await after(rig, 5_000);
    expect(rig.chat.texts()).toHaveLength(told);
  });

  it("at its start is reported after a task that was sent to it", async () => {
    const rig = await makeRig();
    await toolIs(rig, "idle");
    await inTopic(rig, "fix the tests");
    await toolIs(rig, "working");
    await toolIs(rig, "idle", "All tests pass.");
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([expect.stringMatching(/All tests pass\.$/)]);
  });

  it("at its start is not reported because of a key alone, which may have answered whether to trust the folder", async () => {
    const rig = await makeRig();
    await toolIs(rig, "working");
    await rig.core.handlers["session.typed"]({ agoMs: 0 }, { sessionId: SESSION });
    await toolIs(rig, "idle");
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([]);
  });

  it("at its start is reported with the answer of a turn that was over before the hub was reached", async () => {
    const rig = await makeUsed();
    await toolIs(rig, "idle", "All tests pass.");
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([expect.stringMatching(/All tests pass\.$/)]);
  });

  it("is reported with the words that come after its screen, where no work was seen between its prompt and its rest", async () => {
    const rig = await makeRig();
    await rig.raise({ safetyClass: "permission" });
    await toolIs(rig, "idle");
    await toolIs(rig, "idle", "All of it is done.");
    await after(rig, 5_000);
    const said = rig.chat.texts().filter((text) => text.includes("All of it is done."));
    expect(said).toHaveLength(1);
  });

  it("at its start is reported once it has asked for a permission: that was a turn", async () => {
    const rig = await makeRig();
    await toolIs(rig, "working");
    const { promptId } = await rig.raise({ safetyClass: "permission" });
    const gone = { promptId, reason: "answered_locally" as const };
    await rig.core.handlers["prompt.withdraw"](gone, { sessionId: SESSION });
    await toolIs(rig, "idle", "Done.");
    await after(rig, 5_000);
    expect(rig.chat.texts()).toHaveLength(1);
  });
});

describe("a last message that asks a question", () => {
  it("offers to answer it", async () => {
    const rig = await makeIdle({}, "Tests pass. Shall I push?");
    await after(rig, 5_000);
    expect(rig.chat.texts()).toEqual([
      "💬 claude asks a question in its last message. Reply to this message to answer.\n\nTests pass. Shall I push?",
    ]);
  });
});

describe("a task that a person sends", () => {
  it.each([
    ["in reply to the last answer", (rig: Rig) => reply(rig, "fix the tests")],
    ["in the session's topic", (rig: Rig) => inTopic(rig, "fix the tests")],
    ["by name", (rig: Rig) => reply(rig, "task claude fix the tests")],
  ])("%s goes to the tool, and costs no message where the tool takes it at once", async (_, say) => {
    const rig = await makeIdle();
    await say(rig);
    await after(rig, 30_000);
    expect(rig.link.tasks).toMatchObject([{ text: "fix the tests" }]);
    expect(rig.chat.answers.at(-1)!.answer).toEqual({
      text: "⏳ Given to claude: “fix the tests”",
      alert: false,
      isReceipt: true,
    });
    expect(rig.chat.texts()).toHaveLength(1);
    expect(rig.store.audit.verify().intact).toBe(true);
    expect(listSteps(rig)).toEqual(["task_taken", "task_ended"]);
  });

  it("has a silent message while it takes longer, which then reports the result", async () => {
    const rig = await makeIdle();
    let finish = (): void => undefined;
    rig.link.taskResult = () =>
      new Promise((resolve) => (finish = () => resolve({ receipt: RECEIPT, rejection: null })));
    await reply(rig, "fix the tests");
    await after(rig, 30_000);
    const { notice } = rig.chat.messages.at(-1)!;
    expect(notice).toMatchObject({
      text: "⏳ Task for claude, by Ara: “fix the tests” waits to be typed.",
      quiet: true,
    });
    finish();
    await turns(10);
    expect(rig.chat.texts()).toHaveLength(2);
    expect(rig.chat.messages.at(-1)!.outcome).toMatchObject({
      state: "answered",
      text: "✅ claude has taken the task: “fix the tests”",
      final: true,
    });
  });

  it("has one message that rings where the tool does not take it", async () => {
    const rig = await makeIdle();
    const rejection = { code: "box_not_empty", text: "Not sent: the input box is not empty." };
    rig.link.taskResult = () => Promise.resolve({ receipt: null, rejection });
    await reply(rig, "fix the tests");
    await after(rig, 30_000);
    expect(rig.chat.messages.slice(1)).toMatchObject([
      {
        notice: {
          text: "⚠️ “fix the tests”, by Ara: Not sent: the input box is not empty.\n\nTask for claude",
          quiet: false,
        },
        outcome: null,
      },
    ]);
  });

  it("is kept while the tool works, shown as waiting, and given in its turn, one after the other", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "working");
    await inTopic(rig, "first");
    await inTopic(rig, "second");
    await after(rig, 60_000);
    expect(rig.link.tasks).toEqual([]);
    expect(rig.chat.texts().slice(-2)).toEqual([
      "⏳ Task for claude, by Ara: “first” waits until the tool is idle.",
      "⏳ Task for claude, by Ara: “second” waits until the tool is idle.",
    ]);
    rig.link.taskResult = async () => {
      await toolIs(rig, "working");
      return { receipt: RECEIPT, rejection: null };
    };
    await toolIs(rig, "idle", "ok");
    await after(rig, 10_000);
    expect(rig.link.tasks.map(({ text }) => text)).toEqual(["first"]);
    await toolIs(rig, "idle", "ok");
    await after(rig, 10_000);
    expect(rig.link.tasks.map(({ text }) => text)).toEqual(["first", "second"]);
  });

  describe("while the tool works, and that is not typed in the end,", () => {
    const giveWhileWorking = async (): Promise<Rig> => {
      const rig = await makeIdle();
      await toolIs(rig, "working");
      await inTopic(rig, "deploy it");
      await after(rig, 60_000);
      expect(rig.chat.messages.at(-1)!.notice.quiet).toBe(true);
      return rig;
    };

    it("has a new message that rings, with its buttons, where a draft stands in the box", async () => {
      const rig = await giveWhileWorking();
      const waits = rig.chat.messages.at(-1)!;
      const draft = { text: "delete all of", hash: "d".repeat(64) };
      rig.link.taskResult = () =>
        Promise.resolve({ receipt: null, rejection: { ...createRefusal("draft") }, draft });
      await toolIs(rig, "idle", "ok");
      await after(rig, 10_000);
      expect(waits.outcome).toMatchObject({ text: "See the newer message", final: true });
      const refused = rig.chat.messages.find(({ notice }) => /^⚠️ “deploy it”/.test(textOf(notice)))!;
      expect(refused.notice.quiet).toBe(false);
      expect(refused.notice.buttons?.map(({ choice }) => choice.label)).toEqual([
        "🧹 Replace it",
        "Leave it",
      ]);
      rig.link.taskResult = () => Promise.resolve({ receipt: RECEIPT, rejection: null });
      await rig.chat.tap(refused, `clear:${draft.hash}`);
      await after(rig, 10_000);
      expect(rig.link.tasks.at(-1)).toMatchObject({ text: "deploy it", clears: draft.hash });
      expect(refused.outcome).toMatchObject({ text: "🧹 Sent again: see the newer message" });
    });

    it("has a new message that rings where the session ends", async () => {
      const rig = await giveWhileWorking();
      await rig.core.handlers["session.close"](
        { sessionId: SESSION, exitCode: 0, signal: null },
        { sessionId: SESSION },
      );
      await after(rig, 5_000);
      const told = rig.chat.messages.find(({ notice }) => /^⏹ “deploy it”/.test(textOf(notice)))!;
      expect(told.notice).toMatchObject({
        text: "⏹ “deploy it”, by Ara: the session ended; nothing was typed.\n\nTask for claude",
        quiet: false,
      });
    });

    it("has no new message where somebody stopped the tool", async () => {
      const rig = await giveWhileWorking();
      const waits = rig.chat.messages.at(-1)!;
      await inTopic(rig, "stop");
      await after(rig, 5_000);
      expect(waits.outcome?.text).toBe("⏹ “deploy it”, by Ara: the tool was stopped; nothing was typed.");
      expect(rig.chat.texts().filter((text) => text.includes("deploy it"))).toHaveLength(1);
    });
  });

  it("is not given once the tool was stopped", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "working");
    await inTopic(rig, "then deploy it");
    await inTopic(rig, "stop");
    await toolIs(rig, "idle", "ok");
    await after(rig, 10_000);
    expect(rig.link.tasks).toEqual([]);
    expect(listSteps(rig)).toEqual(["task_taken", "task_ended"]);
  });

  it.each(["yes", " No ", "y", "2", "1,3", "enter", "allow", "none"])(
    "is no %j in a topic, which may be meant for a question that has just gone; in reply to the tool's words it is",
    async (words) => {
      const rig = await makeIdle();
      expect(await inTopic(rig, words)).toMatch(/^That looks like an answer/);
      await after(rig, 10_000);
      expect([rig.link.tasks, listSteps(rig)]).toEqual([[], ["task_rejected"]]);
      await reply(rig, words);
      await after(rig, 10_000);
      expect(rig.link.tasks.map(({ text }) => text)).toEqual([words]);
    },
  );

  it("is not given for somebody who may no longer give any", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "working");
    await inTopic(rig, "then deploy it");
    rig.core.reconfigure({ ...SETTINGS, people: [{ ...ARA, role: "viewer" }] });
    await toolIs(rig, "idle", "ok");
    await after(rig, 10_000);
    expect(rig.link.tasks).toEqual([]);
    expect(listSteps(rig)).toEqual(["task_taken", "task_ended"]);
  });

  it("is refused while the tool works, with conversation.while_working: refuse", async () => {
    const rig = await makeIdle({ settings: settings({ while_working: "refuse" }) });
    await toolIs(rig, "working");
    expect(await inTopic(rig, "go on")).toMatch(/Not sent: the tool is not idle/);
    expect(rig.store.tasks.listSessionsWithOpen()).toEqual([]);
    expect(listSteps(rig)).toEqual(["task_rejected"]);
  });

  it.each([
    ["a viewer", { people: [ARA, VI] }, "chat:2", /may not/],
    ["a stranger", {}, "chat:9", /not listed in this AtlasBridge's configuration/],
    [
      "somebody whom a rule leaves as a viewer",
      { routes: [{ tools: ["claude"], approvers: [] }] },
      "chat:1",
      /may not/,
    ],
  ])("is not taken from %s", async (_, over, identity, told) => {
    const rig = await makeRig({ settings: { ...SETTINGS, ...over } });
    await toolIs(rig, "idle");
    const from = { identity: asId<Identity>(identity), place: "p1", receivedAt: 0, displayName: "X" };
    await rig.chat.receive({ kind: "text", text: "do it", about: SESSION, ...from });
    await turns(6);
    expect(rig.chat.lastAnswer ?? "").toMatch(told);
    expect(rig.link.tasks).toEqual([]);
  });

  it("is not made from a text without a session, which gets the list of open prompts", async () => {
    const rig = await makeIdle();
    await rig.chat.text("fix the tests");
    expect(rig.link.tasks).toEqual([]);
    await rig.raise();
    await rig.chat.text("yes");
    expect(rig.chat.lastAnswer).toMatch(
      /^Nothing was answered\. 1 prompt is open\. Tap or reply to its card, or send: answer \w+ …\n/,
    );
    expect([rig.link.tasks, rig.link.replies]).toEqual([[], []]);
  });

  it("is not made from a text in a topic while a prompt is open, as it might be meant as an answer", async () => {
    const rig = await makeIdle();
    const event = await rig.raise();
    expect(await inTopic(rig, "yes")).toMatch(
      /^Nothing was answered\. 1 prompt is open\. Tap or reply to its card, or send: answer \w+ …\n/,
    );
    expect([rig.link.tasks, rig.link.replies, rig.readState(event)]).toEqual([[], [], "pending"]);
  });

  it("does not go while something is asked, while paused, or twice at once", async () => {
    const rig = await makeIdle();
    await toolIs(rig, "working");
    await inTopic(rig, "go on");
    const event = await rig.raise();
    await toolIs(rig, "idle");
    await after(rig, 6_000);
    expect(rig.link.tasks).toEqual([]);
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "left_screen" },
      { sessionId: SESSION },
    );
    await rig.core.setPaused(true, asId<Identity>("chat:1"));
    await after(rig, 6_000);
    expect(rig.link.tasks).toEqual([]);
    rig.link.taskResult = () => new Promise(() => undefined);
    await rig.core.setPaused(false, asId<Identity>("chat:1"));
    await after(rig, 30_000);
    expect(rig.link.tasks).toHaveLength(1);
  });

  it("is not taken while paused", async () => {
    const rig = await makeIdle();
    await rig.core.setPaused(true, asId<Identity>("chat:1"));
    expect(await inTopic(rig, "go on")).toMatch(/paused/i);
  });

  it.each([
    ["with control characters", "a\u001b[31m", /control characters/],
    ["longer than a tool takes", "x".repeat(4_001), /too long/],
    ["without words", "\u0000", /control characters/],
  ])("is not taken %s", async (_, text, told) => {
    const rig = await makeIdle();
    expect(await inTopic(rig, text)).toMatch(told);
    expect(rig.link.tasks).toEqual([]);
  });

  it("is tried again while somebody types or the screen moves, and given up with the reason after a minute", async () => {
    const rig = await makeIdle();
    rig.link.taskResult = refusal("typing");
    await inTopic(rig, "go on");
    await after(rig, 30_000);
    expect(rig.link.tasks.length).toBeGreaterThan(3);
    expect(rig.chat.messages.at(-1)!.outcome).toBeNull();
    await after(rig, 60_000);
    expect(rig.link.tasks).toHaveLength(12);
    expect(readLast(rig)).toMatch(/^⚠️ “go on”, by Ara: .*typing at the terminal. AtlasBridge typed nothing/);
  });

  it("is refused at once where a draft stands in the box", async () => {
    const rig = await makeIdle();
    rig.link.taskResult = refusal("draft");
    await inTopic(rig, "go on");
    expect(rig.link.tasks).toHaveLength(1);
    expect(readLast(rig)).toMatch(
      /^⚠️ “go on”, by Ara: Not sent: there is already text in the tool's input box\. Send it or delete it at the terminal/,
    );
    expect(rig.chat.messages.at(-1)!.notice.buttons).toBeUndefined();
  });

  describe("that a draft in the input box stands against", () => {
    const DRAFT = { text: "delete all of", hash: "d".repeat(64) };
    const drafted = async (people: (typeof SETTINGS)["people"] = [ARA]): Promise<Rig> => {
      const rig = await makeIdle({ settings: { ...SETTINGS, people } });
      rig.link.taskResult = () =>
        Promise.resolve({ receipt: null, rejection: { ...createRefusal("draft") }, draft: DRAFT });
      await inTopic(rig, "go on");
      await after(rig, 10_000);
      return rig;
    };

    it("shows it, and offers to clear it; without the tap nothing is cleared", async () => {
      const rig = await drafted();
      const { notice } = rig.chat.messages.at(-1)!;
      expect(readLast(rig)).toMatch(
        /^⚠️ “go on”, by Ara: Not sent: there is already text in claude's input box \(“delete all of”\)\. Nothing was typed\./,
      );
      expect(notice.buttons?.map(({ choice }) => choice.label)).toEqual(["🧹 Replace it", "Leave it"]);
      expect(rig.link.tasks).toEqual([expect.not.objectContaining({ clears: expect.anything() as unknown })]);
    });

    it("goes once more after the tap, with leave for exactly that draft, on record", async () => {
      const rig = await drafted();
      const refused = rig.chat.messages.at(-1)!;
      rig.link.taskResult = () => Promise.resolve({ receipt: RECEIPT, rejection: null });
      await rig.chat.tap(refused, `clear:${DRAFT.hash}`);
      await after(rig, 10_000);
      expect(rig.link.tasks.at(-1)).toMatchObject({ text: "go on", clears: DRAFT.hash });
      expect(rig.link.tasks).toHaveLength(2);
      expect(readLast(rig)).toBe("✅ claude has taken the task: “go on”");
      expect(refused.outcome).toMatchObject({ text: "🧹 Sent again: see the newer message" });
      expect(refused.outcome?.buttons).toBeUndefined();
      const steps = readDatabase(rig.path, "SELECT identity FROM audit WHERE step = 'clear_asked'");
      expect(steps).toEqual([{ identity: "chat:1" }]);
      expect(rig.store.audit.verify().intact).toBe(true);
    });

    it("is left where it is after the other tap, and the message keeps no button", async () => {
      const rig = await drafted();
      const refused = rig.chat.messages.at(-1)!;
      await rig.chat.tap(refused, "leave");
      await after(rig, 10_000);
      expect(rig.link.tasks).toHaveLength(1);
      expect(refused.outcome).toMatchObject({
        text: "The text stays in the input box; the task was not sent",
        final: true,
      });
      expect(refused.outcome?.buttons).toBeUndefined();
    });

    it("is neither sent again nor closed by a viewer", async () => {
      const rig = await drafted([ARA, VI]);
      const refused = rig.chat.messages.at(-1)!;
      await rig.chat.tap(refused, `clear:${DRAFT.hash}`, "chat:2");
      await after(rig, 10_000);
      expect(rig.chat.lastAnswer).toMatch(/may not give this session tasks/);
      await rig.chat.tap(refused, "leave", "chat:2");
      expect(rig.chat.lastAnswer).toBe("You may not do that.");
      expect(refused.notice.buttons).toHaveLength(2);
      expect(refused.outcome).toBeNull();
      expect(rig.link.tasks).toHaveLength(1);
    });
  });

  it("says so where its effect was not seen, and is not given again", async () => {
    const rig = await makeIdle();
    const receipt = { ...RECEIPT, outcome: "uncertain", evidence: "no effect was seen in time" };
    rig.link.taskResult = () => Promise.resolve({ receipt, rejection: null });
    await inTopic(rig, "go on");
    await after(rig, 20_000);
    expect(rig.link.tasks).toHaveLength(1);
    expect(readLast(rig)).toMatch(/^❔ “go on”, by Ara: sent to claude, but not confirmed/);
  });

  it("is not reported as not given when its worker failed after it was begun", async () => {
    const rig = await makeIdle();
    rig.link.taskResult = async ({ taskId }) => {
      await rig.core.handlers["task.begin"]({ taskId }, { sessionId: SESSION });
      throw new AtlasBridgeError("ATB_WIRE_INVALID", "internal error");
    };
    await inTopic(rig, "go on");
    await after(rig, 5_000);
    expect(readLast(rig)).toMatch(/^❔ “go on”, by Ara: it was being typed/);
    rig.link.taskResult = () => Promise.reject(new AtlasBridgeError("ATB_WIRE_INVALID", "no such method"));
    await inTopic(rig, "go on");
    await after(rig, 10_000);
    expect(readLast(rig)).toMatch(/^⚠️ “go on”, by Ara: Not sent/);
  });

  it("goes to the worker again after a lost connection, and after a hub that was killed, under the same id", async () => {
    const rig = await makeIdle();
    rig.link.taskResult = () => Promise.reject(new AtlasBridgeError("ATB_WIRE_LOST", "lost"));
    await inTopic(rig, "go on");
    rig.core.noteDisconnected(SESSION);
    await rig.core.stop();
    const next = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    await turns(10);
    expect(next.link.tasks.map(({ taskId }) => taskId)).toEqual([rig.link.tasks[0]!.taskId]);
    await after(next, 20_000);
    expect(listSteps(next)).toEqual(["task_taken", "task_ended"]);
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("begins only with its audit row, once, and not while paused", async () => {
    const rig = await makeIdle();
    const answers: unknown[] = [];
    rig.link.taskResult = async ({ taskId }) => {
      const begin = () => rig.core.handlers["task.begin"]({ taskId }, { sessionId: SESSION });
      answers.push(await begin(), await begin());
      await rig.core.setPaused(true, asId<Identity>("chat:1"));
      expect(begin).toThrow(/paused/);
      expect(() => rig.core.handlers["task.begin"]({ taskId: "no such" }, { sessionId: SESSION })).toThrow(
        /no such task/,
      );
      return { receipt: RECEIPT, rejection: null };
    };
    await inTopic(rig, "go on");
    expect(answers).toEqual([{}, {}]);
    expect(listSteps(rig)).toEqual(["task_taken", "task_began", "task_ended"]);
  });

  it("ends with its session: a waiting one was not typed, and a begun one is uncertain", async () => {
    const rig = await makeIdle();
    rig.link.taskResult = async ({ taskId }) => {
      await rig.core.handlers["task.begin"]({ taskId }, { sessionId: SESSION });
      return new Promise(() => undefined);
    };
    await inTopic(rig, "first");
    await inTopic(rig, "second");
    await rig.core.handlers["session.close"](
      { sessionId: SESSION, exitCode: 0, signal: null },
      { sessionId: SESSION },
    );
    await after(rig, 5_000);
    expect(rig.chat.messages[0]!.outcome?.text).toBe("⏹ The session ended");
    expect(rig.chat.texts().slice(1, 3)).toEqual([
      "❔ “first”, by Ara: the session ended before the task was confirmed. Check the terminal.\n\nTask for claude",
      "⏹ “second”, by Ara: the session ended; nothing was typed.\n\nTask for claude",
    ]);
    expect(await inTopic(rig, "third")).toBe("claude has ended; nothing was typed.");
  });

  it("to a session that has ended is told so, with the command that goes on with it, also by the next hub", async () => {
    const rig = await makeIdle();
    await rig.core.handlers["session.close"](
      { sessionId: SESSION, exitCode: 0, signal: null, resume: "claude --resume 77" },
      { sessionId: SESSION },
    );
    await turns();
    const told =
      "claude has ended; nothing was typed. To go on with it, in /home/ara/project:\n\natlasbridge run claude --resume 77";
    expect(await reply(rig, "go on")).toBe(told);
    await rig.core.stop();
    const next = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat, unopened: true });
    expect(await reply(next, "go on")).toBe(told);
    expect(next.link.tasks).toEqual([]);
  });

  it("is not taken for a session whose tool cannot be told anything", async () => {
    const rig = await makeRig({ configuredChannels: (chat) => [configureChannel(chat)] });
    const link = new FakeLink();
    const { sessionParams } = await import("../rig.js");
    const params = sessionParams({ sessionId: "44444444-4444-4444-8444-444444444444", tool: "bash" });
    const capabilities = { ...params.capabilities, chatTurns: false };
    await rig.core.handlers["session.open"]({ ...params, capabilities }, { sessionId: null });
    rig.core.connected(params.sessionId, link);
    await rig.chat.text("task bash make");
    expect(rig.chat.lastAnswer).toMatch(/does not know this tool's input box/);
    await rig.chat.text("task nobody make");
    expect(rig.chat.lastAnswer).toBe("Which session?\ntask claude …\ntask bash …");
  });
});
