/** The same as `tests/e2e/policy-shells.test.ts` with a sample: known tricks, and what is answered of a few hundred lines. */
import { expect, it } from "vitest";
import { commandLines } from "../../support/policy/command-lines.js";
import { compareWithShells } from "../../support/policy/differential.js";

it("what is answered of known and generated lines runs only what the rule names, in bash and in sh", () => {
  const { answered, wrong } = compareWithShells(commandLines(700, 7), false);
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(60);
});
