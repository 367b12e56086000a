/** docs/how-to/doctor.md lists every check of doctor, in order, and no other. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CHECKS } from "../../src/doctor/check.js";

const ROW = /^\| `([@/\w-]+)` \| ([a-z]+) \| (.+) \|$/;

it("docs/how-to/doctor.md lists every check of doctor, in order, and no other", () => {
  const rows = readFileSync("docs/how-to/doctor.md", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, name, group, about] = ROW.exec(line) ?? [];
      return name === undefined ? [] : [[name, group, about]];
    });
  expect(rows).toEqual(Object.entries(CHECKS).map(([name, { group, about }]) => [name, group, about]));
});
