import { defineConfig } from "vitest/config";

/** Attacks in bulk, bounded in time. `ATB_SECURITY_SCALE` (1 by default) scales how many are tried. */
export default defineConfig({
  test: {
    include: ["tests/security/**/*.test.ts"],
    globalSetup: ["tests/support/build-once.ts"],
    // One file at a time: several of them measure delays.
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    // Each suite prints what it counted and measured.
    disableConsoleIntercept: true,
  },
});
