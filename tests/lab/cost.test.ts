import { expect, it } from "vitest";
import { costOfALook } from "../../bench/detection/cost.js";

/** Twenty times what it takes, so that the median stands also on a slow and busy machine. */
const MEDIAN_MAX_MS = 2;
/** Pictures a tool: enough for a median. */
const VIEWS = 6;

it(
  "one look at 120×40 costs at most two milliseconds, with the rules of every tool",
  { timeout: 300_000 },
  async () => {
    const { rows } = await costOfALook(VIEWS);
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const [tool, median] of rows) expect(Number(median), tool).toBeLessThan(MEDIAN_MAX_MS);
  },
);
