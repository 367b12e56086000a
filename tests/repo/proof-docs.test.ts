import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesOf } from "./files.js";

/** The pages that say what is proved, and the folders of which, at any depth, they may leave no suite out. */
const PAGES = [
  { page: "docs/explanation/fidelity.md", folders: ["tests/pty/fidelity"] },
  {
    page: "docs/reference/detection-proof.md",
    folders: [
      "tests/lab",
      "tests/unit/prompt-lab",
      "tests/unit/worker/adapter-format",
      "tests/unit/worker/detection",
      "tests/property/worker/adapter-format",
      "tests/property/worker/detection",
    ],
  },
  {
    page: "docs/reference/answers-proof.md",
    folders: [
      "tests/unit/worker/answer",
      "tests/pty/worker/answer",
      "tests/property/worker/answer",
      "tests/property/hub",
      "tests/faults",
    ],
  },
  {
    page: "docs/reference/agents-proof.md",
    folders: [
      "tests/contract/adapter",
      "tests/unit/worker/integrations/acp",
      "tests/unit/worker/integrations/codex",
      "tests/unit/worker/integrations/mcp",
      "tests/unit/worker/integrations/opencode",
      "tests/unit/worker/runtimes/attachment",
      "tests/unit/worker/runtimes/exec",
      "tests/unit/worker/runtimes/protocol",
      "tests/property/worker/integrations",
      "tests/property/worker/runtimes",
    ],
  },
  {
    page: "docs/reference/channels-proof.md",
    folders: ["tests/contract/channel", "tests/unit/channels", "tests/unit/support"],
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
    const suites = filesOf(folder).filter((file) => file.endsWith(".test.ts"));
    expect(suites).not.toEqual([]);
    expect(suites.filter((file) => !text.includes(file))).toEqual([]);
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
