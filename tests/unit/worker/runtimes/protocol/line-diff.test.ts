/** A change of a file is shown as a diff with three lines around it. */
import { describe, expect, it } from "vitest";
import { diffLines } from "../../../../../src/worker/runtimes/protocol/line-diff.js";

const lines = (count: number, change = -1): string =>
  Array.from({ length: count }, (_, at) => (at === change ? "new\n" : `${at}\n`)).join("");

describe("a change of a file", () => {
  it("is shown with three lines around it", () => {
    expect(diffLines(lines(20), lines(20, 10))).toEqual([
      "@@ line 8 @@",
      " 7",
      " 8",
      " 9",
      "-10",
      "+new",
      " 11",
      " 12",
      " 13",
    ]);
  });

  it("of a new file, an emptied file and none at all", () => {
    expect(diffLines("", "a\nb\n")).toEqual(["+a", "+b"]);
    expect(diffLines("a\n", "")).toEqual(["-a"]);
    expect(diffLines("a\n", "a\n")).toEqual(["(nothing changes)"]);
  });

  it("shows a missing line end", () => {
    expect(diffLines("a\n", "a")).toEqual(["-a", "+a (no line end)"]);
  });

  it("of repeated lines adds what was added, once", () => {
    expect(diffLines("x\nx\n", "x\nx\nx\n")).toEqual([" x", " x", "+x"]);
  });
});
