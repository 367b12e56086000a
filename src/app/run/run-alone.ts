/** Runs the tool without AtlasBridge if fewer files may be opened (`ulimit -n`) than a run needs. Opens almost no file itself. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { AtlasBridgeError } from "../../model/errors.js";
import type { Environment } from "../../worker/process/child-environment.js";
import { findExecutable } from "../../worker/process/executable.js";

/** The most files that a run opens at one time. Measured: 9. */
const RUN_FILES = 12;

/** Forwarded, because the sender means the tool. Signals from the terminal (Ctrl-C, Ctrl-\) have reached the tool already. */
const PASSED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const OF_THE_TERMINAL = ["SIGINT", "SIGQUIT"] as const;

export function findFileLimitProblem(): string | null {
  const left = countFilesLeft();
  if (left >= RUN_FILES) return null;
  return `the limit of open files is too low (\`ulimit -n\`): ${left} are left, and a run needs ${RUN_FILES}`;
}

function countFilesLeft(): number {
  try {
    const [, limit = "Infinity"] =
      /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(limit) - readdirSync("/proc/self/fd").length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EMFILE" ? 0 : Infinity;
  }
}

export async function runAlone(
  [tool, ...args]: readonly [string, ...string[]],
  { cwd, environment: env }: { readonly cwd: string; readonly environment: Environment },
  why: string,
): Promise<number> {
  findExecutable(tool, { path: env["PATH"], cwd });
  process.stderr.write(`atlasbridge: not relayed, the tool runs alone: ${why}\n`);
  const child = spawn(tool, args, { cwd, env, stdio: "inherit" });
  for (const signal of PASSED) process.on(signal, () => void child.kill(signal));
  for (const signal of OF_THE_TERMINAL) process.on(signal, () => undefined);
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => {
      const message = `"${tool}" could not be started`;
      reject(new AtlasBridgeError("ATB_TOOL_START_FAILED", message, { hint: "Raise `ulimit -n`.", cause }));
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
