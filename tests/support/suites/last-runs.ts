/** When each suite of `tests/real` was last run, how it went, and against which versions: kept with the code, written by a reporter. */
import { readFileSync, writeFileSync } from "node:fs";

export const LAST_RUNS = "tests/real/last-runs.json";

export interface LastRun {
  /** Day of the run, as 2026-11-23. */
  readonly on: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What was installed for it, as `@openai/codex 0.169.0`. */
  readonly tools: readonly string[];
}

/** By the file of the suite. */
export type LastRuns = Readonly<Record<string, LastRun>>;

export function readLastRuns(): LastRuns {
  return JSON.parse(readFileSync(LAST_RUNS, "utf8")) as LastRuns;
}

/** Keeps what is known of the other suites. */
export function keepLastRuns(runs: LastRuns): void {
  const all = Object.entries({ ...readLastRuns(), ...runs }).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(LAST_RUNS, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
