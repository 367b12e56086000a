/** Every test or measurement that a page names exists. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listFiles } from "./files.js";

describe("fidelity", () => {
  it("names a test or a measurement for each thing that it calls proved", () => {
    const text = readFileSync("docs/explanation/fidelity.md", "utf8");
    const proved = text.match(/^\| [^|]+ \| .*$/gm)?.filter((row) => !row.startsWith("| What | By |")) ?? [];
    expect(proved.length).toBeGreaterThan(20);
    expect(proved.filter((row) => !/`(?:tests|bench)\/[\w/.-]+\.ts`/.test(row))).toEqual([]);
  });
});

it("every test and measurement that a page names exists", () => {
  const pages = listFiles("docs", "README.md").filter((file) => file.endsWith(".md"));
  const named = pages.flatMap((page) =>
    (readFileSync(page, "utf8").match(/(?<![\w./-])(?:tests|bench)\/[\w./-]*\w/g) ?? []).map((path) => ({
      page,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ path }) => !existsSync(path))).toEqual([]);
});
