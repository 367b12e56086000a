/** A tool with a limit for its start is ended once it has shown nothing by then, and at no other time. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import { StartLimit } from "../../../../src/worker/session/start-limit.js";

function startTool(hasOutput: boolean) {
  const clock = new ManualClock();
  let terminated = 0;
  let end: (value: unknown) => void = () => undefined;
  const exited = new Promise((resolve) => (end = resolve));
  const tool = { hasOutput, exited, terminate: () => Promise.resolve(void (terminated += 1)) };
  const limit = new StartLimit(tool, clock, 60_000);
  return { clock, limit, end, count: () => terminated };
}

describe("a limit for the start", () => {
  it("ends a tool that has shown nothing, and says why", () => {
    const { clock, limit, count } = startTool(false);
    clock.advance(59_999);
    expect([count(), limit.problem]).toEqual([0, null]);
    clock.advance(1);
    expect(count()).toBe(1);
    expect(limit.problem).toBe(
      "it was ended because it had shown nothing 60 s after its start (--start-within)",
    );
  });

  it("leaves a tool alone that has shown something", () => {
    const { clock, limit, count } = startTool(true);
    clock.advance(120_000);
    expect([count(), limit.problem]).toEqual([0, null]);
  });

  it("is over with the tool", async () => {
    const { clock, limit, end, count } = startTool(false);
    end(null);
    await Promise.resolve();
    clock.advance(120_000);
    expect([count(), limit.problem]).toEqual([0, null]);
  });
});
