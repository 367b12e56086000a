import { defineConfig } from "vitest/config";
import { SecondTries } from "./tests/support/second-tries.js";

/** Everything that needs no network, no account and no real AI CLI. */
export default defineConfig({
  test: {
    globalSetup: ["tests/support/build-once.ts"],
    reporters: ["default", new SecondTries()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // All cores: most of what is slow waits for other processes.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "in one process",
          include: ["tests/{lab,property,repo,unit}/**/*.test.ts"],
          // These leave nothing behind in a module, so that what they import is loaded once and not two hundred times.
          isolate: false,
          // Properties and the corpus take seconds; on a busy machine, a minute.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "with processes",
          include: ["tests/{contract,e2e,pty}/**/*.test.ts"],
          // Thousands of waits on a starved machine: one more try, and who needed it is named at the end. Our own races are looked for
          // where nothing is tried twice, in the suites of faults and storms. `--retry 0` takes it away here, too.
          retry: 1,
        },
      },
    ],
  },
});
