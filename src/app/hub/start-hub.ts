/** Starting a hub in a process of its own, for workers and clients alike. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { fileError } from "../../config/file-errors.js";
import { claimStart } from "../../config/hub-notes.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { systemClock } from "../../observe/clock.js";
import { SESSION_MARK } from "../../model/session-mark.js";
import { stdioBeside } from "../../worker/transport/stdio-beside.js";

/** This program as it was started, with other arguments: from the bundle and from source under a loader alike. */
export function ownCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

export const HUB_ARGUMENTS = ["hub", "start", "--foreground"] as const;

/**
 * Starts a hub that outlives us: a session of its own, no terminal, and `/` as its directory so that it keeps nothing busy. That it
 * came up is learnt by connecting to it; where another hub serves it ends at once.
 * Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE.
 */
export function startHubProcess(paths: Paths, command: readonly string[]): ChildProcess {
  ensureHubDirectories(paths);
  const [file = process.execPath, ...args] = command;
  const log = openForWords(paths.hubLog);
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

/** The same, for one of many sessions that miss the hub at the same instant: null when another has just tried. */
export function startHubInTurn(
  paths: Paths,
  command: readonly string[],
  pauseMs: number,
): ChildProcess | null {
  ensureHubDirectories(paths);
  return claimStart(paths, systemClock.now(), pauseMs) ? startHubProcess(paths, command) : null;
}

/** What the hub says before it has opened its log, or while it dies, goes to the log's file, too. */
function openForWords(path: string): number {
  try {
    return openSync(path, "a", PRIVATE_FILE_MODE);
  } catch (cause) {
    throw fileError(cause, path, "cannot be opened");
  }
}

/** Ours, with a relative ATLASBRIDGE_HOME made absolute, and without the mark: a hub is nobody's supervised tool. */
function hubEnvironment({ home }: Paths): NodeJS.ProcessEnv {
  return { ...process.env, [SESSION_MARK]: undefined, ...(home === null ? {} : { ATLASBRIDGE_HOME: home }) };
}
