import { describe, expect, it } from "vitest";
import { isPartOf } from "../../../src/worker/answer/shows.js";
import { candidateOf, choicesOf } from "./make.js";

describe("a question that is erased row by row", () => {
  const rows = ["❯ 1. Yes", "  2. Yes, and never ask again", "     in /srv/app", "  3. No"];
  const whole = candidateOf({
    choices: choicesOf({ label: "Yes" }, { label: "Yes, and never ask again in /srv/app" }, { label: "No" }),
    listed: rows.join("\n"),
  });
  const partOf = (labels: readonly string[], listed: readonly string[]) =>
    candidateOf({ choices: choicesOf(...labels.map((label) => ({ label }))), listed: listed.join("\n") });

  it("is still that question when the last row of a label is gone", () => {
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask again"], rows.slice(0, 2)))).toBe(true);
  });

  it("is another question when a row says something else", () => {
    const listed = ["❯ 1. Yes", "  2. Yes, and never ask"];
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask"], listed))).toBe(false);
  });

  it("is another question when nobody knows how its labels were drawn", () => {
    expect(isPartOf(whole, partOf(["Yes", "Yes, and never ask again"], []))).toBe(false);
  });
});
