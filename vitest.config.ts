import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { TIMEOUT_FACTOR } from "./src/worker/prompts/limits.js";
import { HANG_MS, TEST_HANG_MS } from "./tests/support/hang-guards.js";
import { FailureSummary } from "./tests/support/suites/failure-summary.js";
import { QUARANTINE } from "./tests/support/suites/quarantine.js";
import { RealRuns } from "./tests/support/suites/real-runs.js";
import { GATE_MAX_S, SLOW } from "./tests/support/suites/slow.js";

const QUARANTINED = QUARANTINE.map(({ file }) => file);
const IN_ONE_PROCESS = ["unit", "repo", "property", "lab"];
const WITH_PROCESSES = ["contract", "e2e", "pty"];
const HOUR_MS = 3_600_000;
/** Our own limits for a tool are ten times as long: what a busy machine does late must not become an uncertain answer. */
const LONG_TIMEOUTS = { [TIMEOUT_FACTOR]: "10" };

/** What the examples import as users of the package do, from its source. */
const SDK = [
  { find: /^atlasbridge\/sdk$/, replacement: resolve("src/compat/index.ts") },
  { find: /^atlasbridge\/sdk\/testing$/, replacement: resolve("src/compat/testing/index.ts") },
];

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

const hangGuards: Options = {
  testTimeout: TEST_HANG_MS,
  hookTimeout: TEST_HANG_MS,
  expect: { poll: { timeout: HANG_MS } },
};

/** Files leave nothing behind in a module: what they import is loaded once for each worker, and not three hundred times. */
const inOneProcess: Options = {
  isolate: false,
  maxWorkers: "100%",
  setupFiles: ["tests/support/suites/property-seed.ts"],
};

/** More of them than there are cores: most of what they do is to wait for other processes. */
const withProcesses: Options = {
  env: LONG_TIMEOUTS,
  isolate: false,
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};

/** One file at a time, and what it counted and measured is printed as it is. */
const alone: Options = { fileParallelism: false, testTimeout: HOUR_MS, disableConsoleIntercept: true };

/** `npm test`, `npm run test:slow` and `npm run test:long` need no network, no account and no real AI CLI. */
export default defineConfig({
  test: {
    globalSetup: ["tests/support/build-once.ts"],
    reporters: ["default", new FailureSummary(), new RealRuns()],
    projects: [
      ...IN_ONE_PROCESS.map((name) => project(name, 0, inOneProcess, quick([name]))),
      project("with-processes", 1, withProcesses, quick(WITH_PROCESSES)),
      project(
        "slow",
        2,
        inOneProcess,
        slow(IN_ONE_PROCESS, (seconds) => seconds <= GATE_MAX_S),
      ),
      project(
        "slow-with-processes",
        3,
        withProcesses,
        slow(WITH_PROCESSES, (seconds) => seconds <= GATE_MAX_S),
      ),
      project(
        "long",
        4,
        inOneProcess,
        slow(IN_ONE_PROCESS, (seconds) => seconds > GATE_MAX_S),
      ),
      project(
        "long-with-processes",
        5,
        withProcesses,
        slow(WITH_PROCESSES, (seconds) => seconds > GATE_MAX_S),
      ),
      project("quarantined", 6, withProcesses, { include: QUARANTINED }),
      project("faults", 7, { ...alone, env: LONG_TIMEOUTS }),
      // Fifty sessions at once, and a thousand questions over two channels.
      project("load", 8, alone),
      // Attacks in bulk. `ATB_SECURITY_SCALE` (1 by default) scales how many are tried.
      project("security", 9, { ...alone, env: LONG_TIMEOUTS }),
      // What only a clock can show: printed beside its bar, and never a failure.
      project("measure", 10, alone),
      // The real claude, answered after as long as a person may take. All of them wait side by side.
      project("long-wait", 11, { maxConcurrency: 16, testTimeout: HOUR_MS }),
      // The package as people install it. Needs the npm registry, and compiles both addons.
      project("pack", 12, { hookTimeout: HOUR_MS }),
      // The real CLIs against fake model servers. Needs the npm registry once. A native CLI takes a processor and 300 MB.
      project("real", 13, { ...alone, disableConsoleIntercept: false }),
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
  return {
    resolve: { alias: SDK },
    test: { name, sequence: { groupOrder }, ...hangGuards, ...options, ...files },
  };
}

function filesIn(folder: string): string {
  return `tests/${folder}/**/*.test.ts`;
}

function quick(folders: readonly string[]): Pick<Options, "include" | "exclude"> {
  return { include: folders.map(filesIn), exclude: [...Object.keys(SLOW), ...QUARANTINED] };
}

function slow(
  folders: readonly string[],
  takes: (seconds: number) => boolean,
): Pick<Options, "include" | "exclude"> {
  const files = Object.entries(SLOW).filter(
    ([file, seconds]) => takes(seconds) && folders.some((folder) => file.startsWith(`tests/${folder}/`)),
  );
  return { include: files.map(([file]) => file), exclude: QUARANTINED };
}
