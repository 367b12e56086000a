import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The full names of failed tests, behind the files that they stand in; files that could not be loaded on their own. */
  readonly failures: readonly string[];
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export function runVitest(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunResult {
  const folder = mkdtempSync(join(tmpdir(), "atb-vitest-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const { status, signal } = spawnSync("npm", ["run", script, "--", ...args, ...reporters], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const report = readReport(file);
    if (report !== null) return countReport(report, status === 0);
    const failures = [`${script} ended without a report (status ${status ?? signal})`];
    return { passed: 0, failed: 1, skipped: 0, failures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null: vitest was killed before it had written all of the report. */
export function readReport(file: string): JsonReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as JsonReport;
  } catch {
    return null;
  }
}

function countReport(report: JsonReport, succeeded: boolean): RunResult {
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const path = name.slice(process.cwd().length + 1);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") return [path];
    return failed.map(({ fullName }) => `${path}: ${fullName}`);
  });
  // An error outside of every test fails the run, too.
  if (failures.length === 0 && !succeeded) failures.push("an error outside of every test");
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests,
    failures,
  };
}
