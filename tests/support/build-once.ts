import { execFileSync } from "node:child_process";

/** Process tests start the built command, so it is built once before any suite runs. */
export default function buildOnce(): void {
  execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
