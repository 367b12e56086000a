/** The reference pages are generated from the current code, and all pages show only commands and options that the command line knows. */
import type { Command } from "commander";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/model/errors.js";
import { describeCli } from "../../src/cli/program.js";
import { referencePages } from "../support/reference/pages.js";
import { purpose } from "../support/reference/real-suites-page.js";
import { readLastRuns } from "../support/suites/last-runs.js";
import { listFiles } from "./files.js";

const program = describeCli();

describe("the reference pages", () => {
  it.each(Object.entries(referencePages()))(
    "%s is generated from the current code (npm run docs)",
    (file, text) => {
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );
});

it("the page of errors promises no code that nothing raises", () => {
  const sources = listFiles("src", "channels", "prompt-lab").filter(
    (file) => file.endsWith(".ts") && file !== "src/model/errors.ts",
  );
  const code = sources.map((file) => readFileSync(file, "utf8")).join("\n");
  expect(Object.keys(ERROR_CODES).filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});

describe("the suites of real tools", () => {
  const suites = listFiles("tests/real").filter((file) => file.endsWith(".test.ts"));

  it("each says in the comment at its top what it proves", () => {
    expect(suites.length).toBeGreaterThan(20);
    expect(suites.filter((suite) => purpose(suite) === "")).toEqual([]);
  });

  it("no run is kept of a suite that is gone", () => {
    expect(Object.keys(readLastRuns()).filter((suite) => !suites.includes(suite))).toEqual([]);
  });
});

describe("the keys of the reference", () => {
  it.each(["docs/reference/config.md", "docs/reference/adapter-keys.md"])(
    "%s says of each what it means",
    (file) => {
      const rows = readFileSync(file, "utf8").match(/^\| \[?`.*$/gm) ?? [];
      expect(rows.length).toBeGreaterThan(40);
      expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
    },
  );
});

/** Command lines of `atlasbridge` in a page's blocks of code, without their comments. */
function commandLines(page: string): string[] {
  const blocks = readFileSync(page, "utf8").match(/^```(?:sh)?\n[\s\S]*?^```/gm) ?? [];
  const lines = blocks.flatMap((block) => block.split("\n").slice(1, -1));
  return lines.flatMap((line) => {
    const { 1: own } = /^(?:\$ )?(?:\.\/)?(atlasbridge .*?)(?:\s+#.*)?$/.exec(line) ?? [];
    return own === undefined ? [] : [own];
  });
}

/** Why the command line would not be understood, or null. Behind the name of a tool everything belongs to the tool. */
function problemWith(line: string): string | null {
  const [, ...words] = line.split(" ");
  let command: Command = program;
  while (command.commands.length > 0) {
    const word = words.shift() ?? "";
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return `${line}: there is no command "${word}"`;
    command = next;
  }
  return listOptions(words, command.name() === "run").reduce<string | null>((problem, given) => {
    const known = command.options.some(({ long, short }) => given === long || given === short);
    return problem ?? (known ? null : `${line}: there is no option ${given}`);
  }, null);
}

function listOptions(words: readonly string[], untilTool: boolean): string[] {
  const end = words.findIndex((word) => word === "--" || (untilTool && !word.startsWith("-")));
  const own = end < 0 ? words : words.slice(0, end);
  return own.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ""));
}

describe("the pages", () => {
  const pages = listFiles("README.md", "CONTRIBUTING.md", "docs").filter(
    (file) => file.endsWith(".md") && !file.startsWith("docs/reference/commands"),
  );
  const lines = pages.flatMap((page) => commandLines(page).map((line) => [page, line] as const));

  it("show no command and no option that the command line does not know", () => {
    expect(lines.length).toBeGreaterThan(25);
    expect(lines.map(([, line]) => problemWith(line)).filter((problem) => problem !== null)).toEqual([]);
  });

  it.each([
    ["atlasbridge rum claude", "no command"],
    ["atlasbridge run --asks claude", "no option"],
    ["atlasbridge lab view x.json --frame 3", "no option"],
  ])("are found wrong where they show %s", (line, problem) => {
    expect(problemWith(line)).toContain(problem);
  });
});
