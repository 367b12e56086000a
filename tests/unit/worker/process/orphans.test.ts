/** A process that a tool left behind is collected after its end, at the second look. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { LOOK_AGAIN_MS, OrphanCollector } from "../../../../src/worker/process/orphans.js";

function makeCollector() {
  const clock = new ManualClock();
  const dead = new Set<number>();
  const collected: number[] = [];
  const collector = new OrphanCollector({
    findDead: () => [...dead],
    collect: (pid) => {
      collected.push(pid);
      dead.delete(pid);
    },
    after: (delayMs, work) => void clock.after(delayMs, work),
  });
  return { clock, collector, dead, collected };
}

describe("an ended process that a tool left behind", () => {
  it("is collected at the second look, so that another parent can collect it first", () => {
    const { clock, collector, dead, collected } = makeCollector();
    dead.add(7);
    collector.collectDead();
    expect(collected).toEqual([]);
    clock.advance(LOOK_AGAIN_MS);
    expect(collected).toEqual([7]);
  });

  it("is left alone when another collected it in between", () => {
    const { clock, collector, dead, collected } = makeCollector();
    dead.add(7);
    collector.collectDead();
    dead.delete(7);
    clock.advance(LOOK_AGAIN_MS);
    expect(collected).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("is collected although others end all the time, and nothing is looked at once nothing is dead", () => {
    const { clock, collector, dead, collected } = makeCollector();
    for (let pid = 1; pid <= 5; pid += 1) {
      dead.add(pid);
      collector.collectDead();
      clock.advance(LOOK_AGAIN_MS / 2);
    }
    clock.advance(3 * LOOK_AGAIN_MS);
    expect(collected.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(clock.pending).toBe(0);
  });
});
