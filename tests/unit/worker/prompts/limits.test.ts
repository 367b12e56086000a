/** How long a tool may take can be multiplied from outside, and a value that means nothing is refused. */
import { describe, expect, it } from "vitest";
import { readTimeoutFactor } from "../../../../src/worker/prompts/limits.js";

describe("ATLASBRIDGE_TIMEOUT_FACTOR", () => {
  it.each([
    [undefined, 1],
    ["", 1],
    ["1", 1],
    ["2.5", 2.5],
    ["100", 100],
  ])("%j multiplies the limits by %d", (written, factor) => {
    expect(readTimeoutFactor(written)).toBe(factor);
  });

  it.each(["0", "0.5", "101", "-1", "ten", "NaN", "Infinity"])("%j is refused", (written) => {
    expect(() => readTimeoutFactor(written)).toThrow(
      `ATLASBRIDGE_TIMEOUT_FACTOR is "${written}", not a number from 1 to 100`,
    );
  });
});
