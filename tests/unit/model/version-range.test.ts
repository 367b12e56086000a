import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInRange, isVersionRange, versionIn } from "../../../src/model/version-range.js";

describe("a range of versions", () => {
  it.each([">=2.0.76 <3", "=1", ">0.5.1", "<=10.0"])("may be written %s", (text) => {
    expect(isVersionRange(text)).toBe(true);
  });

  it.each(["", "2.0.76", "^2", ">= 2", ">=2 ", ">=2  <3", ">=2.x", ">=1.2.3.4", ">=1||<3", ">=1 ".repeat(9)])(
    "may not be written %j",
    (text) => expect(isVersionRange(text)).toBe(false),
  );

  it.each([
    ["2.0.76", true],
    ["2.0.75", false],
    ["2.1", true],
    ["2.99.99", true],
    ["3.0.0", false],
    ["10.0.0", false],
  ])("of >=2.0.76 <3 and the version %s: %s", (version, within) => {
    expect(isInRange(version, ">=2.0.76 <3")).toBe(within);
  });

  it("orders versions by their numbers, not by their digits", () => {
    const part = fc.integer({ min: 0, max: 999_999_999 });
    const version = fc.tuple(part, part, part);
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(isInRange(a.join("."), `>=${b.join(".")}`)).toBe(order >= 0);
        expect(isInRange(a.join("."), `<${b.join(".")}`)).toBe(order < 0);
        expect(isInRange(a.join("."), `=${b.join(".")}`)).toBe(order === 0);
      }),
    );
  });
});

describe("the version that a tool prints", () => {
  it.each([
    ["2.1.329 (Claude Code)\n", "2.1.329"],
    ["codex-cli 0.52.0", "0.52.0"],
    ["v1.2.3-beta.4", "1.2.3"],
    ["GNU bash, version 5.2.15(1)-release", "5.2.15"],
    ["tool 3.3a", "3.3"],
    ["usage: tool [options]", null],
    ["build 20260101", null],
  ])("in %j is %s", (printed, version) => expect(versionIn(printed)).toBe(version));
});
