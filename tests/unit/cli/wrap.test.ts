/** Long lines are wrapped between words, with the indent of their first row, and a word is never cut. */
import { expect, it } from "vitest";
import { wrapLine } from "../../../src/cli/wrap.js";

it.each([
  ["one two three", 80, ["one two three"]],
  ["one two three", 7, ["one two", "three"]],
  ["  one two three", 9, ["  one two", "  three"]],
  ["https://t.me/some_long_bot?start=k7", 10, ["https://t.me/some_long_bot?start=k7"]],
  ["", 10, [""]],
  // A terminal whose size nobody has set.
  ["one two three", 0, ["one two three"]],
])("wraps %j at %i columns", (line, columns, rows) => {
  expect(wrapLine(line, columns)).toEqual(rows);
});

it("keeps rows short in a wide terminal", () => {
  expect(wrapLine("word ".repeat(60).trim(), 300).every((row) => row.length <= 100)).toBe(true);
});
