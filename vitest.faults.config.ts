import { defineConfig } from "vitest/config";

/** Something breaks at every step of an answer. One at a time: a machine that is busy with two would time out in both. */
export default defineConfig({
  test: {
    include: ["tests/faults/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    // What was struck how often is printed as it is.
    disableConsoleIntercept: true,
  },
});
