import { defineConfig } from "vitest/config";

/** The package as people install it. Needs the npm registry, and compiles both addons: a minute, on a busy machine several. */
export default defineConfig({
  test: {
    include: ["tests/pack/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    testTimeout: 120_000,
    hookTimeout: 900_000,
  },
});
