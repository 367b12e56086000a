/**
 * `npm run gate [-- --busy N]`: runs `.ci/run` in a fresh clone of HEAD, as the CI of a stranger would, beside N busy loops. After
 * success the hash of the commit stands in `.git/gate-passed`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBusyLoops } from "./busy.js";
import { readCount } from "./read-count.js";
import { cleanEnvironment } from "./clean-environment.js";

const { values } = parseArgs({ options: { busy: { type: "string", default: "0" } } });
const busy = readCount("--busy", values.busy, 0);
const head = git("rev-parse", "HEAD");
const passed = git("rev-parse", "--git-path", "gate-passed");
// What an earlier run found says nothing while this one goes on.
rmSync(passed, { force: true });
const folder = mkdtempSync(join(tmpdir(), "atb-gate-"));
// Some tests run the program as another user, who has to be able to read the clone.
chmodSync(folder, 0o755);
const started = Date.now();
const stopLoops = startBusyLoops(busy);
try {
  if (git("status", "--porcelain") !== "") console.log("Uncommitted changes are not part of what is tested.");
  const clone = join(folder, "clone");
  git("clone", "--quiet", "--no-hardlinks", process.cwd(), clone);
  git("-C", clone, "checkout", "--quiet", "--detach", head);
  const { status } = spawnSync("bash", [".ci/run"], {
    cwd: clone,
    env: { ...cleanEnvironment(process.env, process.cwd()), CI: "true" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `${head.slice(0, 8)} ${status === 0 ? "passed" : "did not pass"} the gate, in ${minutes} minutes.`,
  );
  if (status === 0) writeFileSync(passed, `${head}\n`);
  process.exitCode = status ?? 1;
} finally {
  stopLoops();
  rmSync(folder, { recursive: true, force: true });
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}
