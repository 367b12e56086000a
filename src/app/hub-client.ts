/** A client's way to the hub: for the command line. Starts a hub where there is none. */
import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileError } from "../config/file-errors.js";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { processAlive, processStartTime } from "../observe/process-life.js";
import type { ListedPrompt, ListedSession } from "../wire/listings.js";
import {
  findHub,
  meetHub,
  misunderstanding,
  type HubClient,
  type HubClientOptions,
  type HubHello,
} from "./meet-hub.js";
import { HUB_ARGUMENTS, ownCommand, startHubProcess } from "./start-hub.js";
import { programVersion } from "./version.js";

/** A cold start takes 0.3 s, on a busy machine a few; a hub that is not there after this never will be. */
const START_LIMIT_MS = 15_000;
const LOOK_EVERY_MS = 25;
/** A hub that is lost this often in one command is not going to carry it out. */
const ATTEMPTS_MAX = 10;

/**
 * Connects to the hub; starts one where there is none, and one of this version in place of one that is too old to be understood.
 * Errors: ATB_HUB_UNREACHABLE with what the hub said, ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_WIRE_TOO_OLD.
 */
export async function reachHub(
  options: HubClientOptions,
  command: readonly string[] = ownCommand(HUB_ARGUMENTS),
): Promise<HubClient> {
  const found = await meetHub(options);
  const problem = found && misunderstanding(found.hello);
  if (found && !problem) return found.hub;
  if (found && problem) await replaceHub(found.hub, found.hello, problem);
  return startAndReach(options, command);
}

/** Has the hub make way and waits until it has ended. Rejects with `problem` where it stays. */
export async function replaceHub(
  hub: HubClient,
  { pid }: HubHello,
  problem: AtlasBridgeError,
): Promise<void> {
  try {
    const { yields } = await hub.call("hub.yield", { version: programVersion(), service: false });
    if (!yields || !(await isGone(pid))) throw problem;
  } finally {
    hub.close();
  }
}

/** A hub that makes way finishes its answers first (10 s at most), then ends its channels (5 s). */
const GONE_LIMIT_MS = 20_000;
const GONE_LOOK_EVERY_MS = 20;

/** Waits until the process has ended. False when it does not. */
export async function isGone(pid: number): Promise<boolean> {
  const startTime = processStartTime(pid);
  for (const deadline = Date.now() + GONE_LIMIT_MS; Date.now() < deadline;) {
    if (!processAlive(pid, startTime)) return true;
    await pause(GONE_LOOK_EVERY_MS);
  }
  return false;
}

async function startAndReach(options: HubClientOptions, command: readonly string[]): Promise<HubClient> {
  const { hubLog } = options.paths;
  const logStart = sizeOf(hubLog);
  const child = startHubProcess(options.paths, command);
  for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline;) {
    await pause(LOOK_EVERY_MS);
    const client = await findHub(options);
    if (client) return client;
    if (hasFailed(child)) throw notStarted(child, hubLog, logStart);
  }
  throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub did not serve within ${START_LIMIT_MS} ms`, {
    hint: `See ${hubLog}.`,
  });
}

/**
 * Does `work` with a connection, starting a hub where there is none, and does it again on a new one when the connection is lost
 * before its end. For idempotent work only. Errors: as `reachHub`, and those of `work`.
 */
export async function withHub<T>(paths: Paths, work: (hub: HubClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const hub = await reachHub({ paths });
    try {
      return await work(hub);
    } catch (error) {
      const lost = error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
      if (!lost || attempt === ATTEMPTS_MAX) throw error;
    } finally {
      hub.close();
    }
  }
}

/** Every page of the list. */
export async function fetchPrompts(hub: HubClient, all: boolean): Promise<ListedPrompt[]> {
  return allPages(
    (after) => hub.call("prompts.list", { all, ...after }),
    ({ promptId }) => promptId,
  );
}

/** Every page of the list. */
export async function fetchSessions(hub: HubClient, all: boolean): Promise<ListedSession[]> {
  return allPages(
    (after) => hub.call("sessions.list", { all, ...after }),
    ({ sessionId }) => sessionId,
  );
}

/** An item that settled between two pages may bring others twice: each counts once. */
async function allPages<T>(
  fetchPage: (after: { after?: string }) => Promise<T[]>,
  idOf: (item: T) => string,
): Promise<T[]> {
  const items = new Map<string, T>();
  for (let known = -1; items.size > known;) {
    known = items.size;
    const last = [...items.keys()].at(-1);
    for (const item of await fetchPage(last === undefined ? {} : { after: last }))
      items.set(idOf(item), item);
  }
  return [...items.values()];
}

/** Exit code 0 is no failure: another hub was elected and will serve in a moment. */
function hasFailed(child: ChildProcess): boolean {
  return child.pid === undefined || (child.exitCode ?? 0) !== 0 || child.signalCode !== null;
}

function notStarted(child: ChildProcess, hubLog: string, logStart: number): AtlasBridgeError {
  const said = lastWords(hubLog, logStart);
  const trouble = said === "" ? cannotWrite(hubLog) : null;
  const why = said || trouble?.message || `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub could not be started: ${why}`, {
    hint: trouble?.hint ?? `See ${hubLog}.`,
  });
}

/** Why nothing can be written beside that file: on a full disk a hub cannot even say what is wrong. */
function cannotWrite(file: string): AtlasBridgeError | null {
  const probe = `${file}.probe`;
  try {
    writeFileSync(probe, "?\n", { mode: 0o600 });
    return null;
  } catch (cause) {
    return fileError(cause, file, "cannot be written");
  } finally {
    rmSync(probe, { force: true });
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0; // What is wrong with it shows when the hub is started.
  }
}

/** What the hub printed for people since `start`; its structured lines are for the log's readers. */
function lastWords(hubLog: string, start: number): string {
  const printed = readFileSync(hubLog).subarray(start).toString("utf8").split("\n");
  return printed
    .filter((line) => line !== "" && !line.startsWith("{"))
    .slice(0, 2)
    .map((line) => line.replace(/^atlasbridge: /, "").trim())
    .join(" ");
}
