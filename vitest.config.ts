import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { QUARANTINE, QuarantineReport } from "./tests/support/suites/quarantine.js";
import { RealRuns } from "./tests/support/suites/real-runs.js";
import { SLOW } from "./tests/support/suites/slow.js";

const QUARANTINED = QUARANTINE.map(({ file }) => file);
const IN_ONE_PROCESS = ["unit", "repo", "property", "lab"];
const WITH_PROCESSES = ["contract", "e2e", "pty"];

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Files leave nothing behind in a module: what they import is loaded once for each worker, and not three hundred times. */
const inOneProcess: Options = {
  isolate: false,
  maxWorkers: "100%",
  // Properties and the corpus take seconds; on a busy machine, a minute.
  testTimeout: 120_000,
  hookTimeout: 30_000,
};

/** More of them than there are cores: most of what they do is to wait for other processes. */
const withProcesses: Options = {
  isolate: false,
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

/** One file at a time: with two at once they would time out, or measure one another. */
const alone: Options = { fileParallelism: false, testTimeout: 1_800_000, hookTimeout: 60_000 };

/** `npm test` and `npm run test:all` run what needs no network, no account and no real AI CLI; the rest has commands of its own. */
export default defineConfig({
  test: {
    globalSetup: ["tests/support/build-once.ts"],
    reporters: ["default", new QuarantineReport(), new RealRuns()],
    projects: [
      ...IN_ONE_PROCESS.map((name) => project(name, 0, inOneProcess, quick([name]))),
      project("with-processes", 1, withProcesses, quick(WITH_PROCESSES)),
      project("slow", 2, inOneProcess, slow(IN_ONE_PROCESS)),
      project("slow-with-processes", 3, withProcesses, slow(WITH_PROCESSES)),
      // Each of them is a fault to be found, so only what is named there is ever tried twice.
      project("quarantined", 4, { ...withProcesses, retry: 1 }, { include: QUARANTINED }),
      // What was struck how often is printed as it is; so is what was counted and measured by the next two.
      project("faults", 5, { ...alone, disableConsoleIntercept: true }),
      // Fifty sessions at once: a minute with two processors to itself.
      project("load", 6, { ...alone, testTimeout: 240_000, disableConsoleIntercept: true }),
      // Attacks in bulk, bounded in time. `ATB_SECURITY_SCALE` (1 by default) scales how many are tried.
      project("security", 7, { ...alone, disableConsoleIntercept: true }),
      // The real claude, answered after as long as a person may take. All of them wait side by side.
      project("long-wait", 8, { maxConcurrency: 16, testTimeout: 1_800_000, hookTimeout: 60_000 }),
      // The package as people install it. Needs the npm registry, and compiles both addons: on a busy machine several minutes.
      project("pack", 9, { testTimeout: 120_000, hookTimeout: 900_000 }),
      // The real CLIs against fake model servers. Needs the npm registry once. A native CLI takes a processor and 300 MB.
      project("real", 10, { ...alone, testTimeout: 90_000 }),
    ],
  },
});

/** Projects run one after the other in the order of their groups; those of one group run together. */
function project(
  name: string,
  groupOrder: number,
  options: Options,
  files: Pick<Options, "include" | "exclude"> = { include: [filesIn(name)] },
): TestProjectInlineConfiguration {
  return { test: { name, sequence: { groupOrder }, ...options, ...files } };
}

function filesIn(folder: string): string {
  return `tests/${folder}/**/*.test.ts`;
}

function quick(folders: readonly string[]): Pick<Options, "include" | "exclude"> {
  return { include: folders.map(filesIn), exclude: [...Object.keys(SLOW), ...QUARANTINED] };
}

function slow(folders: readonly string[]): Pick<Options, "include" | "exclude"> {
  const files = Object.keys(SLOW).filter((file) =>
    folders.some((folder) => file.startsWith(`tests/${folder}/`)),
  );
  return { include: files, exclude: QUARANTINED };
}
