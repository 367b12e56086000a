/** `docs/reference/real-suites.md`: what each suite of real CLIs proves, and how its last run went. */
import { readdirSync, readFileSync } from "node:fs";
import { readLastRuns, type LastRun } from "../suites/last-runs.js";
import { code, page, table } from "./markdown.js";

/** Runs were not kept before. */
const KEPT_SINCE = "2026-11-23";
const FOLDER = "tests/real";

export function realSuitesPage(): string {
  const runs = readLastRuns();
  const suites = readdirSync(FOLDER).filter((file) => file.endsWith(".test.ts"));
  const rows = suites.sort().map((suite) => row(`${FOLDER}/${suite}`, runs[`${FOLDER}/${suite}`]));
  return page(
    "# Suites of real tools",
    "<!-- Generated from the suites and tests/real/last-runs.json: npm run docs -->",
    'Each suite starts real programs from the package registry, in the versions that stand here, against model servers of our own. No account\nis needed. `npm run test:real` runs all of them, `npm run test:real -- claude-hooks` one; either writes down how it went in\n`tests/real/last-runs.json`, and `npm run docs` writes this page. CI does not run them.\n`REAL_CLI_VERSIONS="@openai/codex@0.171.0"` before the command takes other versions than those that the tests were written against.',
    table(["Suite", "What it proves", "Last run", "Result", "Versions"], rows),
  );
}

function row(suite: string, run: LastRun | undefined): string[] {
  const head = [code(suite), purpose(suite)];
  if (run === undefined) return [...head, `not run since ${KEPT_SINCE}`, "", ""];
  return [...head, run.on, result(run), run.tools.join(", ")];
}

function result({ passed, failed, skipped }: LastRun): string {
  const parts = [
    `${passed} passed`,
    failed > 0 ? `**${failed} failed**` : "",
    skipped > 0 ? `${skipped} skipped` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The comment at the top of the suite. */
export function purpose(suite: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(suite, "utf8"))?.[1] ?? "";
  return comment
    .replaceAll(/^ \* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
