/** Runs the checks of a test kit as tests of vitest. */
import { describe, it } from "vitest";
import type { ContractCheck } from "../../src/compat/testing/check.js";
import { skipped } from "./skipped.js";

export function registerChecks(title: string, checks: readonly ContractCheck[]): void {
  describe(title, () => {
    for (const { name, run, skip } of checks) it.skipIf(skipped(skip ?? null))(name, run);
  });
}
