import { defineConfig } from "vitest/config";

/** Fifty sessions at once: a minute with two processors to itself, and what it measures means nothing beside other tests. */
export default defineConfig({
  test: {
    include: ["tests/storm/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // What was measured is printed as it is.
    disableConsoleIntercept: true,
  },
});
