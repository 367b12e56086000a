/** How commands reach the hub, and start one if necessary. */
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isHubStarting, readStopNote } from "../config/hub-notes.js";
import type { Paths } from "../config/paths.js";
import { AtlasBridgeError, type ErrorCode } from "../model/errors.js";
import { systemClock } from "../observe/clock.js";
import { isProcessAlive, readProcessStartTime } from "../observe/process-life.js";
import type { ListedPrompt, ListedSession } from "../wire/listings.js";
import {
  findHub,
  identifyHub,
  checkCompatibility,
  type HubClient,
  type HubClientOptions,
  type HubHello,
} from "./connect/meet-hub.js";
import { hasFailed, createStartError, findLogEnd } from "./words.js";
import {
  HUB_ARGUMENTS,
  createInsideError,
  isInsideSession,
  buildOwnCommand,
  startHubProcess,
} from "./connect/start-hub.js";
import { getProgramVersion } from "../observe/package-root.js";

/** A cold start takes 0.3 s, on a busy machine a few seconds. */
const START_LIMIT_MS = 15_000;
/** The session around this program starts a hub within a second. */
const INSIDE_LIMIT_MS = 5_000;
const POLL_EVERY_MS = 25;
const ATTEMPTS_MAX = 10;

/**
 * Connects to the hub. Starts one if there is none, and replaces one that is too old for this version. Errors:
 * ATB_HUB_UNREACHABLE with the hub's own message, ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_WIRE_TOO_OLD; ATB_HUB_IMPOSTOR if
 * another program keeps the hub's place; ATB_HUB_SILENT if it does not respond; ATB_SUPERVISED if none serves and this runs
 * inside a session.
 */
export async function reachHub(
  options: HubClientOptions,
  command: readonly string[] = buildOwnCommand(HUB_ARGUMENTS),
): Promise<HubClient> {
  const found = await identifyHub(options).catch(ignoreUnprovedHub);
  const problem = found && checkCompatibility(found.hello);
  if (found && !problem) return found.hub;
  if (found && problem) await replaceHub(found.hub, found.hello, problem);
  return startAndReach(options, command);
}

/** Rejects with `problem` if the hub does not yield and exit. */
export async function replaceHub(
  hub: HubClient,
  { pid }: HubHello,
  problem: AtlasBridgeError,
): Promise<void> {
  try {
    const { yields } = await hub.call("hub.yield", { version: getProgramVersion(), service: false });
    if (!yields || !(await awaitExit(pid))) throw problem;
  } finally {
    hub.close();
  }
}

/** A hub that yields finishes its answers (10 s at most), then stops its channels (5 s). */
const EXIT_LIMIT_MS = 20_000;
const EXIT_POLL_EVERY_MS = 20;

export async function awaitExit(pid: number): Promise<boolean> {
  const startTime = readProcessStartTime(pid);
  for (const deadline = performance.now() + EXIT_LIMIT_MS; performance.now() < deadline;) {
    if (!isProcessAlive(pid, startTime)) return true;
    await pause(EXIT_POLL_EVERY_MS);
  }
  return false;
}

async function startAndReach(options: HubClientOptions, command: readonly string[]): Promise<HubClient> {
  if (isInsideSession()) return awaitHub(options);
  const { hubLog } = options.paths;
  const logStart = findLogEnd(hubLog);
  const child = startHubProcess(options.paths, command);
  let unproved: unknown = null;
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    await pause(POLL_EVERY_MS);
    const client = await findHub(options).catch((error: unknown) => {
      unproved = error;
      return ignoreUnprovedHub(error);
    });
    if (client) return client;
    if (hasFailed(child)) throw createStartError(child, hubLog, logStart);
  }
  if (unproved instanceof AtlasBridgeError) throw unproved;
  throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub did not serve within ${START_LIMIT_MS} ms`, {
    hint: `See ${hubLog}.`,
  });
}

/** Treats a false or silent hub as none: the new hub takes its place, unless the other one has the lock. */
export function ignoreUnprovedHub(error: unknown): null {
  const unproved: readonly ErrorCode[] = ["ATB_HUB_IMPOSTOR", "ATB_HUB_SILENT"];
  if (error instanceof AtlasBridgeError && unproved.includes(error.code)) return null;
  throw error;
}

/** Inside a session no hub is started, because the session starts one itself. Errors: ATB_SUPERVISED. */
async function awaitHub(options: HubClientOptions): Promise<HubClient> {
  for (const deadline = performance.now() + INSIDE_LIMIT_MS; performance.now() < deadline;) {
    await pause(POLL_EVERY_MS);
    const client = await findHub(options);
    if (client) return client;
  }
  throw createInsideError();
}

/**
 * Runs idempotent `work` with a connection, starts a hub if necessary, and repeats `work` if the connection is lost. Errors: as `reachHub`,
 * and those of `work`.
 */
export async function withHub<T>(
  paths: Paths,
  work: (hub: HubClient) => Promise<T>,
  reach: (options: HubClientOptions) => Promise<HubClient> = reachHub,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const hub = await reach({ paths });
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

/** The longest start of a hub on a busy machine. */
const QUERY_LIMIT_MS = 4_000;

/**
 * Like `withHub`, for read-only work: it starts a hub only in place of one that is too old. Errors: also ATB_HUB_UNREACHABLE if none is
 * running.
 */
export function queryHub<T>(paths: Paths, work: (hub: HubClient) => Promise<T>): Promise<T> {
  return withHub(paths, work, async (options) => {
    for (const deadline = performance.now() + QUERY_LIMIT_MS; ;) {
      const hub = await findHub(options).catch((error: unknown) => replaceOldHub(options, error));
      if (hub) return hub;
      const isExpected = isHubStarting(paths, systemClock.now()) || hasLeftSocket(paths);
      if (!isExpected || performance.now() > deadline) break;
      await pause(POLL_EVERY_MS);
    }
    const stopped = readStopNote(paths) === null ? "" : ": it was stopped";
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `no hub is running${stopped}`, {
      hint: "`atlasbridge hub start` starts one, and so does the next `atlasbridge run`.",
    });
  });
}

/** Any command replaces a hub that is too old for this program. */
function replaceOldHub(options: HubClientOptions, error: unknown): Promise<HubClient> {
  if (error instanceof AtlasBridgeError && error.code === "ATB_WIRE_VERSION") return reachHub(options);
  throw error;
}

/** A hub that exits removes its socket; a killed one leaves it, and its sessions start the next. */
function hasLeftSocket(paths: Paths): boolean {
  return readStopNote(paths) === null && existsSync(paths.socket);
}

export async function fetchPrompts(hub: HubClient, all: boolean): Promise<ListedPrompt[]> {
  return fetchAllPages(
    (after) => hub.call("prompts.list", { all, ...after }),
    ({ promptId }) => promptId,
  );
}

export async function fetchSessions(hub: HubClient, all: boolean): Promise<ListedSession[]> {
  return fetchAllPages(
    (after) => hub.call("sessions.list", { all, ...after }),
    ({ sessionId }) => sessionId,
  );
}

/** If an item settles between two pages, others may appear twice; each is kept once. */
async function fetchAllPages<T>(
  fetchPage: (after: { after?: string }) => Promise<T[]>,
  readId: (item: T) => string,
): Promise<T[]> {
  const items = new Map<string, T>();
  for (let known = -1; items.size > known;) {
    known = items.size;
    const last = [...items.keys()].at(-1);
    for (const item of await fetchPage(last === undefined ? {} : { after: last }))
      items.set(readId(item), item);
  }
  return [...items.values()];
}
