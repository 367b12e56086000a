/** A range of versions is parsed and compared by numbers, and a version is found in any line that a tool prints. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInRange, isVersionRange, findVersion } from "../../../../src/model/data/version-range.js";

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
    ["tool-cli 0.52.0", "0.52.0"],
    ["v1.2.3-beta.4", "1.2.3"],
    ["GNU tool, version 5.2.15(1)-release", "5.2.15"],
    ["tool 3.3a", "3.3"],
    ["tool/1.2.3 linux-x64 node-v22.1.0", "1.2.3"],
    ["Tool@1.2.3", "1.2.3"],
    ["tool version v1.2.3", "1.2.3"],
    ["\u001b[1m\u001b[36mtool\u001b[0m 1.2.3\r\n", "1.2.3"],
    ["usage: tool [options]", null],
    ["build 20260101", null],
    ["", null],
    ["\0\0", null],
    ["v3", null],
    ["tool 2.1.329.4", null],
    ["listening on 127.0.0.1", null],
    ["[12:00:59.123] starting", null],
  ])("in %j is %s", (printed, version) => expect(findVersion(printed, "tool")).toBe(version));

  it.each([
    ["a warning about Node", "(node:12) Warning: node 22.1 is old\n2.0.76 (Tool Code)", "2.0.76"],
    ["a warning that names the tool", "Warning: tool wants node 22.12.0\n2.0.76 (Tool Code)", "2.0.76"],
    ["an update that is to be had", "Update available for tool: 2.1.400\n2.1.329 (Tool Code)", "2.1.329"],
    ["an update, and a bare version", "Update available: tool 1.19.0 -> 1.20.0\n1.18.33", "1.18.33"],
    ["a parting hint", "tool-cli 0.52.0\nRun tool upgrade to get 0.60.0", "0.52.0"],
    ["versions of its parts", "tool 1.2.3\nnode 22.1.0\nv8 12.4.254", "1.2.3"],
    ["a date", "2026.11.21 starting\ntool 1.2.3", "1.2.3"],
    ["a time", "12:00:59.123 starting\n1.2.3", "1.2.3"],
    ["an address", "proxy 127.0.0.1:8080\ntool 1.2.3", "1.2.3"],
  ])("is the tool's own one beside %s", (_, printed, version) =>
    expect(findVersion(printed, "tool")).toBe(version),
  );

  it("is looked for in a line of any length to its end", () => {
    expect(findVersion(`${"1.2 ".repeat(16_000)}\ntool 1.2.3`, "tool")).toBe("1.2.3");
  });
});
