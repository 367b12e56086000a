/** A session's label is at most 80 characters long, so that it stands in one line of `status` and of cards. */
import { expect, it } from "vitest";
import { parseLabel } from "../../../src/cli/parse-option.js";

it("accepts 80 characters, emoji counted once", () => {
  expect(parseLabel("😀".repeat(80))).toHaveLength(160);
});

it("refuses a longer label, with both numbers", () => {
  expect(() => parseLabel("x".repeat(81))).toThrow("Expected at most 80 characters, found 81.");
});
