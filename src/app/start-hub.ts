/** Starting a hub in a process of its own, for workers and clients alike. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Paths } from "../config/paths.js";
import { ensureHubDirectories } from "../config/private-files.js";
import { SESSION_MARK } from "../worker/transport/child-environment.js";
import { stdioBeside } from "../worker/transport/stdio-beside.js";

/** This program as it was started, with other arguments: from the bundle and from source under a loader alike. */
export function ownCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

export const HUB_ARGUMENTS = ["hub", "start", "--foreground"] as const;

/**
 * Starts a hub that outlives us: a session of its own, no terminal, and `/` as its directory so that it keeps nothing busy. That it
 * came up is learnt by connecting to it; where another hub serves it ends at once. Errors: ATB_SOCKET_UNSAFE, or the system's.
 */
export function startHubProcess(paths: Paths, command: readonly string[]): ChildProcess {
  ensureHubDirectories(paths);
  const [file = process.execPath, ...args] = command;
  const log = openSync(paths.hubLog, "a", 0o600);
  const nothing = openSync(devNull, "r+");
  try {
    const stdio = stdioBeside(["ignore", log, log], nothing);
    const child = spawn(file, args, { cwd: "/", detached: true, env: hubEnvironment(paths), stdio });
    child.on("error", () => undefined); // Learnt by its caller as "nobody serves".
    child.unref();
    return child;
  } finally {
    closeSync(log);
    closeSync(nothing);
  }
}

/** Ours, with a relative ATLASBRIDGE_HOME made absolute, and without the mark: a hub is nobody's supervised tool. */
function hubEnvironment({ home }: Paths): NodeJS.ProcessEnv {
  return { ...process.env, [SESSION_MARK]: undefined, ...(home === null ? {} : { ATLASBRIDGE_HOME: home }) };
}
