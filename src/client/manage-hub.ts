import { readStopNote, type LeftSession } from "../config/hub-notes.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { mapStrings } from "../model/data/map-strings.js";
import { isNewer } from "../model/data/version.js";
import { isProcessAlive } from "../observe/process-life.js";
import { makeVisible } from "../safety/display.js";
import { sanitizeText } from "../safety/safe-text.js";
import type { HubStatus } from "../wire/listings.js";
import { findConfigProblem } from "./connect/config-problem.js";
import { awaitExit, ignoreUnprovedHub, reachHub, replaceHub } from "./client.js";
import { observeSessions, type ObservedSession } from "./seen-sessions.js";
import { requestReload, type Reloaded } from "./request-reload.js";
import { refuseStart } from "./connect/refuse-start.js";
import { askFoundHub, identifyHub, type HubClient } from "./connect/meet-hub.js";
import { getProgramVersion } from "../observe/package-root.js";

export interface StoppedHubNote {
  /** ms since 1970. */
  readonly at: number;
  /** Sessions that still run without a hub. */
  readonly sessions: readonly LeftSession[];
}

export interface HubOverview {
  /** Null if no hub is running. */
  readonly hub: HubStatus | null;
  readonly sessions: readonly ObservedSession[];
  /** Null if a hub is running, or none was stopped on purpose. */
  readonly stopped: StoppedHubNote | null;
  /** Why no hub could be started; null if one is running. */
  readonly problem: string | null;
}

export async function getOverview(): Promise<HubOverview> {
  const paths = resolvePaths();
  const running = await askFoundHub(paths, async (hub) => ({
    hub: await hub.call("hub.status", {}),
    sessions: await observeSessions(hub),
    stopped: null,
    problem: null,
  }));
  if (running) return running;
  return { hub: null, sessions: [], stopped: readStoppedHub(paths), problem: findConfigProblem(paths) };
}

function readStoppedHub(paths: Paths): StoppedHubNote | null {
  const note = readStopNote(paths);
  if (!note) return null;
  const living = note.sessions.filter(({ pid, pidStartTime }) => isProcessAlive(pid, pidStartTime));
  const shown = living.map(({ tool, label, ...rest }) => ({
    ...rest,
    tool: sanitizeText(tool),
    label: label && sanitizeText(label),
  }));
  return { at: note.at, sessions: shown };
}

export interface StartedHub {
  readonly started: boolean;
  /** Version of an older hub that was replaced. */
  readonly replaced: string | null;
  readonly status: HubStatus;
}

/** Starts a hub unless one of this version or a newer one is running. Errors: as `reachHub`; ATB_SUPERVISED inside a session. */
export async function startHub(): Promise<StartedHub> {
  const paths = resolvePaths();
  await refuseStart(paths);
  const met = await identifyHub({ paths }).catch(ignoreUnprovedHub);
  const older = met !== null && isNewer(getProgramVersion(), met.hello.version);
  if (older) await replaceHub(met.hub, met.hello, createStuckError(met.hello.pid));
  else met?.hub.close();
  const hub = await reachHub({ paths });
  try {
    return {
      started: met === null || older,
      replaced: older ? met.hello.version : null,
      status: await hub.call("hub.status", {}),
    };
  } finally {
    hub.close();
  }
}

export interface StoppedHub {
  readonly pid: number;
  readonly sessions: number;
}

/** Stops a hub of any version and waits for its exit. Null if none is running. Errors: ATB_HUB_UNREACHABLE, ATB_HUB_SILENT. */
export async function stopHub(): Promise<StoppedHub | null> {
  const paths = resolvePaths();
  const met = await identifyHub({ paths });
  if (!met) return null;
  const { pid } = met.hello;
  await met.hub.call("hub.stop", {}).finally(() => met.hub.close());
  if (await awaitExit(pid)) return { pid, sessions: readStoppedHub(paths)?.sessions.length ?? 0 };
  throw createStuckError(pid);
}

function createStuckError(pid: number): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub (process ${pid}) does not exit`, {
    hint: `Run \`kill -9 ${pid}\`: nothing is lost.`,
  });
}

/**
 * Returns the changed keys and channels. Errors: ATB_HUB_UNREACHABLE if none is running; ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING as
 * the hub reports them.
 */
export async function reloadHub(): Promise<Reloaded> {
  const result = await withRunningHub((hub) => requestReload(resolvePaths(), hub));
  return mapStrings(result, makeVisible) as typeof result;
}

export function getHubStatus(): Promise<HubStatus> {
  return withRunningHub((hub) => hub.call("hub.status", {}));
}

async function withRunningHub<T extends object>(work: (hub: HubClient) => Promise<T>): Promise<T> {
  const result = await askFoundHub(resolvePaths(), work);
  if (result) return result;
  throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub is running", {
    hint: "Start one with `atlasbridge hub start`; the next `atlasbridge run` does so too.",
  });
}
