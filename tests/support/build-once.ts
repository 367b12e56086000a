import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";

/** Set by a caller that has built the command itself and may run several suites side by side. */
const IS_BUILT = process.env["ATB_IS_BUILT"] === "1";

/** Process tests start the built command, so it is built once before any suite runs: every project inherits this, the root is always there. */
export default function buildOnce(project: TestProject): void {
  if (project.isRootProject() && !IS_BUILT)
    execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
