/** Durations are printed in one unit, and no age where none follows from the clock. */
import { describe, expect, it } from "vitest";
import { formatDuration, measureAge } from "../../../../src/model/data/age.js";

describe("a duration", () => {
  it.each([
    [-5, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_600_000, "1 h"],
    [200_000_000, "2 d"],
  ])("of %d ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("an age", () => {
  it("is known unless the clock was set since then, or shows an earlier time", () => {
    const at = new Date(1_000).toISOString();
    expect(measureAge({ at }, "at", 3_000)).toBe(2_000);
    expect(measureAge({ at, clockSetSince: ["other"] }, "at", 3_000)).toBe(2_000);
    expect(measureAge({ at, clockSetSince: ["at"] }, "at", 3_000)).toBeNull();
    expect(measureAge({ at }, "at", 999)).toBeNull();
  });
});
