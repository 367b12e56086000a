import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";

/** Process tests start the built command, so it is built once before any suite runs: every project inherits this, the root is always there. */
export default function buildOnce(project: TestProject): void {
  if (project.isRootProject()) execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
