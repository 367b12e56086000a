/** The frame scheduler looks soon after a change, more seldom during a flood, and has no timer while nothing changes. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { FrameScheduler } from "../../../../src/worker/screen/frame-scheduler.js";

function scheduler(): { clock: ManualClock; frames: FrameScheduler; looks: number[] } {
  const clock = new ManualClock(0);
  const looks: number[] = [];
  const frames = new FrameScheduler(clock, () => looks.push(clock.monotonic()));
  return { clock, frames, looks };
}

describe("the frame scheduler", () => {
  it("looks soon after the first change", () => {
    const { clock, frames, looks } = scheduler();
    frames.noteChange();
    clock.advance(20);
    expect(looks).toHaveLength(1);
  });

  it("looks at a flood four times a second, and soon after its end", () => {
    const { clock, frames, looks } = scheduler();
    for (let at = 0; at < 900; at += 2) {
      frames.noteChange(true);
      clock.advance(2);
    }
    frames.noteChange();
    clock.advance(100);
    expect(looks).toEqual([8, 258, 508, 758, 908]);
  });

  it("looks at most every 50 ms at what keeps changing, and always within 100 ms of a change", () => {
    const { clock, frames, looks } = scheduler();
    const changes: number[] = [];
    for (let at = 0; at < 1000; at += 3) {
      frames.noteChange();
      changes.push(clock.monotonic());
      clock.advance(3);
    }
    clock.advance(200);
    const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50);
    for (const change of changes) {
      expect(looks.some((look) => look > change && look <= change + 100)).toBe(true);
    }
  });

  it("looks the more seldom the more a look costs, but for a single slow one", () => {
    const clock = new ManualClock(0);
    const costs = [1, 80, 1, 66, 66, 66, 900, 900, 900, 900];
    const looks: number[] = [];
    let spent = 0;
    const slow = {
      now: () => 0,
      sinceBoot: () => 0,
      monotonic: () => clock.monotonic() + spent,
      after: clock.after.bind(clock),
    };
    const frames = new FrameScheduler(slow, () => {
      looks.push(slow.monotonic());
      spent += costs[looks.length - 1] ?? 0;
    });
    while (looks.length < costs.length) {
      frames.noteChange();
      clock.advance(1);
    }
    const gaps = looks.slice(1).map((look, index) => Math.round(look - (looks[index] ?? 0)));
    expect(gaps).toEqual([50, 88, 50, 74, 660, 660, 908, 2000, 2000]);
  });

  it("says how late a look comes", () => {
    const clock = new ManualClock(0);
    const late: number[] = [];
    let stall = 0;
    const busy = {
      now: () => 0,
      sinceBoot: () => 0,
      monotonic: () => clock.monotonic() + stall,
      after: clock.after.bind(clock),
    };
    const frames = new FrameScheduler(busy, (lateMs) => late.push(lateMs));
    frames.noteChange();
    stall = 30;
    clock.advance(8);
    expect(late).toEqual([30]);
  });

  it("has no timer while nothing changes", () => {
    const { clock, frames, looks } = scheduler();
    expect(clock.pending).toBe(0);
    frames.noteChange();
    clock.advance(1000);
    expect(looks).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it("looks again at an instant it is asked for", () => {
    const { clock, frames, looks } = scheduler();
    frames.wakeAt(120);
    frames.wakeAt(null);
    clock.advance(300);
    expect(looks).toEqual([120]);
  });

  it("does not let a later wish put off an earlier look", () => {
    const { clock, frames, looks } = scheduler();
    frames.wakeAt(40);
    frames.wakeAt(400);
    clock.advance(100);
    expect(looks).toEqual([40]);
  });

  it("looks no more after it was stopped", () => {
    const { clock, frames, looks } = scheduler();
    frames.noteChange();
    frames.stop();
    frames.noteChange();
    clock.advance(1000);
    expect(looks).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
