import { defineConfig } from "vitest/config";

/** The real CLIs from npm against fake model servers. Needs the npm registry once; then they are in `.cache`. */
export default defineConfig({
  test: {
    include: ["tests/real/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    // A native CLI takes a processor and 300 MB: more than one at a time and its timings mean nothing.
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
