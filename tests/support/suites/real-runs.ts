/** Writes down how each suite of real CLIs went, as it ends: a run that is broken off keeps what it has proved. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { takeInstalled, tellInstalledIn } from "./installed.js";
import { keepLastRuns, type LastRun } from "./last-runs.js";

export class RealRuns implements Reporter {
  #vitest: Vitest | null = null;
  #kept = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    tellInstalledIn(join(tmpdir(), `atb-real-${process.pid}`));
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.project.name !== "real") return;
    const run = lastRun(module, takeInstalled());
    // A part of a suite is no run of it; nor is one whose tool is not there.
    if (this.#vitest?.config.testNamePattern !== undefined || run.passed + run.failed === 0) return;
    keepLastRuns({ [module.relativeModuleId]: run });
    this.#kept += 1;
  }

  onTestRunEnd(): void {
    takeInstalled();
    if (this.#kept > 0)
      console.log(`Last runs written (suites: ${this.#kept}). \`npm run docs\` puts them on their page.`);
  }
}

function lastRun(module: TestModule, tools: readonly string[]): LastRun {
  const tests = [...module.children.allTests()].map((test) => test.result().state);
  const count = (state: string): number => tests.filter((one) => one === state).length;
  // A file that could not be loaded has no tests, and failed all the same.
  const failed = count("failed") + (module.errors().length > 0 ? 1 : 0);
  return {
    on: new Date().toISOString().slice(0, 10),
    passed: count("passed"),
    failed,
    skipped: count("skipped"),
    tools,
  };
}
