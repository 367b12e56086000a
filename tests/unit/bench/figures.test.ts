import { describe, expect, it } from "vitest";
import { withFigures } from "../../../bench/figures.js";

const PAGE = [
  "# Performance",
  "<!-- figures: npm run bench -- latency --write -->\n\nold keys\n\n<!-- end of latency -->",
  "<!-- figures: npm run bench -- start-up --write -->\n\nold start\n\n<!-- end of start-up -->",
  "What they say.",
].join("\n\n");

describe("the figures of a suite", () => {
  it("stand in place of its old ones, and of nothing else", () => {
    const page = withFigures(PAGE, "latency", "new keys");
    expect(page).toBe(PAGE.replace("old keys", "new keys"));
    expect(withFigures(page, "latency", "new keys")).toBe(page);
  });

  it("are not thrown away where the page has no place for them: that is said", () => {
    expect(() => withFigures(PAGE, "memory", "figures")).toThrow("no marks for memory");
  });
});
