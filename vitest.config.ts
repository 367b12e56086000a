import { defineConfig } from "vitest/config";

/** Everything that needs no network, no account and no real AI CLI. */
export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: [
      "tests/real/**",
      "tests/pack/**",
      "tests/storm/**",
      "tests/faults/**",
      "tests/late/**",
      "node_modules/**",
    ],
    globalSetup: ["tests/support/build-once.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
