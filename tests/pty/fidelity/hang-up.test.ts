/**
 * When the user's window is closed, the tool ends by SIGHUP as it would without us, and the run ends after it. The windows are
 * tested one at a time, as each has to be the last to hold its terminal.
 */
import { makeFileFolder } from "../../support/temporary-folder.js";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, runAround } from "../../support/rig/processes.js";
import { until } from "../support/tools.js";
import { noShell, RUN, ShellWindow } from "./support/shell-window.js";
import { notLinux, skipped } from "../../support/skipped.js";

const folder = makeFileFolder("hang-up");

const TOOL = join(folder, "tool.sh");
const CODE = join(folder, "code");

/** Closes a window in which a run of this tool is; resolves with the exit code of the run. */
async function closeAround(script: string): Promise<number> {
  writeFileSync(TOOL, `${script}; echo "pid $$."; while :; do sleep 0.1; done`);
  rmSync(CODE, { force: true });
  const window = await ShellWindow.open();
  // Who writes the code down outlives the window; the run hears of its end all the same.
  window.enter(`(trap '' HUP; ${RUN} sh ${TOOL}; echo $? > ${CODE})`);
  const tool = Number(/pid (\d+)\./.exec(await window.until(/pid (\d+)\./))![1]);
  const run = runAround(tool)!;
  await window.close();
  await until(() => !isAlive(tool) && !isAlive(run));
  await until(() => existsSync(CODE) && readFileSync(CODE, "utf8") !== "");
  return Number(readFileSync(CODE, "utf8"));
}

const SIGHUP_CODE = 129;

describe.skipIf(skipped(noShell ?? notLinux))("a window that is closed", () => {
  it("ends the tool by SIGHUP, and the run", async () => {
    expect(await closeAround("true")).toBe(SIGHUP_CODE);
  });

  it("ends a tool that ignores SIGHUP too, and the run does not crash", async () => {
    expect(await closeAround("trap '' HUP TERM INT")).toBe(SIGHUP_CODE);
  });
});
