import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesOf } from "./files.js";

/** The pages that say what is proved, and the folders of which they may leave no suite out. */
const PAGES = [
  { page: "docs/explanation/fidelity.md", folders: ["tests/pty/fidelity"] },
  {
    page: "docs/reference/detection-proof.md",
    folders: ["tests/unit/detect", "tests/unit/lab", "tests/property/detect", "tests/lab"],
  },
  {
    page: "docs/reference/answers-proof.md",
    folders: [
      "tests/unit/answer",
      "tests/pty/answer",
      "tests/property/answer",
      "tests/property/hub",
      "tests/faults",
    ],
  },
  {
    page: "docs/reference/agents-proof.md",
    folders: [
      "tests/contract",
      "tests/unit/runtime/acp",
      "tests/unit/runtime/acp/services",
      "tests/unit/runtime/app-server",
      "tests/unit/runtime/joined",
      "tests/unit/evidence/coattach",
      "tests/unit/runtime/headless",
      "tests/unit/runtime/mcp",
      "tests/unit/runtime/spoken",
      "tests/property/runtime",
    ],
  },
  {
    page: "docs/reference/channels-proof.md",
    folders: [
      "tests/contract/channel",
      "tests/unit/channels",
      "tests/unit/telegram",
      "tests/unit/slack",
      "tests/unit/slack/connection",
      "tests/unit/slack/emulator",
    ],
  },
] as const;

describe.each(PAGES)("$page", ({ page, folders }) => {
  const text = readFileSync(page, "utf8");

  it("names what is there, in every row", () => {
    const rows = text
      .split("\n")
      .filter((line) => /^\| [^|]+ \| /.test(line) && !line.startsWith("| What | By |"));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const named = row.match(/`(?:tests|bench)\/[\w/.-]+\.ts`/g) ?? [];
      expect(named, row).not.toEqual([]);
      expect(named.map((name) => name.slice(1, -1)).filter((file) => !existsSync(file))).toEqual([]);
    }
  });

  it.each(folders)("leaves no suite of %s out", (folder) => {
    const suites = readdirSync(folder).filter((file) => file.endsWith(".test.ts"));
    expect(suites.filter((file) => !text.includes(`${folder}/${file}`))).toEqual([]);
  });
});

it("every test and measurement that a page names is there", () => {
  const pages = filesOf("docs", "README.md").filter((file) => file.endsWith(".md"));
  const named = pages.flatMap((page) =>
    (readFileSync(page, "utf8").match(/(?<![\w./-])(?:tests|bench)\/[\w./-]*\w/g) ?? []).map((path) => ({
      page,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ path }) => !existsSync(path))).toEqual([]);
});
