/** The depth of nested JSON is measured without recursion, as a recursive function would measure it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeeperThan } from "../../../../src/model/data/nesting.js";

/** The plain definition, by recursion. */
function countLevels(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Math.max(0, ...Object.values(value).map(countLevels));
}

describe("how deep JSON is nested", () => {
  it("is measured as by recursion", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, levels) => {
        expect(isDeeperThan(value, levels)).toBe(countLevels(value) > levels);
      }),
    ));

  it("is measured quickly where recursion would end the process", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(300_000)}1${"]".repeat(300_000)}`);
    expect(isDeeperThan(deep, 500)).toBe(true);
    expect(isDeeperThan(deep, 300_000)).toBe(false);
  });
});
