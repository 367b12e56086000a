/** The published accuracy is that of all recordings: a recording that is added later makes the page old. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OWN, publishedFigures } from "../../bench/detection/page.js";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";

/** `| claude | 44 | 152 | 0.37 | …`: tool, situations, recordings, hours. */
const ROW = /^\| (\S+) \| \d+ \| (\d+) \| \d+\.\d+ \|/gm;

function isMeasured(tool: string): boolean {
  return tool !== OWN && !/^tested: false$/m.test(readFileSync(`adapters/${tool}.yaml`, "utf8"));
}

// What the figures say is held by tests/lab/corpus.test.ts, which takes longer.
it("the published accuracy counts every recording of every tool (npm run bench:detection -- --write)", () => {
  const published: Record<string, number> = {};
  for (const [, tool = "", recordings] of publishedFigures().matchAll(ROW))
    if (tool !== "all") published[tool] = (published[tool] ?? 0) + Number(recordings);
  const recorded: Record<string, number> = {};
  for (const { tool } of findScenarios(["prompt-lab/scenarios"]))
    if (isMeasured(tool)) recorded[tool] = (recorded[tool] ?? 0) + 1;
  expect(published).toEqual(recorded);
});
