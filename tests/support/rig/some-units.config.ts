import { defineConfig } from "vitest/config";

/** A run of our own tests inside a test of ours: a few quick ones, and without building what the outer run uses. */
export default defineConfig({
  test: { include: ["tests/unit/worker/answer/plan/bytes.test.ts", "tests/unit/config/*.test.ts"] },
});
