/** A message that a slow service does not confirm is passed by newer prompts for the same place, and is neither sent twice nor lost. */
import { describe, expect, it, onTestFinished } from "vitest";
import { PASS_AFTER_MS, SLOW_CALLS_MAX, SEND_TIMEOUT_MS } from "../../../../src/hub/delivery/limits.js";
import { DeliveryError, type Notice } from "../../../../src/sdk/channel.js";
import { type DeliveryRef } from "../../../../src/sdk/delivery-ref.js";
import { CAPABILITIES, configureChannel, turns } from "../fake-channel.js";
import { makeRig, SESSION, type Rig } from "../rig.js";

type Outcome = "posted" | "failed";

/** A rig whose posts of the questions with these numbers hang until they are let go. */
async function rigThatHangsOn(numbers: readonly number[], pace = CAPABILITIES.pace) {
  const rig = await makeRig({
    configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, pace } })],
  });
  const held = new Map<number, (outcome: Outcome) => void>();
  const deliver = rig.chat.deliver.bind(rig.chat);
  rig.chat.deliver = async (notice) => {
    const number = readNumber(notice);
    if (number !== null && numbers.includes(number) && !held.has(number)) {
      const outcome = await new Promise<Outcome>((resolve) => held.set(number, resolve));
      if (outcome === "failed") throw new DeliveryError("no", { certainty: "not_sent" });
    }
    return deliver(notice);
  };
  const letGo = async (number: number, outcome: Outcome = "posted"): Promise<void> => {
    held.get(number)?.(outcome);
    await turns();
  };
  // The hub waits for what is under way when it stops.
  onTestFinished(async () => {
    for (const number of held.keys()) await letGo(number, "failed");
  });
  return { rig, letGo };
}

function readNumber(notice: Notice): number | null {
  return notice.kind === "prompt" ? Number(notice.promptId.slice(-12)) : null;
}

async function pass(rig: Rig, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    rig.clock.advance(Math.min(1_000, left));
    await turns();
  }
}

const posted = (rig: Rig): (number | null)[] => rig.chat.cards().map(({ notice }) => readNumber(notice));

describe("a message that hangs", () => {
  it("is waited for a moment, so that messages come in their order", async () => {
    const { rig, letGo } = await rigThatHangsOn([1]);
    await rig.raise({}, 1);
    await rig.raise({}, 2);
    await pass(rig, PASS_AFTER_MS - 1);
    expect(posted(rig)).toEqual([]);
    await letGo(1);
    await pass(rig, 1_000);
    expect(posted(rig)).toEqual([1, 2]);
  });

  it("is then passed by new prompts and by replies to taps", async () => {
    const { rig } = await rigThatHangsOn([2]);
    const first = await rig.raise({}, 1);
    await rig.raise({}, 2);
    await rig.raise({}, 3);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(first);
    await rig.end(first);
    expect(rig.chat.cards()[0]?.outcome).toBeNull();
    await pass(rig, PASS_AFTER_MS + 2_000);
    expect(posted(rig)).toEqual([1, 3]);
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("✅ Yes, by Ara, confirmed");
  });

  it("is not sent a second time meanwhile, and takes its place when it arrives after all", async () => {
    const { rig, letGo } = await rigThatHangsOn([1]);
    await rig.raise({}, 1);
    await rig.raise({}, 2);
    await pass(rig, 60_000);
    expect(posted(rig)).toEqual([2]);
    await letGo(1);
    await pass(rig, 60_000);
    expect(posted(rig)).toEqual([2, 1]);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("is tried again when it failed in the end, and when nothing was ever heard of it", async () => {
    const { rig, letGo } = await rigThatHangsOn([1, 2]);
    await rig.raise({}, 1);
    await rig.raise({}, 2);
    await pass(rig, 2 * PASS_AFTER_MS);
    await letGo(1, "failed");
    await pass(rig, 2_000);
    expect(posted(rig)).toEqual([1]);
    await pass(rig, SEND_TIMEOUT_MS);
    expect(posted(rig)).toEqual([1, 2]);
  });

  it("whose question is over when it arrives is settled like the others", async () => {
    const { rig, letGo } = await rigThatHangsOn([1]);
    const { promptId } = await rig.raise({}, 1);
    await pass(rig, PASS_AFTER_MS);
    await rig.core.handlers["prompt.withdraw"](
      { promptId, reason: "answered_locally" },
      { sessionId: SESSION },
    );
    await letGo(1);
    await pass(rig, 2_000);
    expect(rig.chat.cards()[0]?.outcome?.text).toBe("⌨️ Answered at the terminal");
  });

  it("does not lead to more and more calls: after a few a service that answers none is waited for", async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    const { rig } = await rigThatHangsOn(numbers);
    let calls = 0;
    const deliver = rig.chat.deliver.bind(rig.chat);
    rig.chat.deliver = (notice): Promise<DeliveryRef> => {
      calls += 1;
      return deliver(notice);
    };
    for (const n of numbers) await rig.raise({}, n);
    await pass(rig, 20 * PASS_AFTER_MS);
    expect(calls).toBe(SLOW_CALLS_MAX + 1);
  });
});

it("a tap is answered at once, also behind queued and hanging messages", async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => n + 2);
  const { rig } = await rigThatHangsOn(numbers);
  await rig.raise({}, 1);
  for (const n of numbers) await rig.raise({}, n);
  expect(rig.store.outbox.count()).toBe(numbers.length);
  const at = rig.clock.now();
  await rig.chat.tap(rig.chat.cards()[0]!, "1");
  expect(rig.chat.lastAnswer).toBe("Yes: accepted for claude");
  expect(rig.clock.now()).toBe(at);
});

it("what a passed message writes late counts against the pace of its place", async () => {
  const pace = { place: () => [{ burst: 2, everyMs: 60_000 }], all: [], edits: [] };
  const { rig } = await rigThatHangsOn([1], pace);
  await rig.raise({}, 1);
  await pass(rig, PASS_AFTER_MS);
  rig.core.createChannelHost("chat").wrote("p1");
  await rig.raise({}, 2);
  await pass(rig, 30_000);
  expect(posted(rig)).toEqual([]);
  await pass(rig, 60_000);
  expect(posted(rig)).toEqual([2]);
});

it("a second card that arrives when its question is over is settled, too", async () => {
  const { rig, letGo } = await rigThatHangsOn([2]);
  const hanging = rig.chat.deliver.bind(rig.chat);
  let lost = false;
  // The first try of question 2 is posted and its answer lost; the second hangs.
  rig.chat.deliver = async (notice) => {
    if (readNumber(notice) !== 2 || lost) return hanging(notice);
    lost = true;
    rig.chat.messages.push({ ref: { place: "p1", message: 99 }, notice, outcome: null });
    throw new DeliveryError("the answer was lost", { certainty: "unknown" });
  };
  const event = await rig.raise({}, 2);
  await pass(rig, 2_000 + PASS_AFTER_MS);
  await rig.chat.tap(rig.chat.cards()[0]!, "1");
  await rig.begin(event);
  await rig.end(event);
  await pass(rig, 1_000);
  await letGo(2);
  await pass(rig, 2_000);
  expect(rig.chat.cards().map(({ outcome }) => outcome?.text)).toEqual([
    "✅ Yes, by Ara, confirmed",
    "✅ Yes, by Ara, confirmed",
  ]);
});
