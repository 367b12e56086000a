/** Starts a hub in its own process, for workers and clients. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createFileError } from "../../config/file-errors.js";
import { claimStart } from "../../config/hub-notes.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { systemClock } from "../../observe/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { SESSION_MARK } from "../../model/session-mark.js";
import { readProcessStartTime } from "../../observe/process-life.js";
import { removeUnsafeVariables } from "./hub-environment.js";
import { buildSpawnStdio } from "../../worker/process/spawn-stdio.js";

/** The command line of this program with other arguments, both from the bundle and from source under a loader. */
export function buildOwnCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

export const HUB_ARGUMENTS = ["hub", "start", "--foreground"] as const;

/** Start times of the hubs that this process has started, by pid. */
const started = new Map<number, string | null>();

/** Whether this process started that one as a hub. */
export function isStartedHere(pid: number, startTime: string): boolean {
  return started.get(pid) === startTime;
}

export function isInsideSession(): boolean {
  return Boolean(process.env[SESSION_MARK]);
}

/** Tells the hub the session that this program runs inside. */
export function noteInside(): { readonly inside?: string } {
  const inside = process.env[SESSION_MARK];
  return inside ? { inside } : {};
}

/** Refuses inside a session: a hub started by a supervised tool would be under the tool's control. Errors: ATB_SUPERVISED. */
export function refuseInsideSession(): void {
  if (isInsideSession()) throw createInsideError();
}

export function createInsideError(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_SUPERVISED", "a hub cannot be started from inside a session", {
    hint: "Start it from another terminal: `atlasbridge hub start`.",
  });
}

/**
 * Starts a hub that outlives this process: a session of its own, no terminal, and `/` as its directory so that it blocks no
 * file system. Callers learn that it is up by connecting; if another hub serves, it exits at once. Errors: ATB_SOCKET_UNSAFE,
 * ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SUPERVISED.
 */
export function startHubProcess(paths: Paths, command: readonly string[]): ChildProcess {
  refuseInsideSession();
  ensureHubDirectories(paths);
  const [file = process.execPath, ...args] = command;
  const log = openOutputFile(paths.hubLog);
  const nothing = openSync(devNull, "r+");
  try {
    const stdio = buildSpawnStdio(["ignore", log, log], nothing);
    const child = spawn(file, args, { cwd: "/", detached: true, env: buildHubEnvironment(paths), stdio });
    child.on("error", () => undefined); // The caller notices that no hub is running.
    child.unref();
    if (child.pid !== undefined) started.set(child.pid, readProcessStartTime(child.pid));
    return child;
  } finally {
    closeSync(log);
    closeSync(nothing);
  }
}

/** Like `startHubProcess`, for one of many sessions that miss the hub at the same instant: null if another has just tried. */
export function startHubOnce(paths: Paths, command: readonly string[], pauseMs: number): ChildProcess | null {
  ensureHubDirectories(paths);
  return claimStart(paths, systemClock.now(), pauseMs) ? startHubProcess(paths, command) : null;
}

/** The hub's output before it opens its log, or while it crashes, goes to the log file as well. */
function openOutputFile(path: string): number {
  try {
    return openSync(path, "a", PRIVATE_FILE_MODE);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be opened");
  }
}

/** This process's environment with ATLASBRIDGE_HOME made absolute, without variables that would load foreign code. */
function buildHubEnvironment({ home }: Paths): NodeJS.ProcessEnv {
  return { ...removeUnsafeVariables(process.env), ...(home === null ? {} : { ATLASBRIDGE_HOME: home }) };
}
