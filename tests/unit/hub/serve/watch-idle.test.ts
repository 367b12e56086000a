/** The idle exit ends a hub that nobody has used for the whole time, and each use starts that time again. */
import { describe, expect, it, vi } from "vitest";
import { IDLE_CHECK_MS, IDLE_EXIT_MS, watchIdle } from "../../../../src/hub/serve/watch-idle.js";
import { ManualClock } from "../../../../src/observe/clock.js";

describe("idle exit", () => {
  it("comes once nobody has needed the hub for the whole while", () => {
    const clock = new ManualClock();
    const onIdle = vi.fn();
    watchIdle(clock, () => true, onIdle);
    clock.advance(IDLE_EXIT_MS);
    expect(onIdle).not.toHaveBeenCalled();
    clock.advance(IDLE_CHECK_MS);
    expect(onIdle).toHaveBeenCalledOnce();
    expect(clock.pending).toBe(0);
  });

  it("starts its time again after every use", () => {
    const clock = new ManualClock();
    const onIdle = vi.fn();
    let idle = true;
    watchIdle(clock, () => idle, onIdle);
    clock.advance(IDLE_EXIT_MS - IDLE_CHECK_MS);
    idle = false;
    clock.advance(IDLE_CHECK_MS);
    idle = true;
    clock.advance(IDLE_EXIT_MS);
    expect(onIdle).not.toHaveBeenCalled();
    clock.advance(IDLE_CHECK_MS);
    expect(onIdle).toHaveBeenCalledOnce();
  });

  it("does not come after it was called off", () => {
    const clock = new ManualClock();
    const onIdle = vi.fn();
    watchIdle(clock, () => true, onIdle)();
    clock.advance(2 * IDLE_EXIT_MS);
    expect(onIdle).not.toHaveBeenCalled();
  });
});
