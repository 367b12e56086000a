/** A call is told to stop when its time is up or nobody needs it any more, and leaves no timer behind. */
import { describe, expect, it } from "vitest";
import { withTimeLimit } from "../../../src/sdk/waiting.js";

/** One timer, fired by hand. */
class HandClock {
  timeUp: (() => void) | null = null;

  after(_ms: number, callback: () => void): () => void {
    this.timeUp = callback;
    return () => (this.timeUp = null);
  }
}

/** A call that ends only when it is told to stop. */
function waitForStop(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error("stopped"));
    signal.addEventListener("abort", () => reject(new Error("stopped")));
  });
}

describe("a call with a time limit", () => {
  it("is told to stop when its time is up", async () => {
    const clock = new HandClock();
    const call = withTimeLimit(clock, { limitMs: 7 }, waitForStop);
    clock.timeUp?.();
    await expect(call).rejects.toThrow("stopped");
    expect(clock.timeUp).toBeNull();
  });

  it("is told to stop when nobody needs it any more, also before it began", async () => {
    const stop = new AbortController();
    const call = withTimeLimit(new HandClock(), { limitMs: 7, stop: stop.signal }, waitForStop);
    stop.abort();
    await expect(call).rejects.toThrow("stopped");
    await expect(
      withTimeLimit(new HandClock(), { limitMs: 7, stop: stop.signal }, waitForStop),
    ).rejects.toThrow();
  });

  it("returns what the call returns, and leaves no timer", async () => {
    const clock = new HandClock();
    expect(await withTimeLimit(clock, { limitMs: 7 }, () => Promise.resolve("done"))).toBe("done");
    expect(clock.timeUp).toBeNull();
  });
});
