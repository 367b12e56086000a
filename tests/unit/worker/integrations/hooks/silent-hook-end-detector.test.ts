/** A hook call whose dialog is not drawn counts as over once the tool was seen idle three times in a row. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { SilentHookEndDetector } from "../../../../../src/worker/integrations/hooks/silent-hook-end-detector.js";

function rig() {
  const clock = new ManualClock();
  const facts = { hasUndrawnRequest: true, isWaiting: false };
  let movedOn = 0;
  const watch = new SilentHookEndDetector({
    clock,
    hasUndrawnRequest: () => facts.hasUndrawnRequest,
    isWaiting: () => facts.isWaiting,
    onMovedOn: () => {
      movedOn++;
      facts.hasUndrawnRequest = false;
    },
  });
  return { clock, facts, watch, movedOn: () => movedOn };
}

describe("a call whose dialog is not drawn", () => {
  it("is over once the tool was seen not waiting three times in a row", () => {
    const { clock, watch, movedOn } = rig();
    watch.update();
    clock.advance(1499);
    expect(movedOn()).toBe(0);
    clock.advance(1);
    expect(movedOn()).toBe(1);
  });

  it("is not over between two dialogs", () => {
    const { clock, facts, watch, movedOn } = rig();
    watch.update();
    for (let round = 0; round < 10; round++) {
      facts.isWaiting = false;
      clock.advance(1000);
      facts.isWaiting = true;
      clock.advance(500);
    }
    expect(movedOn()).toBe(0);
  });

  it("costs no look while there is no such call", () => {
    const { clock, facts, watch } = rig();
    facts.hasUndrawnRequest = false;
    watch.update();
    expect(clock.pending).toBe(0);
    facts.hasUndrawnRequest = true;
    watch.update();
    watch.update();
    expect(clock.pending).toBe(1);
    watch.stop();
    expect(clock.pending).toBe(0);
  });
});
