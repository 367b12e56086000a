/** The values of untrusted JSON are counted before it is parsed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCostlyJson, JSON_VALUES_MAX, JsonCost } from "../../../../src/model/data/json-cost.js";

const costly = (text: string): boolean => isCostlyJson(text);

describe("JSON with very many values", () => {
  it.each([
    ["open lists", "[".repeat(JSON_VALUES_MAX + 1)],
    ["nested lists", "[".repeat(JSON_VALUES_MAX + 1) + "]".repeat(JSON_VALUES_MAX + 1)],
    ["empty lists", `[${"[],".repeat(JSON_VALUES_MAX / 2)}[]]`],
    ["numbers", `[${"1,".repeat(JSON_VALUES_MAX + 1)}1]`],
    ["fields", `{${'"k":1,'.repeat(JSON_VALUES_MAX + 1)}"k":1}`],
    ["values on many lines", `[${"1,\n".repeat(JSON_VALUES_MAX + 1)}1]`],
    ["values after a string with an escaped quote", `["\\"",${"1,".repeat(JSON_VALUES_MAX + 1)}1]`],
  ])("is refused: %s", (_, text) => {
    expect(costly(text)).toBe(true);
  });

  it.each([
    ["a long text full of brackets", JSON.stringify("[{,".repeat(2_000_000))],
    ["a long text full of quotes and backslashes", JSON.stringify('\\"['.repeat(1_000_000))],
    ["as many numbers as are allowed", `[${"1,".repeat(JSON_VALUES_MAX - 1)}1]`],
  ])("is parsed: %s", (_, text) => {
    expect(costly(text)).toBe(false);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it("is found in pieces of any size as in one, and each line counts anew", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const line = Buffer.from(`["\\",[",${"1,".repeat(JSON_VALUES_MAX - 10)}1]\n`);
        const cost = new JsonCost();
        let at = 0;
        const twice = Buffer.concat([line, line]);
        for (let index = 0; at < twice.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          expect(cost.exceeds(twice.subarray(at, at + size))).toBe(false);
          at += size;
        }
        expect(cost.exceeds(Buffer.from("[".repeat(JSON_VALUES_MAX + 1)))).toBe(true);
      }),
      { numRuns: 5 },
    );
  });
});
