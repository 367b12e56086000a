import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SecondTries } from "./tests/support/second-tries.js";

/** Everything that needs no network, no account and no real AI CLI. */
export default defineConfig({
  test: {
    globalSetup: ["tests/support/build-once.ts"],
    reporters: ["default", new SecondTries()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Files leave nothing behind in a module: what they import is loaded once for each worker, and not three hundred times.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "in one process",
          include: ["tests/{lab,property,repo,unit}/**/*.test.ts"],
          maxWorkers: "100%",
          // Properties and the corpus take seconds; on a busy machine, a minute.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "with processes",
          include: ["tests/{contract,e2e,pty}/**/*.test.ts"],
          // After the others, and more of them than there are cores: most of what they do is to wait for other processes.
          sequence: { groupOrder: 1 },
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          // Thousands of waits on a starved machine: one more try, and who needed it is named at the end. Our own races are looked for
          // where nothing is tried twice, in the suites of faults and storms. `--retry 0` takes it away here, too.
          retry: 1,
        },
      },
    ],
  },
});
