import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that passed only when they were tried again: each of them is a fault to be found. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests("passed")]).filter(isFlaky);
    if (flaky.length === 0) return;
    console.log(`\nPassed only at the second try (${flaky.length}):`);
    for (const test of flaky) console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}

function isFlaky(test: { diagnostic(): { flaky: boolean } | undefined }): boolean {
  return test.diagnostic()?.flaky === true;
}
