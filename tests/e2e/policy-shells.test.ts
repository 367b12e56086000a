/** A rule for commands lets nothing pass of which a real shell runs more than the rule names: 4,000 lines in bash and sh. */
import { expect, it } from "vitest";
import { commandLines } from "../support/policy/command-lines.js";
import { compareWithShells } from "../support/policy/differential.js";

const COUNT = 4_000;

it("of four thousand lines, what is answered runs only what the rule names", { timeout: 600_000 }, () => {
  const lines = commandLines(COUNT, 20_261_125);
  const { answered, wrong, needless, lines: tried } = compareWithShells(lines, true);
  console.info(`${tried} lines, ${answered} answered, ${needless} asked about needlessly`);
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(3_000);
  // Otherwise the comparison would say little.
  expect(answered).toBeGreaterThan(300);
});
