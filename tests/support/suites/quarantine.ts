import type { Reporter, TestModule } from "vitest/node";

/** A file with a test that sometimes fails without a fault of the product, and why. It is tried twice until it is mended. */
export interface Quarantined {
  readonly file: string;
  readonly reason: string;
}

/** Nothing else is ever tried twice. */
export const QUARANTINE: readonly Quarantined[] = [
  {
    file: "tests/e2e/demo.test.ts",
    reason:
      "with seven times more work than cores, two of the five prompts were once missing in what the demo printed",
  },
  {
    file: "tests/e2e/phone-rows.test.ts",
    reason:
      "it takes every row of every dialog, and on a busy machine one of some hundred answers is told as uncertain, as it may be",
  },
  {
    file: "tests/pty/worker/integrations/opencode/attachment-hostile.test.ts",
    reason:
      "on a busy machine the adapter once looked twice, and not once, at a port that another program had taken",
  },
];

/** Says at the end of a run what was tried twice, why, and whether that was needed. */
export class QuarantineReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { file, reason } of QUARANTINE) {
      const module = modules.find((one) => one.relativeModuleId === file);
      if (module === undefined) continue;
      const needed = [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky === true);
      const names = needed.map((test) => test.fullName).join("; ");
      console.log(
        `Quarantined: ${file} (${reason}). Passed at the second try: ${names === "" ? "none" : names}`,
      );
    }
  }
}
