import { expect, it } from "vitest";
import { costOfALook } from "../../bench/detection/cost.js";

/** Ten times what it takes; the median of so many looks stands also on a busy machine. */
const MEDIAN_MAX_MS = 1;
/** Pictures a tool: enough for a median. */
const VIEWS = 6;

it(
  "one look at 120×40 costs less than a millisecond, with the rules of every tool",
  { timeout: 300_000 },
  async () => {
    const { rows } = await costOfALook(VIEWS);
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const [tool, median] of rows) expect(Number(median), tool).toBeLessThan(MEDIAN_MAX_MS);
  },
);
