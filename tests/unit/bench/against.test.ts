/** Old and new costs of a look, side by side. */
import { describe, expect, it } from "vitest";
import { fastest, sideBySide } from "../../../bench/detection/against.js";

describe("the cost of a look beside an earlier one", () => {
  it("takes the fastest round of each figure", () =>
    expect(fastest([[["claude", "3", "9"]], [["claude", "4", "8"]]])).toEqual([["claude", "3", "8"]]));

  it("shows before, now and their ratio, and a tool that is new without them", () => {
    const { rows } = sideBySide(
      "main",
      [["claude", "2", "4"]],
      [
        ["claude", "3", "4"],
        ["pi", "1", "2"],
      ],
    );
    expect(rows).toEqual([
      ["claude", "2", "3", "1.5", "4", "4", "1"],
      ["pi", "–", "1", "–", "–", "2", "–"],
    ]);
  });
});
