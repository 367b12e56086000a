/** No test of the gate judges by elapsed time, and every wait has the one limit that only ends a hang. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findElapsedTime } from "./elapsed-time.js";
import { listFiles } from "./files.js";

const files = listFiles("tests").filter((file) => file.endsWith(".ts") && !file.startsWith("tests/measure/"));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

describe("the tests of the gate", () => {
  it("assert nothing on a value that comes from a clock", () => {
    expect(texts.size).toBeGreaterThan(1000);
    expect(findElapsedTime(texts)).toEqual([]);
  });

  it("wait with `waitFor`, which has the limit of every wait", () => {
    const own = ["tests/support/wait-for.ts", "tests/repo/elapsed-time.test.ts"];
    const others = [...texts].filter(([file, text]) => text.includes("vi.waitFor") && !own.includes(file));
    expect(others.map(([file]) => file)).toEqual([]);
  });
});

describe("an assertion on elapsed time is found", () => {
  it.each([
    [
      "direct",
      "const began = performance.now();\nawait go();\nexpect(performance.now() - began).toBeLessThan(5);",
    ],
    ["processor time", "const { user } = process.cpuUsage();\nexpect(user / 2).toBeLessThan(5);"],
    ["the load", "expect((os.loadavg()[0] ?? 0) / 2).toBeLessThan(5);"],
    ["a comparison", "const t = Date.now();\nexpect([line, Date.now() - t < 3_000]).toEqual([line, true]);"],
    [
      "a list",
      "const gaps: number[] = [];\ngaps.push(Date.now() - began);\nexpect(Math.max(...gaps)).toBe(1);",
    ],
    [
      "a function",
      "function took() {\n  return performance.now() - began;\n}\nexpect(await took()).toBeLessThan(5);",
    ],
    ["a property", "const call = { at: performance.now() };\nexpect(call.at).toBeLessThan(5);"],
    ["the age of the process", "const age = process.uptime();\nexpect(age).toBeLessThan(5);"],
    ["without an end at the first", "expect.soft(Date.now() - began).toBeLessThan(5);"],
    ["again and again", "await expect.poll(() => Date.now() - began).toBeGreaterThan(5);"],
    ["the limit", "const slow = process.hrtime.bigint();\nexpect(5).toBeLessThanOrEqual(Number(slow));"],
  ])("%s", (_, text) => {
    expect(findElapsedTime(new Map([["tests/a.test.ts", text]]))).toHaveLength(1);
  });

  it("in what another file has measured", () => {
    const found = findElapsedTime(
      new Map([
        [
          "tests/support/hub.ts",
          "export class Hub {\n  gapMs = 0;\n  see() {\n    this.gapMs = Date.now() - 1;\n  }\n}",
        ],
        [
          "tests/a.test.ts",
          'import { Hub } from "./support/hub.js";\nexpect(new Hub().gapMs).toBeLessThan(5);',
        ],
      ]),
    );
    expect(found).toEqual(["tests/a.test.ts:2: expect(new Hub().gapMs).toBeLessThan(5)"]);
  });
});

it("an instant that is given to the program is none", () => {
  const text = 'import { claim } from "../src/claim.js";\nexpect(claim(Date.now(), 0)).toBe(true);';
  expect(findElapsedTime(new Map([["tests/a.test.ts", text]]))).toEqual([]);
});
