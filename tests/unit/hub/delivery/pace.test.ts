/**
 * The calls to a service, counted on a manual clock, stay within the published limits of Telegram and Slack, and the most urgent
 * goes first.
 */
import { describe, expect, it } from "vitest";
import { PACE as SLACK } from "../../../../channels/slack/pace.js";
import { PACE as TELEGRAM } from "../../../../channels/telegram/pace.js";
import { STARTS_PER_TURN_MAX } from "../../../../src/hub/delivery/limits.js";
import type { Pace } from "../../../../src/sdk/channel.js";
import { mostWithin } from "../../../support/windows.js";
import { CAPABILITIES, FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { makeEvent, makeRig, SESSION, type Rig } from "../rig.js";

interface Call {
  readonly at: number;
  readonly place: string;
  readonly kind: "deliver" | "settle";
}

/** Questions at once at so many places, each settled as soon as it can be. */
async function busyHour(pace: Pace, places: readonly string[], questions: number): Promise<Call[]> {
  const calls: Call[] = [];
  const chat = new FakeChannel();
  const rig = await makeRig({
    chat,
    configuredChannels: () => [configureChannel(chat, { places, capabilities: { ...CAPABILITIES, pace } })],
  });
  chat.fault = (kind, { place }) => {
    calls.push({ at: rig.clock.monotonic(), place, kind });
    return undefined;
  };
  const caller = { sessionId: SESSION };
  for (let n = 1; n <= questions; n += 1)
    await rig.core.handlers["prompt.raise"](makeEvent(n) as never, caller);
  await run(rig, 300);
  for (let n = 1; n <= questions; n += 1) {
    const { promptId } = makeEvent(n);
    await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, caller);
  }
  await run(rig, 300);
  expect(calls.filter(({ kind }) => kind === "deliver")).toHaveLength(questions * places.length);
  expect(calls.filter(({ kind }) => kind === "settle")).toHaveLength(questions * places.length);
  return calls;
}

/** In small steps, so that nothing is late because the clock jumped. */
async function run(rig: Rig, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 20; step += 1) {
    rig.clock.advance(50);
    await turns(4);
  }
}

const at = (calls: readonly Call[]): number[] => calls.map((call) => call.at);
const ofPlace = (calls: readonly Call[], wanted: string): number[] =>
  at(calls.filter(({ place }) => place === wanted));
const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, n) => `${name}${n + 1}`);

describe("the number of calls to Telegram", () => {
  it("is at most thirty calls in any second, and twenty in any minute to a group", async () => {
    const groups = numbered(20, "-100");
    const calls = await busyHour(TELEGRAM, groups, 20);
    expect(mostWithin(at(calls), 1_000)).toBeLessThanOrEqual(30);
    for (const group of groups) expect(mostWithin(ofPlace(calls, group), 60_000)).toBeLessThanOrEqual(20);
  });

  it("is four calls in the first second to one chat, and one a second from then on, edits among them", async () => {
    const calls = ofPlace(await busyHour(TELEGRAM, ["1001"], 12), "1001").slice(0, 12);
    const [first = 0] = calls;
    expect(mostWithin(calls, 1_000)).toBeLessThanOrEqual(4);
    expect((calls.at(-1) ?? 0) - first).toBeGreaterThanOrEqual(9_000);
  });
});

describe("the number of calls to Slack", () => {
  it("is about one a second to a channel, and at all places fifty changes and a hundred calls in any minute", async () => {
    const channels = numbered(10, "C0");
    const calls = await busyHour(SLACK, channels, 12);
    for (const channel of channels) {
      expect(mostWithin(ofPlace(calls, channel), 1_000)).toBeLessThanOrEqual(4);
      expect(mostWithin(ofPlace(calls, channel), 60_000)).toBeLessThanOrEqual(63);
    }
    const edits = calls.filter(({ kind }) => kind === "settle");
    expect(mostWithin(at(edits), 60_000)).toBeLessThanOrEqual(50);
    expect(mostWithin(at(calls), 60_000)).toBeLessThanOrEqual(100);
  });
});

describe("calls beside the outbox", () => {
  const configuredChannels = (over: Partial<Pace>) => (chat: FakeChannel) => {
    const pace: Pace = { place: () => [{ burst: 3, everyMs: 1_000 }], all: [], edits: [], ...over };
    return [configureChannel(chat, { places: ["p1", "p2"], capabilities: { ...CAPABILITIES, pace } })];
  };

  it("count as well: what a channel writes by itself makes the next card wait", async () => {
    const rig = await makeRig({ configuredChannels: configuredChannels({}) });
    await rig.raise({}, 1);
    const host = rig.core.createChannelHost("chat");
    for (let n = 0; n < 3; n += 1) host.wrote("p1");
    await rig.raise({}, 2);
    expect(rig.chat.cards().map(({ notice }) => notice.place)).toEqual(["p1", "p2", "p2"]);
    // One was left after the card; three were written; one is needed.
    rig.clock.advance(1_999);
    await turns();
    expect(rig.chat.cards()).toHaveLength(3);
    rig.clock.advance(1);
    await turns();
    expect(rig.chat.cards()).toHaveLength(4);
  });

  it("count once only where they are the very call that was begun", async () => {
    const rig = await makeRig({ configuredChannels: configuredChannels({}) });
    const host = rig.core.createChannelHost("chat");
    rig.chat.fault = (_kind, { place }) => {
      host.wrote(place);
      return undefined;
    };
    for (let n = 1; n <= 3; n += 1) await rig.raise({}, n);
    expect(rig.chat.cards()).toHaveLength(6);
  });

  it("do not delay other places where they go to a place without deliveries", async () => {
    const rig = await makeRig({
      configuredChannels: configuredChannels({ all: [{ burst: 6, everyMs: 1_000 }] }),
    });
    await rig.raise({}, 1);
    const host = rig.core.createChannelHost("chat");
    for (let n = 0; n < 400; n += 1) host.wrote("a stranger's");
    await rig.raise({}, 2);
    expect(rig.chat.cards()).toHaveLength(4);
  });

  it("delay a question by no more than two bursts, however many there were", async () => {
    const rig = await makeRig({
      configuredChannels: configuredChannels({ all: [{ burst: 5, everyMs: 2_000 }] }),
    });
    await rig.raise({}, 1);
    const host = rig.core.createChannelHost("chat");
    for (let n = 0; n < 400; n += 1) host.wrote("p1");
    await rig.raise({}, 2);
    rig.clock.advance(12_000);
    await turns();
    expect(rig.chat.cards().length).toBeGreaterThan(2);
    rig.clock.advance(2_000);
    await turns();
    expect(rig.chat.cards()).toHaveLength(4);
  });
});

describe("where a service is slow, the most urgent goes first", () => {
  const narrow = { all: [{ burst: 2, everyMs: 10_000 }], edits: [] };

  it("over all places: prompts, then the outcome of a tap, then other edits, then notices", async () => {
    const pace: Pace = { place: () => [], ...narrow };
    const rig = await makeRig({
      configuredChannels: (chat) => [
        configureChannel(chat, { places: ["p1", "p2"], capabilities: { ...CAPABILITIES, pace } }),
      ],
    });
    const calls: string[] = [];
    rig.chat.fault = (kind, notice) => {
      calls.push(`${kind} ${notice.kind === "prompt" ? notice.promptId.slice(-1) : "text"}`);
      return undefined;
    };
    const first = await rig.raise({}, 1);
    const second = await rig.raise({}, 2);
    const caller = { sessionId: SESSION };
    for (const wait of [10_000, 10_000]) {
      rig.clock.advance(wait);
      await turns();
    }
    expect(calls.splice(0)).toEqual(["deliver 1", "deliver 1", "deliver 2", "deliver 2"]);
    await rig.core.handlers["prompt.withdraw"]({ promptId: second.promptId, reason: "left_screen" }, caller);
    await rig.raise({}, 3);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(first);
    await rig.end(first);
    for (let n = 0; n < 8; n += 1) {
      rig.clock.advance(10_000);
      await turns();
    }
    expect(calls).toEqual(["deliver 3", "deliver 3", "settle 1", "settle 1", "settle 2", "settle 2"]);
  });

  it("an edit that must wait for its turn holds up no question at its place", async () => {
    const pace: Pace = { place: () => [], all: [], edits: [{ burst: 1, everyMs: 60_000 }] };
    const rig = await makeRig({
      configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, pace } })],
    });
    const events = [await rig.raise({}, 1), await rig.raise({}, 2)];
    for (const [index, event] of events.entries()) {
      await rig.chat.tap(rig.chat.cards()[index]!, "1");
      await rig.begin(event);
      await rig.end(event);
    }
    expect(rig.chat.cards().map(({ outcome }) => outcome?.state)).toEqual(["answered", undefined]);
    await rig.raise({}, 3);
    expect(rig.chat.cards()).toHaveLength(3);
    rig.clock.advance(60_000);
    await turns();
    expect(rig.chat.cards().map(({ outcome }) => outcome?.state)).toEqual([
      "answered",
      "answered",
      undefined,
    ]);
  });
});

describe("cards of many places that are due at once", () => {
  it("start a few in each turn of the event loop, and all of them soon", async () => {
    const places = numbered(3 * STARTS_PER_TURN_MAX, "p");
    const chat = new FakeChannel();
    const rig = await makeRig({ chat, configuredChannels: () => [configureChannel(chat, { places })] });
    let started = 0;
    chat.fault = () => {
      started += 1;
      return undefined;
    };
    const raised = rig.core.handlers["prompt.raise"](makeEvent(1) as never, { sessionId: SESSION });
    const perTurn: number[] = [];
    for (let seen = 0; perTurn.length < 20; seen = started) {
      await turns(1);
      perTurn.push(started - seen);
    }
    await raised;
    expect(started).toBe(places.length);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(STARTS_PER_TURN_MAX);
  });
});
