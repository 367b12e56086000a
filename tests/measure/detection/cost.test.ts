/** Prints what one look at a screen of 120×40 costs, with the rules of every tool. */
import { expect, it } from "vitest";
import { costOfALook } from "../../../bench/detection/cost.js";
import { printFigure } from "../figures.js";

/** Twice what the slowest took on the quiet machine of the first measurement. */
const MEDIAN_MAX_MS = 1;
const VIEWS = 6;

it("one look at 120×40, with the rules of every tool", async () => {
  const { rows } = await costOfALook(VIEWS);
  for (const [tool = "", median] of rows)
    printFigure(`one look of ${tool}`, Number(median), MEDIAN_MAX_MS, "ms");
  expect(rows.length).toBeGreaterThanOrEqual(7);
});
