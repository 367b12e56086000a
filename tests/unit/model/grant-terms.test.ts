import { describe, expect, it } from "vitest";
import { describeGrantTerms, OFFERED_TERMS, parseGrantTerms } from "../../../src/model/grant-terms.js";

describe("the words of a grant", () => {
  it.each([
    ["10m", "for 10 min, in this session"],
    ["1H", "for 1 h, in this session"],
    ["90m", "for 90 min, in this session"],
    ["session", "in this session"],
    ["1x", "once, in this session"],
    [" 5x 2h ", "5 times for 2 h, in this session"],
    ["1h anywhere", "for 1 h, in every session of this tool in this directory"],
    ["24h 100x", "100 times for 24 h, in this session"],
  ])("%s", (words, meaning) => {
    expect(describeGrantTerms(parseGrantTerms(words)!)).toBe(meaning);
  });

  it.each([
    "",
    "always",
    "25h",
    "1441m",
    "0m",
    "0x",
    "101x",
    "5",
    "-1h",
    "1.5h",
    "1h often",
    "5x anywhere",
    "anywhere",
  ])("not “%s”", (words) => {
    expect(parseGrantTerms(words)).toBeNull();
  });

  it("on the buttons are all understood", () => {
    expect(OFFERED_TERMS.map(parseGrantTerms)).not.toContain(null);
  });
});
