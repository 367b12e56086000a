/** A text is compared with the rows of a terminal across row breaks, and a blank is never equal to nothing. */
import { describe, expect, it } from "vitest";
import { containsText, isSameLabel } from "../../../prompt-lab/replay/compare.js";

describe("text against a terminal's rows", () => {
  it("takes a label as equal wherever its rows broke", () => {
    expect(isSameLabel("Yes, allow /home/dev/proj", "Yes, allow /home/d ev/proj")).toBe(true);
    expect(isSameLabel("Yes", "Yes, always")).toBe(false);
  });

  it("finds a text that a row break cut in a word or at a blank", () => {
    expect(containsText("rm -rf build/out\n   put && ls", "rm -rf build/output && ls")).toBe(true);
    expect(containsText("npm run\nbuild", "npm run build")).toBe(true);
  });

  it("never takes a blank as equal to nothing", () => {
    expect(containsText("rm -rf / tmp", "rm -rf /tmp")).toBe(false);
    expect(containsText("rm -rf /tmp", "rm -rf / tmp")).toBe(false);
  });

  it("reads the characters of a pattern as themselves", () => {
    expect(containsText("Continue? (y/n) [a-z]+", "(y/n) [a-z]+")).toBe(true);
    expect(containsText("abc", "a.c")).toBe(false);
    expect(containsText("a\n-b", "a-b")).toBe(true);
  });

  it("finds an empty text everywhere", () => {
    expect(containsText("anything", "")).toBe(true);
    expect(containsText("anything", "  ")).toBe(true);
  });
});
