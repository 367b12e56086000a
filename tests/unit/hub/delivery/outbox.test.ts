/**
 * A card is sent from an outbox on disk, again after a failure, as late as the service asks, and twice only after a lost
 * response. A settled card shows the last outcome, on each copy.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeBackoffMs, computeCardBackoffMs } from "../../../../src/hub/delivery/backoff.js";
import {
  BACKOFF_MAX_MS,
  CARD_BACKOFF_MAX_MS,
  CARD_TRIES_SOON,
  SEND_TIMEOUT_MS,
} from "../../../../src/hub/delivery/limits.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import { systemRandom } from "../../../../src/observe/random.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { CAPABILITIES, FakeChannel, configureChannel, turns } from "../fake-channel.js";
import { ARA, SESSION, SETTINGS, makeEvent, makeRig, tempDirectory, type Rig } from "../rig.js";

async function after(rig: Rig, ms: number): Promise<void> {
  // In small steps: what a timer starts may take turns of the loop before it arms the next.
  for (let passed = 0; passed < ms; passed += 100) {
    rig.clock.advance(Math.min(100, ms - passed));
    await turns(1);
  }
}

/** As of a real machine: no two of its instants are a whole number of ms apart. */
class FractionalClock extends ManualClock {
  #looks = 0;

  override monotonic(): number {
    this.#looks += 1;
    return super.monotonic() + this.#looks / 1024;
  }
}

const failing = (options: ConstructorParameters<typeof DeliveryError>[1]) => (): never => {
  throw new DeliveryError("no", options);
};

describe("cards are sent", () => {
  it("only after their rows are committed, one for every place of every channel somebody may answer on", async () => {
    const silent = new FakeChannel();
    const rig = await makeRig({
      configuredChannels: (chat) => [
        configureChannel(chat, { places: ["p1", "p2"] }),
        configureChannel(silent, { id: "silent", places: ["s1"] }),
      ],
    });
    const seen: (string | undefined)[] = [];
    rig.chat.fault = (_call, notice) => {
      if (notice.kind === "prompt") seen.push(rig.store.prompts.find(notice.promptId)?.state);
      return undefined;
    };
    await rig.raise();
    expect(seen).toEqual(["pending", "pending"]);
    expect(rig.chat.cards().map(({ notice }) => notice.place)).toEqual(["p1", "p2"]);
    expect(silent.messages).toEqual([]);
  });

  it("with one button an answer, each with a token of its own", async () => {
    const rig = await makeRig();
    await rig.raise();
    const { buttons } = rig.chat.cards()[0]!.notice;
    expect(buttons.map(({ value, choice }) => [value, choice.label])).toEqual([
      ["1", "Yes"],
      ["2", "Yes, and don't ask again"],
      ["3", "No"],
    ]);
    expect(new Set(buttons.map(({ token }) => token)).size).toBe(3);
    expect(buttons.every(({ token }) => Buffer.byteLength(token) <= CAPABILITIES.tokenBytesMax)).toBe(true);
  });

  it.each([
    ["more choices than the channel has buttons", { buttonsMax: 2 }],
    ["tokens too short for ours", { tokenBytesMax: 16 }],
  ])("without any button rather than with some: %s", async (_what, over) => {
    const rig = await makeRig({
      configuredChannels: (chat) => [configureChannel(chat, { capabilities: { ...CAPABILITIES, ...over } })],
    });
    await rig.raise();
    expect(rig.chat.cards()[0]?.notice).toMatchObject({ buttons: [], acceptsText: true });
  });

  it("at a burst of three and then one a second, and twenty a minute, to each place", async () => {
    const rig = await makeRig();
    for (let n = 1; n <= 30; n++)
      await rig.core.handlers["prompt.raise"](makeEvent(n) as never, { sessionId: makeEvent(n).sessionId });
    await turns(20);
    expect(rig.chat.messages).toHaveLength(3);
    await after(rig, 10_000);
    expect(rig.chat.messages).toHaveLength(13);
    await after(rig, 20_000);
    expect(rig.chat.messages.length).toBeLessThanOrEqual(20 + 30 / 3);
    await after(rig, 60_000);
    expect(rig.chat.messages).toHaveLength(30);
  });

  it("before edits, so that a prompt never waits behind a settled card", async () => {
    const rig = await makeRig();
    const events = [await rig.raise({}, 1), await rig.raise({}, 2)];
    for (const { promptId, sessionId } of events)
      await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, { sessionId });
    await rig.raise({}, 3);
    expect(rig.chat.cards()).toHaveLength(3);
    expect(rig.chat.cards().filter(({ outcome }) => outcome !== null)).toEqual([]);
    await after(rig, 5_000);
    expect(rig.chat.cards().filter(({ outcome }) => outcome !== null)).toHaveLength(2);
  });
});

describe("a card that could not be sent", () => {
  it("is sent again, later and later, until it is posted", async () => {
    const rig = await makeRig();
    let calls = 0;
    rig.chat.fault = () => {
      calls += 1;
      throw new DeliveryError("no", { certainty: "not_sent" });
    };
    await rig.raise();
    await after(rig, 10_000);
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThan(9);
    rig.chat.fault = () => undefined;
    await after(rig, 60_000);
    expect(rig.chat.cards()).toHaveLength(1);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it.each<[string, number | null]>([
    ["after a failure", null],
    ["when the service asks to wait", 1_000],
  ])("has its next time on disk at once, whatever the clock counts: %s", async (_when, retryAfterMs) => {
    const rig = await makeRig({ clock: new FractionalClock() });
    rig.chat.fault = failing({ certainty: "not_sent", retryAfterMs });
    await rig.raise();
    await turns();
    rig.chat.fault = () => undefined;
    await after(rig, 2_000);
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("arrives within seconds of the service's return, and a new one at once", async () => {
    const rig = await makeRig();
    let calls = 0;
    rig.chat.fault = () => {
      calls++;
      throw new DeliveryError("no", { certainty: "not_sent" });
    };
    await rig.raise();
    await after(rig, 12_000);
    expect(calls).toBeGreaterThan(4);
    expect(rig.chat.messages).toEqual([]);
    rig.chat.fault = () => undefined;
    await rig.raise({}, 2);
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
    await after(rig, CARD_BACKOFF_MAX_MS);
    expect(rig.chat.cards()).toHaveLength(2);
  });

  it("that keeps failing is tried ever more rarely", async () => {
    const rig = await makeRig();
    let calls = 0;
    rig.chat.fault = () => {
      calls++;
      throw new DeliveryError("no", { certainty: "not_sent" });
    };
    await rig.raise();
    await after(rig, 3_600_000);
    // Never less than half a minute apart once the delay has grown.
    expect(calls).toBeLessThan(CARD_TRIES_SOON + 10 + 3_600_000 / (BACKOFF_MAX_MS / 2));
  });

  it("waits exactly as long as the service asked, and so does everything for that place", async () => {
    const rig = await makeRig();
    rig.chat.fault = failing({ certainty: "not_sent", retryAfterMs: 7_000 });
    await rig.raise();
    rig.chat.fault = () => undefined;
    await rig.raise({}, 2);
    await after(rig, 6_900);
    expect(rig.chat.messages).toEqual([]);
    await after(rig, 200);
    expect(rig.chat.cards()).toHaveLength(2);
  });

  it("is given up, on record, when no retry can help; other places are not held up", async () => {
    const rig = await makeRig({
      configuredChannels: (chat) => [configureChannel(chat, { places: ["gone", "p1"] })],
    });
    rig.chat.fault = (_call, notice) => {
      if (notice.place === "gone")
        throw new DeliveryError("blocked", { certainty: "not_sent", permanent: true });
      return undefined;
    };
    await rig.raise();
    await turns();
    expect(rig.chat.cards().map(({ notice }) => notice.place)).toEqual(["p1"]);
    expect(rig.store.outbox.count()).toBe(0);
    expect([...rig.store.audit.readAfter(0)].map(({ step }) => step)).toContain("card_abandoned");
  });

  it("is given up when its channel is configured no more", async () => {
    const rig = await makeRig();
    rig.chat.fault = failing({ certainty: "not_sent" });
    await rig.raise();
    await rig.core.useChannels([]);
    expect(rig.chat.stopped).toBe(true);
    await after(rig, 2_000);
    expect(rig.store.outbox.count()).toBe(0);
  });

  it("but was posted after all: both cards are answered truthfully and settled", async () => {
    const rig = await makeRig();
    rig.chat.fault = () => "lost";
    const event = await rig.raise();
    rig.chat.fault = () => undefined;
    await after(rig, 2_000);
    const [first, second] = rig.chat.cards();
    expect(rig.chat.cards()).toHaveLength(2);
    await rig.chat.tap(first!, "1");
    await rig.begin(event);
    await rig.end(event);
    await after(rig, 2_000);
    expect(first?.outcome?.text).toBe("✅ Yes, by Ara, confirmed");
    expect(second?.outcome?.text).toBe("✅ Yes, by Ara, confirmed");
  });

  it("but is being posted while its question is settled: the card is settled once it is there", async () => {
    const rig = await makeRig();
    const deliver = rig.chat.deliver.bind(rig.chat);
    let finish: () => void = () => undefined;
    rig.chat.deliver = async (notice) => {
      const ref = await deliver(notice);
      await new Promise<void>((resolve) => (finish = resolve));
      return ref;
    };
    const { promptId } = await rig.raise();
    await rig.core.handlers["prompt.withdraw"](
      { promptId, reason: "answered_locally" },
      { sessionId: SESSION },
    );
    await turns();
    finish();
    await turns();
    expect(rig.chat.cards()[0]!.outcome).toMatchObject({ state: "withdrawn", final: true });
  });

  it("and was tapped on its lost copy is not posted again", async () => {
    const rig = await makeRig();
    rig.chat.fault = () => "lost";
    await rig.raise();
    rig.chat.fault = () => undefined;
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await after(rig, 5_000);
    expect(rig.chat.cards()).toHaveLength(1);
  });
});

describe("a settled card", () => {
  it("shows the last outcome once, even if several came while the service was away", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    const edits: string[] = [];
    rig.chat.fault = failing({ certainty: "not_sent" });
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const refusal = {
      promptId: event.promptId,
      replyId: rig.link.replies[0]!.replyId,
      rejection: { code: "typing", text: "somebody was typing" },
      stillAsked: true,
    };
    await rig.core.handlers["reply.refuse"](refusal, { sessionId: event.sessionId });
    await turns();
    await rig.core.handlers["prompt.withdraw"](
      { promptId: event.promptId, reason: "left_screen" },
      { sessionId: event.sessionId },
    );
    rig.chat.fault = (call) => {
      edits.push(call);
      return undefined;
    };
    await after(rig, 5_000);
    expect(edits).toEqual(["settle"]);
    expect(rig.chat.cards()[0]?.outcome?.state).toBe("withdrawn");
  });

  it("whose newer outcome came during the edit is edited once more", async () => {
    const rig = await makeRig();
    const event = await rig.raise();
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    const settle = rig.chat.settle.bind(rig.chat);
    let finish: () => void = () => undefined;
    rig.chat.settle = async (...args) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return settle(...args);
    };
    const { sessionId, promptId } = event;
    const { replyId } = rig.link.replies[0]!;
    const rejection = { code: "typing", text: "somebody was typing" };
    await rig.core.handlers["reply.refuse"](
      { promptId, replyId, rejection, stillAsked: true },
      { sessionId },
    );
    await rig.core.handlers["prompt.withdraw"]({ promptId, reason: "left_screen" }, { sessionId });
    rig.chat.settle = settle;
    finish();
    await after(rig, 3_000);
    expect(rig.chat.cards()[0]?.outcome?.state).toBe("withdrawn");
  });

  it("on a channel that cannot edit is reported in a new message", async () => {
    const rig = await makeRig({
      configuredChannels: (chat) => [
        configureChannel(chat, { capabilities: { ...CAPABILITIES, edit: false } }),
      ],
    });
    const event = await rig.raise();
    const { shortId } = rig.store.prompts.find(event.promptId)!;
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    await rig.begin(event);
    await rig.end(event);
    expect(rig.chat.texts()).toEqual([`${shortId}: ✅ Yes, by Ara, confirmed`]);
  });
});

describe("a service that never answers", () => {
  it("blocks only its own place, and only for a time", async () => {
    const hung = new FakeChannel();
    const people = [{ ...ARA, identities: ["chat:1", "hung:1"] }];
    const rig = await makeRig({
      settings: { ...SETTINGS, people },
      configuredChannels: (chat) => [
        configureChannel(chat),
        configureChannel(hung, { id: "hung", places: ["h1"] }),
      ],
    });
    const deliver = hung.deliver.bind(hung);
    hung.deliver = () => new Promise(() => undefined);
    await rig.raise();
    expect(rig.chat.cards()).toHaveLength(1);
    hung.deliver = deliver;
    rig.clock.advance(SEND_TIMEOUT_MS);
    await turns();
    await after(rig, 2_000);
    expect(hung.cards()).toHaveLength(1);
  });
});

describe("the backoff of the outbox", () => {
  it("doubles from a second to its cap, with jitter of one half", () => {
    const at = (fraction: number) => ({ ...systemRandom, fraction: () => fraction });
    const low = [0, 1, 2, 3].map((failures) => computeBackoffMs(failures, at(0)));
    const high = [0, 1, 2, 3].map((failures) => computeBackoffMs(failures, at(0.9999)));
    expect(low).toEqual([500, 1000, 2000, 4000]);
    expect(high).toEqual([1000, 2000, 4000, 8000]);
    expect(computeBackoffMs(1_000_000, at(0.999999999))).toBe(BACKOFF_MAX_MS);
  });

  it("stays within seconds for the first tries of a card, and doubles afterwards", () => {
    const most = { ...systemRandom, fraction: () => 0.999999999 };
    const first = Array.from({ length: CARD_TRIES_SOON }, (_, failures) =>
      computeCardBackoffMs(failures, most),
    );
    expect(first.slice(0, 3)).toEqual([1000, 2000, CARD_BACKOFF_MAX_MS]);
    expect(Math.max(...first)).toBe(CARD_BACKOFF_MAX_MS);
    const later = [0, 1, 2, 3].map((more) => computeCardBackoffMs(CARD_TRIES_SOON + more, most));
    expect(later).toEqual([1000, 2000, 4000, 8000]);
    expect(computeCardBackoffMs(1_000_000, most)).toBe(BACKOFF_MAX_MS);
  });
});

describe("a clock that was set back", () => {
  it("does not keep a card from going out", async () => {
    const path = join(tempDirectory(), "atlasbridge.db");
    const ahead = await makeRig({ path, clock: new ManualClock(Date.UTC(2030, 0, 1)), started: false });
    await ahead.raise();
    await ahead.core.stop();
    const rig = await makeRig({ path, clock: new ManualClock(Date.UTC(2026, 0, 1)) });
    await turns();
    expect(rig.chat.cards()).toHaveLength(1);
  });
});
