/** After a day without a chat, the hub posts only the cards of prompts that still stand, and settles each earlier card once. */
import { describe, expect, it } from "vitest";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { turns } from "../fake-channel.js";
import { makeRig, SESSION, SETTINGS, type Rig } from "../rig.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const caller = { sessionId: SESSION };

const withPrompts = (over: Partial<typeof SETTINGS.prompts>) => ({
  ...SETTINGS,
  prompts: { ...SETTINGS.prompts, ...over },
});

/** In steps, as timers that arm each other need them. */
async function pass(rig: Rig, ms: number, stepMs = 10_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    rig.clock.advance(stepMs);
    await turns(2);
  }
}

/** Returns how often the service was called in vain. */
function goOffline(rig: Rig): () => number {
  let calls = 0;
  rig.chat.fault = () => {
    calls += 1;
    throw new DeliveryError("unreachable", { certainty: "not_sent" });
  };
  return () => calls;
}

async function comeBack(rig: Rig): Promise<void> {
  rig.chat.fault = () => undefined;
  await pass(rig, 5 * MINUTE);
}

async function toolIs(rig: Rig, state: ToolState, said?: string): Promise<void> {
  await rig.core.handlers["session.state"](
    { sessionId: SESSION, state, ...(said === undefined ? {} : { said }) },
    caller,
  );
  await turns();
}

describe("after a day without the chat", () => {
  it("a question that expired is not posted; one that still stands is, once, with its buttons", async () => {
    const rig = await makeRig();
    const calls = goOffline(rig);
    const old = await rig.raise({}, 1);
    await pass(rig, 24 * HOUR - 10 * MINUTE);
    const fresh = await rig.raise({}, 2);
    await pass(rig, 10 * MINUTE);
    // A service that is away is asked again every half a minute to a minute, not in a loop.
    expect(calls()).toBeLessThan(200);
    await comeBack(rig);
    expect(rig.readState(old)).toBe("expired");
    expect(rig.chat.cards().map(({ notice }) => notice.promptId)).toEqual([fresh.promptId]);
    expect(rig.store.outbox.count()).toBe(0);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.chat.lastAnswer).toBe("Yes: accepted for claude");
  });

  it("a card that was there before is settled once, with its last outcome", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    goOffline(rig);
    await pass(rig, 24 * HOUR);
    expect(rig.readState(event)).toBe("expired");
    let settles = 0;
    rig.chat.fault = () => {
      settles += 1;
      return undefined;
    };
    await pass(rig, 5 * MINUTE);
    expect(rig.chat.messages).toHaveLength(1);
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⌛ Expired; AtlasBridge typed nothing");
    expect(settles).toBe(1);
  });

  it("the turns of a tool in that time are not posted one by one", async () => {
    const conversation = { ...SETTINGS.conversation, progress_every: MINUTE };
    const rig = await makeRig({ settings: { ...SETTINGS, conversation } });
    goOffline(rig);
    for (let turn = 1; turn <= 48; turn += 1) {
      await toolIs(rig, "working");
      await pass(rig, 20 * MINUTE, MINUTE);
      await toolIs(rig, "idle", `Turn ${turn} is done.`);
      await pass(rig, 10 * MINUTE, MINUTE);
    }
    await comeBack(rig);
    expect(rig.chat.texts()).toEqual([expect.stringContaining("Turn 48 is done.")]);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("the line of a tool that still works is one line, as of now", async () => {
    const conversation = { ...SETTINGS.conversation, progress_every: MINUTE };
    const rig = await makeRig({ settings: { ...SETTINGS, conversation } });
    goOffline(rig);
    await toolIs(rig, "working");
    await pass(rig, 24 * HOUR, MINUTE);
    let calls = 0;
    rig.chat.fault = () => {
      calls += 1;
      return undefined;
    };
    await pass(rig, MINUTE);
    expect(rig.chat.texts()).toEqual(["⚙️ claude"]);
    expect(rig.chat.messages[0]!.outcome?.text).toBe("⚙️ working for 24 h");
    expect(calls).toBeLessThanOrEqual(3);
  });

  it("only one of several reminders is posted, and none together with its card", async () => {
    const remind_after = [5 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR];
    const settings = withPrompts({ expires_after: 0, remind_after });
    const rig = await makeRig({ settings });
    const before = await rig.raise({}, 1);
    goOffline(rig);
    await rig.raise({}, 2);
    await pass(rig, 24 * HOUR);
    await comeBack(rig);
    expect(rig.chat.cards()).toHaveLength(2);
    const { shortId } = rig.store.prompts.find(before.promptId)!;
    expect(rig.chat.texts()).toEqual([expect.stringContaining(`⏰ ${shortId} is still waiting`)]);
  });

  it("prompts that were answered at the terminal in that time are not posted", async () => {
    const rig = await makeRig();
    goOffline(rig);
    for (let n = 1; n <= 100; n += 1) {
      const { promptId } = await rig.raise({}, n);
      await pass(rig, MINUTE);
      await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "answered_locally" }, caller);
    }
    await pass(rig, HOUR);
    await comeBack(rig);
    expect(rig.chat.messages).toEqual([]);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("a hub that was started again in that time does the same", async () => {
    const rig = await makeRig();
    const shown = await rig.raise({}, 1);
    goOffline(rig);
    const event = await rig.raise({}, 2);
    await pass(rig, 10 * MINUTE);
    await rig.core.stop();
    rig.clock.advance(24 * HOUR);
    rig.chat.fault = () => undefined;
    const again = await makeRig({ path: rig.path, clock: rig.clock, chat: rig.chat });
    await pass(again, 5 * MINUTE);
    expect(again.readState(event)).toBe("expired");
    expect(rig.chat.cards().map(({ notice }) => notice.promptId)).toEqual([shown.promptId]);
    expect(rig.chat.cards()[0]?.outcome?.state).toBe("expired");
    expect(again.store.outbox.count()).toBe(0);
  });
});
