import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const text = readFileSync("docs/fidelity.md", "utf8");

it("docs/fidelity.md names tests that are there, in every row", () => {
  const rows = text
    .split("\n")
    .filter((line) => /^\| [^|]+ \| /.test(line) && !line.startsWith("| What | By |"));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const named = row.match(/`tests\/[\w/.-]+\.test\.ts`/g) ?? [];
    expect(named, row).not.toEqual([]);
    expect(named.map((name) => name.slice(1, -1)).filter((file) => !existsSync(file))).toEqual([]);
  }
});

it("docs/fidelity.md leaves no suite of fidelity out", () => {
  const suites = readdirSync("tests/pty/fidelity").filter((file) => file.endsWith(".test.ts"));
  expect(suites.filter((file) => !text.includes(`tests/pty/fidelity/${file}`))).toEqual([]);
});
