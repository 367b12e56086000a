import { defineConfig } from "vitest/config";

/** The real claude, answered after as long as a person may take. Most of it is waiting: half an hour, and little of the machine. */
export default defineConfig({
  test: {
    include: ["tests/late/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    // All of them wait side by side.
    maxConcurrency: 16,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
});
