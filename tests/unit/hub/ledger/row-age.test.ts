/** Where the wall clock was set, the listings say of which instants no age follows, and the statistics take no time from them. */
import { describe, expect, it } from "vitest";
import { findClockOffset } from "../../../../src/model/clock.js";
import { readAskedPrompts } from "../../../../src/hub/store/asked-prompts.js";
import { makeRig, type Rig } from "../rig.js";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function listPrompts(rig: Rig) {
  return rig.core.handlers["prompts.list"]({ all: true }, { sessionId: null }) as {
    readonly clockSetSince?: readonly string[];
  }[];
}

function listSessions(rig: Rig) {
  return rig.core.handlers["sessions.list"]({ all: true }, { sessionId: null }) as {
    readonly clockSetSince?: readonly string[];
  }[];
}

async function answer(rig: Rig, n: number): Promise<void> {
  const event = await rig.raise({}, n);
  rig.clock.advance(MINUTE_MS);
  await rig.chat.tap(rig.chat.cards().at(-1)!, "3");
  await rig.begin(event);
  await rig.end(event);
}

describe("the age of a row", () => {
  it("is known while nobody sets the clock", async () => {
    const rig = await makeRig();
    await rig.raise({}, 1);
    rig.clock.advance(HOUR_MS);
    expect(listPrompts(rig)[0]).not.toHaveProperty("clockSetSince");
    expect(listSessions(rig)[0]).not.toHaveProperty("clockSetSince");
  });

  it.each([3, -3])("is unknown at once, and later, when the clock was set by %d h", async (hours) => {
    const rig = await makeRig();
    await rig.raise({}, 1);
    rig.clock.advance(MINUTE_MS);
    rig.clock.setBy(hours * HOUR_MS);
    const unknown = (): void => {
      expect(listPrompts(rig)[0]).toMatchObject({ clockSetSince: ["createdAt"] });
      expect(listSessions(rig)[0]).toMatchObject({ clockSetSince: ["startedAt"] });
    };
    unknown();
    rig.clock.advance(2 * MINUTE_MS);
    unknown();
    rig.clock.advance(5 * HOUR_MS);
    unknown();
    const instant = new Date(rig.clock.now()).toISOString();
    await rig.raise({}, 2);
    rig.clock.advance(MINUTE_MS);
    expect(listPrompts(rig)[1]).not.toHaveProperty("clockSetSince");
    const status = rig.core.markClockSet({ startedAt: instant, channels: [] });
    expect(status).not.toHaveProperty("clockSetSince");
  });

  it("gives the statistics no time where the clock was set while a prompt was open", async () => {
    const rig = await makeRig();
    await answer(rig, 1);
    const read = async () => (await readAskedPrompts(rig.path, 0)).map((prompt) => prompt.answer?.tookMs);
    expect(await read()).toEqual([MINUTE_MS]);
    const event = await rig.raise({}, 2);
    rig.clock.setBy(3 * HOUR_MS);
    rig.clock.advance(MINUTE_MS);
    await rig.chat.tap(rig.chat.cards().at(-1)!, "3");
    await rig.begin(event);
    await rig.end(event);
    expect(await read()).toEqual([MINUTE_MS, null]);
  });
});

describe("the offset of a clock", () => {
  const steps = [
    { from: 0, movedByMs: 0 },
    { from: 100, movedByMs: 50 },
    { from: 200, movedByMs: 0 },
  ];

  it.each([
    [60, 0],
    [120, null],
    [150, 50],
    [220, null],
    [260, 0],
    [400, null],
  ])("at %d ms is %s", (stamp, offset) => {
    expect(findClockOffset(steps, stamp, 300)).toBe(offset);
  });
});
