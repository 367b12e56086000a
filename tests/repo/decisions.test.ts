/** The decision records are numbered without a gap, are all on the index page, and each says whether it holds and since when. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = "docs/adr";
const INDEX = "README.md";
const files = readdirSync(FOLDER)
  .filter((name) => name !== INDEX)
  .sort();
const readLines = (name: string): string[] => readFileSync(join(FOLDER, name), "utf8").split("\n");

describe("decisions", () => {
  it("are numbered one after the other, each number once, in the file's name and in its title", () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
    const titles = files.map((name) => readLines(name)[0]);
    titles.forEach((title, at) => expect(title).toMatch(new RegExp(`^# ${at + 1}\\. \\S`)));
  });

  it("are all named on the index page, with their titles", () => {
    const rows = files.map((name) => {
      const [, number, title] = /^# (\d+)\. (.*)$/.exec(readLines(name)[0] ?? "") ?? [];
      return `| ${number} | [${title}](${name}) |`;
    });
    expect(readLines(INDEX).filter((line) => /^\| \d/.test(line))).toEqual(rows);
  });

  it.each(files)("%s says below its title whether it holds, and since when", (name) => {
    expect(readLines(name)[2]).toMatch(/^Status: accepted, \d{4}-\d\d-\d\d(?:\.|$)/);
  });
});
