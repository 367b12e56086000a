/** Starting a hub in a process of its own, for workers and clients alike. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { fileError } from "../../config/file-errors.js";
import { claimStart } from "../../config/hub-notes.js";
import type { Paths } from "../../config/paths.js";
import { ensureHubDirectories, PRIVATE_FILE_MODE } from "../../config/private-files.js";
import { systemClock } from "../../observe/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { SESSION_MARK } from "../../model/session-mark.js";
import { processStartTime } from "../../observe/process-life.js";
import { withoutSteering } from "./hub-environment.js";
import { stdioBeside } from "../../worker/process/stdio-beside.js";

/** This program as it was started, with other arguments: from the bundle and from source under a loader alike. */
export function ownCommand(args: readonly string[]): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...args];
}

export const HUB_ARGUMENTS = ["hub", "start", "--foreground"] as const;

/** Start times of the hubs that this process has started, by their numbers. */
const started = new Map<number, string | null>();

/** Whether this process has started that one as a hub. */
export function isStartedHere(pid: number, startTime: string): boolean {
  return started.get(pid) === startTime;
}

export function isInsideSession(): boolean {
  return Boolean(process.env[SESSION_MARK]);
}

/** A hub that a supervised tool starts would be the tool's. Errors: ATB_SUPERVISED. */
export function refuseInsideSession(): void {
  if (isInsideSession()) throw insideSession();
}

export function insideSession(): AtlasBridgeError {
  return new AtlasBridgeError("ATB_SUPERVISED", "a hub is not started from inside a session", {
    hint: "Start it from another terminal: `atlasbridge hub start`.",
  });
}

/**
 * Starts a hub that outlives us: a session of its own, no terminal, and `/` as its directory so that it keeps nothing busy. That it
 * came up is learnt by connecting to it; where another hub serves it ends at once.
 * Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE, ATB_SUPERVISED.
 */
export function startHubProcess(paths: Paths, command: readonly string[]): ChildProcess {
  refuseInsideSession();
  ensureHubDirectories(paths);
  const [file = process.execPath, ...args] = command;
  const log = openForWords(paths.hubLog);
  const nothing = openSync(devNull, "r+");
  try {
    const stdio = stdioBeside(["ignore", log, log], nothing);
    const child = spawn(file, args, { cwd: "/", detached: true, env: hubEnvironment(paths), stdio });
    child.on("error", () => undefined); // Learnt by its caller as "nobody serves".
    child.unref();
    if (child.pid !== undefined) started.set(child.pid, processStartTime(child.pid));
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

/** Ours, with a relative ATLASBRIDGE_HOME made absolute, and without what would make it load other people's code. */
function hubEnvironment({ home }: Paths): NodeJS.ProcessEnv {
  return { ...withoutSteering(process.env), ...(home === null ? {} : { ATLASBRIDGE_HOME: home }) };
}
