/**
 * A prompt expires at its deadline or gets the safe default, as the configuration says, and a reminder is sent for each
 * configured time.
 */
import { CATCH_UP_MS } from "../../../../src/hub/people/listening-gaps.js";
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../src/model/prompt.js";
import { turns } from "../fake-channel.js";
import { SETTINGS, makeRig, type Rig } from "../rig.js";

const { expires_after: expiresAfterMs } = SETTINGS.prompts;
const withPrompts = (over: Partial<typeof SETTINGS.prompts>) => ({
  ...SETTINGS,
  prompts: { ...SETTINGS.prompts, ...over },
});

describe("at its deadline a question", () => {
  it("expires: nothing is typed, every card says so, and a later tap is told", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.clock.advance(expiresAfterMs - 1);
    expect(rig.readState(event)).toBe("pending");
    rig.clock.advance(1);
    await turns();
    expect(rig.readState(event)).toBe("expired");
    expect(rig.chat.cards()[0]?.outcome).toMatchObject({
      state: "expired",
      text: "⌛ Expired; AtlasBridge typed nothing",
      final: true,
    });
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.lastAnswer).toBe("This prompt has expired; nothing was typed.");
    expect(rig.link.replies).toEqual([]);
  });

  it("that passed while the hub was down expires once answers that were given in time have come in", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.core.stop();
    rig.clock.advance(expiresAfterMs);
    const again = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    expect(again.readState(event)).toBe("pending");
    again.clock.advance(CATCH_UP_MS - 1);
    expect(again.readState(event)).toBe("pending");
    again.clock.advance(1);
    expect(again.readState(event)).toBe("expired");
    await turns();
    expect(rig.chat.cards()[0]?.outcome?.state).toBe("expired");
  });

  it("does not expire while its answer is on the way", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    rig.clock.advance(expiresAfterMs * 2);
    expect(rig.readState(event)).toBe("answering");
  });

  it.each([60_000, expiresAfterMs * 4])("is the one that its tool names (%i ms)", async (ms) => {
    const rig = await makeRig({ settings: withPrompts({ on_expiry: "safe_default" }) });
    const answerBy = rig.clock.now() + ms;
    const event = await rig.raise({ constraints: { minChoice: 1, maxChoice: 3, answerBy } });
    const card = rig.chat.cards()[0]?.notice;
    expect(card?.expiresAt).toBe(answerBy);
    expect(card?.expiryAnswer).toBeUndefined();
    rig.clock.advance(ms - 1);
    expect(rig.readState(event)).toBe("pending");
    rig.clock.advance(2_001);
    expect(rig.readState(event)).toBe("expired");
    expect(rig.link.replies).toEqual([]);
  });

  it("is said to refuse the prompt only where its tool gets a No then", async () => {
    const rig = await makeRig();
    const answerBy = rig.clock.now() + 60_000;
    const limits = { minChoice: 1, maxChoice: 3, answerBy };
    await rig.raise({ constraints: limits }, 1);
    const refused = await rig.raise({ constraints: { ...limits, refusedLate: true } }, 2);
    expect(rig.chat.cards().map(({ notice }) => notice.refusedLate)).toEqual([undefined, true]);
    const listed = await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    expect(listed.map(({ refusedLate }) => refusedLate)).toEqual([undefined, true]);
    const card = rig.chat.cards()[1]!;
    await rig.chat.tap(card, "1");
    rig.clock.advance(10_000);
    await turns();
    expect(rig.readState(refused)).toBe("answering");
    const edit = rig.chat.edits.get(Number(card.ref["message"]));
    expect(edit).toBeDefined();
    expect(edit?.notice.refusedLate).toBeUndefined();
  });

  it("has no deadline, which never comes when the configuration says 0", async () => {
    const rig = await makeRig({ settings: withPrompts({ expires_after: 0 }) });
    const event = await rig.raise();
    rig.clock.advance(90 * 24 * 3_600_000);
    expect(rig.readState(event)).toBe("pending");
  });

  it("expires late after the computer slept", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.clock.sleep(expiresAfterMs);
    rig.clock.advance(60_000 + CATCH_UP_MS);
    expect(rig.readState(event)).toBe("expired");
  });

  it.each(["leave", "safe_default"] as const)(
    "takes an answer that was given while the computer slept over the deadline (on_expiry: %s)",
    async (on_expiry) => {
      const rig = await makeRig({ settings: withPrompts({ on_expiry }) });
      const event = await rig.raise();
      rig.clock.sleep(expiresAfterMs);
      await rig.chat.tap(rig.chat.cards()[0]!, "1");
      rig.clock.advance(60_000 + CATCH_UP_MS);
      expect(rig.readState(event)).toBe("answering");
      expect(rig.link.replies.map(({ value }) => value)).toEqual(["1"]);
    },
  );
});

describe("when somebody sets the wall clock", () => {
  const HOUR_MS = 3_600_000;
  const listed = async (rig: Rig) => {
    const [prompt] = await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    return Date.parse(prompt?.expiresAt ?? "");
  };

  it.each([HOUR_MS, -HOUR_MS])("by %i ms, a question waits as long as it would have", async (ms) => {
    const rig = await makeRig();
    const event = await rig.raise();
    rig.clock.advance(60_000);
    rig.clock.setBy(ms);
    rig.clock.advance(expiresAfterMs - 60_001);
    expect(rig.readState(event)).toBe("pending");
    expect(await listed(rig)).toBe(rig.clock.now() + 1);
    rig.clock.advance(1);
    expect(rig.readState(event)).toBe("expired");
  });

  it.each([HOUR_MS, -HOUR_MS])("by %i ms, a list says at once how long a question waits", async (ms) => {
    const rig = await makeRig();
    await rig.raise();
    rig.clock.setBy(ms);
    expect(await listed(rig)).toBe(rig.clock.now() + expiresAfterMs);
  });

  it("a question that its tool waits for is open as long as the tool waits, and says so", async () => {
    const rig = await makeRig();
    const answerBy = rig.clock.now() + 60_000;
    const event = await rig.raise({ constraints: { minChoice: 1, maxChoice: 3, answerBy } });
    rig.clock.setBy(HOUR_MS);
    rig.clock.advance(59_000);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("answering");
    const other = await rig.raise(
      { constraints: { minChoice: 1, maxChoice: 3, answerBy: rig.clock.now() + 60_000 } },
      2,
    );
    rig.clock.setBy(HOUR_MS);
    rig.clock.advance(61_999);
    expect(rig.readState(other)).toBe("pending");
    rig.clock.advance(1);
    expect(rig.readState(other)).toBe("expired");
  });

  it("an answer that is the first to be seen after that counts", async () => {
    const rig = await makeRig({ started: false });
    const event = await rig.raise();
    rig.clock.setBy(2 * expiresAfterMs);
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    const given = await rig.core.handlers["prompt.answer"]({ shortId, value: "1" }, { sessionId: null });
    expect(given.rejection).toBeNull();
    expect(rig.readState(event)).toBe("answering");
  });

  it("a step that cannot be stored is made up for with the next one, once", async () => {
    const rig = await makeRig({ started: false });
    const event = await rig.raise();
    const deadlineAt = rig.store.prompts.find(event.promptId)?.deadlineAt ?? 0;
    const write = rig.store.write.bind(rig.store);
    rig.store.write = () => {
      throw new Error("the disk is full");
    };
    rig.clock.setBy(HOUR_MS);
    await expect(rig.raise({}, 2)).rejects.toThrow("the disk is full");
    rig.store.write = write;
    for (const n of [3, 4]) await rig.raise({}, n);
    expect(rig.store.prompts.find(event.promptId)?.deadlineAt).toBe(deadlineAt + HOUR_MS);
  });

  it("while no hub runs, the wall clock is all there is", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.core.stop();
    rig.clock.setBy(expiresAfterMs);
    const again = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    again.clock.advance(CATCH_UP_MS);
    expect(again.readState(event)).toBe("expired");
  });
});

describe("with on_expiry: safe_default", () => {
  const expired = async (over: Partial<PromptEvent>) => {
    const rig = await makeRig({ settings: withPrompts({ on_expiry: "safe_default" }) });
    const event = await rig.raise(over);
    rig.clock.advance(expiresAfterMs);
    await turns();
    return { rig, event };
  };

  it.each([
    ["a menu, with the choice that rejects", {}, "3"],
    ["a yes/no question, with no", { promptType: "yes_no", choices: [] }, "n"],
  ] as const)("answers %s", async (_what, over, value) => {
    const { rig, event } = await expired(over);
    expect(rig.link.replies).toMatchObject([{ value, channelIdentity: "auto:timeout" }]);
    await rig.begin(event);
    await rig.end(event);
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("✅ No, by the timeout, confirmed");
  });

  it.each([
    ["a menu without a rejecting choice", { choices: [{ label: "Yes", intent: "allow_once" }] }],
    ["a menu whose reading is unsure", { confidence: "low" }],
    ["a trust question", { safetyClass: "trust" }],
    ["free text", { promptType: "free_text", choices: [] }],
    ["a press of Enter", { promptType: "confirm_enter", choices: [] }],
    [
      "a rejecting choice that needs a text",
      { choices: [{ label: "No, because", intent: "reject_once", takesText: "required" }] },
    ],
  ] as const)("types nothing into %s", async (_what, over) => {
    const { rig, event } = await expired(over);
    expect(rig.readState(event)).toBe("expired");
    expect(rig.link.replies).toEqual([]);
  });

  it("does not say to a tap that comes before the timer that nothing was typed", async () => {
    const settings = withPrompts({ on_expiry: "safe_default" });
    const rig = await makeRig({ settings, started: false });
    await rig.raise();
    rig.clock.advance(expiresAfterMs);
    const { shortId } = rig.store.prompts.listAfter(null, 100)[0]!;
    const { rejection } = await rig.core.handlers["prompt.answer"](
      { shortId, value: "1" },
      { sessionId: null },
    );
    expect(rejection?.text).toBe("Already answered by the timeout; the card shows the outcome.");
    expect(rig.link.replies).toMatchObject([{ value: "3" }]);
  });

  it.each([
    ["safe_default", "leave", "answering"],
    ["leave", "safe_default", "expired"],
  ] as const)("keeps what the card says where %s becomes %s meanwhile", async (before, after, state) => {
    const rig = await makeRig({ settings: withPrompts({ on_expiry: before }) });
    const event = await rig.raise();
    await rig.core.stop();
    const settings = withPrompts({ on_expiry: after });
    const again = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat, settings });
    rig.clock.advance(expiresAfterMs);
    expect(again.readState(event)).toBe(state);
  });

  it("names the default on its card and in lists beforehand, where there is one", async () => {
    const rig = await makeRig({ settings: withPrompts({ on_expiry: "safe_default" }) });
    await rig.raise();
    await rig.raise({ safetyClass: "trust" }, 2);
    const answers = rig.chat.cards().map(({ notice }) => notice.expiryAnswer);
    expect(answers).toEqual(["No", undefined]);
    const listed = await rig.core.handlers["prompts.list"]({ all: false }, { sessionId: null });
    expect(listed.map(({ expiryAnswer }) => expiryAnswer)).toEqual(["No", undefined]);
    const left = await makeRig();
    await left.raise();
    expect(left.chat.cards()[0]!.notice).not.toHaveProperty("expiryAnswer");
  });

  it("takes no late answer: the default has been given", async () => {
    const { rig } = await expired({});
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.lastAnswer).toBe("Already answered by the timeout; the card shows the outcome.");
    expect(rig.link.replies).toHaveLength(1);
  });
});

describe("a reminder of an open prompt", () => {
  const settings = withPrompts({ remind_after: [300_000, 600_000] });

  it("is sent for each configured time while the question waits", async () => {
    const rig = await makeRig({ settings });
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toEqual([
      `⏰ ${shortId} is still waiting for an answer. claude: Do you want to proceed?`,
    ]);
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(2);
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toHaveLength(2);
  });

  it("does not claim that a prompt waits whose session is stopped or not connected", async () => {
    const rig = await makeRig({ settings, processStopped: () => true });
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    rig.clock.advance(300_000);
    await turns();
    expect(rig.chat.texts()).toEqual([
      `⏰ ${shortId} has no answer. Whether it still waits is not known: its session is stopped at its terminal. claude: Do you want to proceed?`,
    ]);
  });

  it.each([3_600_000, -3_600_000])(
    "comes when it would have, although the clock was set by %i ms",
    async (ms) => {
      const rig = await makeRig({ settings });
      const sentAfter = async (passed: number) => {
        rig.clock.advance(passed);
        await turns();
        return rig.chat.texts().length;
      };
      await rig.raise();
      rig.clock.advance(60_000);
      rig.clock.setBy(ms);
      expect(await sentAfter(239_999)).toBe(0);
      expect(await sentAfter(1)).toBe(1);
      // A hub that was started since knows it, too.
      await rig.core.stop();
      await makeRig({ settings, path: rig.path, clock: rig.clock, chat: rig.chat });
      expect(await sentAfter(299_999)).toBe(1);
      expect(await sentAfter(1)).toBe(2);
    },
  );

  it("is sent once for those that fell due while the hub was down", async () => {
    const rig = await makeRig({ settings });
    await rig.raise();
    await rig.core.stop();
    rig.clock.advance(700_000);
    await makeRig({ settings, path: rig.path, clock: rig.clock, chat: rig.chat });
    await turns();
    expect(rig.chat.texts()).toHaveLength(1);
  });

  it("is not sent once the question is answered, nor when that happened before it could be sent", async () => {
    const rig = await makeRig({ settings });
    const event = await rig.raise();
    rig.chat.fault = () => {
      throw new Error("offline");
    };
    rig.clock.advance(300_000);
    await turns();
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "answered_locally" },
      { sessionId: event.sessionId },
    );
    rig.chat.fault = () => undefined;
    rig.clock.advance(600_000);
    await turns();
    expect(rig.chat.texts()).toEqual([]);
  });

  it("can be replied to like the card", async () => {
    const rig = await makeRig({ settings });
    await rig.raise();
    rig.clock.advance(300_000);
    await turns();
    const reminder = rig.chat.messages.find(({ notice }) => notice.kind === "text")!;
    await rig.chat.text("2", { ref: reminder.ref });
    expect(rig.link.replies).toMatchObject([{ value: "2" }]);
  });
});
