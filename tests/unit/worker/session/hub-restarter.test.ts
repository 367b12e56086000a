/** A worker without a hub starts one at once and then ever more rarely, and none that a person has stopped. */
import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  HubRestarter,
  REPLACED_PATIENCE_MS,
  START_PAUSE_FIRST_MS,
  START_PAUSE_MAX_MS,
} from "../../../../src/worker/session/hub-restarter.js";

function makeStarter() {
  const clock = new ManualClock();
  const startHub = vi.fn();
  const wasStopped = vi.fn(() => false);
  const starter = new HubRestarter({ startHub, wasStopped, clock });
  /** Misses the hub every 10 ms for a while, as the link does. */
  const missFor = (ms: number): number => {
    const before = startHub.mock.calls.length;
    const end = clock.monotonic() + ms;
    while (clock.monotonic() < end) {
      starter.startIfDue();
      clock.advance(10);
    }
    return startHub.mock.calls.length - before;
  };
  return { clock, starter, startHub, wasStopped, missFor };
}

describe("a worker that misses the hub", () => {
  it("starts one at once, and then ever more rarely, up to a limit", () => {
    const { startHub, missFor } = makeStarter();
    expect(missFor(START_PAUSE_FIRST_MS)).toBe(1);
    expect(missFor(2 * START_PAUSE_FIRST_MS)).toBe(1);
    expect(missFor(4 * START_PAUSE_FIRST_MS)).toBe(1);
    missFor(5 * START_PAUSE_MAX_MS);
    expect(missFor(10 * START_PAUSE_MAX_MS)).toBe(10);
    expect(startHub).toHaveBeenLastCalledWith(START_PAUSE_MAX_MS);
  });

  it("starts its delays again once a hub accepted it", () => {
    const { startHub, starter, missFor } = makeStarter();
    missFor(60_000);
    starter.noteOpened(false);
    missFor(60_000);
    expect(startHub).toHaveBeenCalledWith(START_PAUSE_FIRST_MS);
    expect(startHub.mock.calls.filter(([pauseMs]) => pauseMs === START_PAUSE_FIRST_MS)).toHaveLength(2);
  });

  it("starts none after somebody stopped it, until one was there again", () => {
    const { starter, missFor } = makeStarter();
    starter.noteOpened(false);
    starter.noteLeaving("stopped");
    expect(starter.expectsHub).toBe(false);
    expect(missFor(10 * START_PAUSE_MAX_MS)).toBe(0);
    starter.noteOpened(false);
    expect(starter.expectsHub).toBe(true);
    expect(missFor(10)).toBe(1);
  });

  it("starts none after somebody stopped one that it was not connected to", () => {
    const { starter, wasStopped, missFor } = makeStarter();
    starter.noteOpened(false);
    wasStopped.mockReturnValue(true);
    expect(missFor(10 * START_PAUSE_MAX_MS)).toBe(0);
    expect(starter.expectsHub).toBe(false);
    wasStopped.mockReturnValue(false);
    starter.noteOpened(false);
    expect(missFor(10)).toBe(1);
  });

  it("starts one for a new session, also while a stopped one is noted", () => {
    const { wasStopped, missFor } = makeStarter();
    wasStopped.mockReturnValue(true);
    expect(missFor(10)).toBe(1);
  });

  it("leaves the next one to the process that had it replaced, and starts one only if none comes", () => {
    const { starter, missFor } = makeStarter();
    starter.noteOpened(false);
    starter.noteLeaving("replaced");
    expect(missFor(REPLACED_PATIENCE_MS)).toBe(0);
    expect(missFor(10)).toBe(1);
  });

  it("starts the next one at once when it was the one who had it replaced", () => {
    const { starter, missFor } = makeStarter();
    starter.startIfDue();
    starter.noteOpened(true);
    starter.noteLeaving("replaced");
    expect(missFor(10)).toBe(1);
  });
});
