/**
 * One look at a screen of 120×40 costs less than a millisecond, with the rules of every tool, on a processor as fast as the one
 * of which the limit was taken.
 */
import { expect, it } from "vitest";
import { costOfALook } from "../../bench/detection/cost.js";
import { processorSlowness } from "../support/processor.js";

/** Twice what the slowest takes on a quiet machine whose processor takes as long as the limits are written for. */
const MEDIAN_MAX_MS = 1;
/** Pictures a tool: enough for a median. */
const VIEWS = 6;

it(
  "one look at 120×40 costs less than a millisecond, with the rules of every tool",
  { timeout: 300_000 },
  async () => {
    const before = processorSlowness();
    const { rows } = await costOfALook(VIEWS);
    const limitMs = MEDIAN_MAX_MS * Math.max(before, processorSlowness());
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const [tool, median] of rows) expect(Number(median), tool).toBeLessThan(limitMs);
  },
);
