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

/** This program with other arguments, from the bundle or from source. */
export function buildOwnCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

export const HUB_ARGUMENTS = ["hub", "start", "--foreground"] as const;

/** Start times of the hubs that this process has started, by pid. */
const started = new Map<number, string | null>();

export function isStartedHere(pid: number, startTime: string): boolean {
  return started.get(pid) === startTime;
}

export function isInsideSession(): boolean {
  return Boolean(process.env[SESSION_MARK]);
}

export function noteInside(): { readonly inside?: string } {
  const inside = process.env[SESSION_MARK];
  return inside ? { inside } : {};
}

/** A tool must not control the hub that it starts. Errors: ATB_SUPERVISED. */
export function refuseInsideSession(): void {
  if (isInsideSession()) throw createInsideError();
}

export function createInsideError(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_SUPERVISED", "a hub cannot be started from inside a session", {
    hint: "Start it from another terminal: `atlasbridge hub start`.",
  });
}

/**
 * Starts a hub that outlives this process: its own session, no terminal, `/` as its directory. Callers connect to learn that it is up; it
 * exits at once if another hub serves. Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SUPERVISED.
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

/** Null if another session has just started one. */
export function startHubOnce(paths: Paths, command: readonly string[], pauseMs: number): ChildProcess | null {
  // Before the claim, which would keep the sessions that may start one from it.
  refuseInsideSession();
  ensureHubDirectories(paths);
  return claimStart(paths, systemClock.now(), pauseMs) ? startHubProcess(paths, command) : null;
}

/** What the hub prints before it opens its log, or in a crash, goes to the same file. */
function openOutputFile(path: string): number {
  try {
    return openSync(path, "a", PRIVATE_FILE_MODE);
  } catch (cause) {
    throw createFileError(cause, path, "cannot be opened");
  }
}

/** With an absolute ATLASBRIDGE_HOME. */
function buildHubEnvironment({ home }: Paths): NodeJS.ProcessEnv {
  return { ...removeUnsafeVariables(process.env), ...(home === null ? {} : { ATLASBRIDGE_HOME: home }) };
}
