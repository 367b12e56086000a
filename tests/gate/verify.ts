/**
 * `npm run verify [-- suite…]`: the tests of the gate with another seed, and what the gate leaves out. It prints a line for each suite and
 * for each figure beside its bar, and writes `verify.json` after every suite. The exit status is that of the counts: a figure that misses
 * its bar is told and fails nothing.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectFiguresIn, formatFigure, readFigures, type Figure } from "../measure/figures.js";
import { QUARANTINE } from "../support/suites/quarantine.js";
import { runVitest, type RunResult } from "./vitest-run.js";

/** Scripts of package.json that run vitest, in the order in which they run. */
const VITEST_SUITES = [
  "test",
  "test:slow",
  "test:long",
  // Vitest fails where it finds no file.
  ...(QUARANTINE.length > 0 ? ["test:quarantined"] : []),
  "test:faults",
  "test:load",
  "test:measure",
  "test:pack",
  "test:security",
];
/** Programs that say with their exit status alone whether they passed. */
const PROGRAMS = ["test:nodes", "soak"];
const SUITES = [...VITEST_SUITES, ...PROGRAMS];

interface SuiteResult extends RunResult {
  readonly suite: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !SUITES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no suite ${unknown}. There are ${SUITES.join(", ")}.`);
  process.exit(2);
}

// The gate draws the same inputs in every run; these are others.
const seed = String(randomInt(2 ** 31));
const seeds = {
  ATB_PROPERTY_SEED: seed,
  ATB_SECURITY_SEED: seed,
  ATB_STORM_SEED: seed,
  ATB_FAULT_SEED: seed,
};
const sizes = { ATB_FULL_SIZE: "1" };
const folder = mkdtempSync(join(tmpdir(), "atb-verify-"));
const results: SuiteResult[] = [];
try {
  for (const suite of names.length === 0 ? SUITES : names) {
    results.push(run(suite));
    // A run takes hours: what it has found stays if it is broken off.
    writeFileSync("verify.json", `${JSON.stringify({ seed: Number(seed), suites: results }, null, 2)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(["", `Seed ${seed}.`, ...results.flatMap(describeSuite)].join("\n"));
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

function run(suite: string): SuiteResult {
  const figures = join(folder, `${suite.replace(":", "-")}.jsonl`);
  const env = { ...seeds, ...sizes, ...collectFiguresIn(figures) };
  const started = performance.now();
  const result = VITEST_SUITES.includes(suite) ? runVitest(suite, [], env) : runProgram(suite, env);
  const seconds = Math.round((performance.now() - started) / 1000);
  return { suite, seconds, ...result, figures: readFigures(figures) };
}

function runProgram(script: string, env: Readonly<Record<string, string>>): RunResult {
  const { status } = spawnSync("npm", ["run", script], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const failures = status === 0 ? [] : [`${script} ended with exit status ${status}`];
  return { passed: 1 - failures.length, failed: failures.length, skipped: 0, failures };
}

function describeSuite({
  suite,
  seconds,
  passed,
  failed,
  skipped,
  failures,
  figures,
}: SuiteResult): string[] {
  return [
    `${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`,
    ...failures.map((failure) => `  failed: ${failure}`),
    ...figures.map((figure) => `  ${formatFigure(figure)}`),
  ];
}
