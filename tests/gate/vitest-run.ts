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

/** Runs an npm script that runs vitest. Its output goes to this terminal. */
export function runVitest(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunResult {
  const folder = mkdtempSync(join(tmpdir(), "atb-vitest-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const { status } = spawnSync("npm", ["run", script, "--", ...args, ...reporters], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    return readReport(file, status === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string, succeeded: boolean): RunResult {
  const report = JSON.parse(readFileSync(file, "utf8")) as JsonReport;
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
