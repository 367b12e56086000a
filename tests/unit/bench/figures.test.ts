/** New figures of a benchmark replace only the old figures of the same suite on its page. */
import { describe, expect, it } from "vitest";
import { withFigures } from "../../../bench/figures.js";

const PAGE = [
  "# Performance",
  "<!-- figures: npm run bench -- latency --write -->\n\nold keys\n\n<!-- end of latency -->",
  "<!-- figures: npm run bench -- start-up --write -->\n\nold start\n\n<!-- end of start-up -->",
  "What they say.",
].join("\n\n");

describe("the figures of a suite", () => {
  it("replace its old ones, and nothing else", () => {
    const page = withFigures(PAGE, "latency", "new keys");
    expect(page).toBe(PAGE.replace("old keys", "new keys"));
    expect(withFigures(page, "latency", "new keys")).toBe(page);
  });

  it("are an error, and not dropped, where the page has no place for them", () => {
    expect(() => withFigures(PAGE, "memory", "figures")).toThrow("no marks for memory");
  });
});
