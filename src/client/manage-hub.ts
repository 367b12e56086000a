/** What the hub commands do: start, stop, look, reload. */
import { readStopNote, type LeftSession } from "../config/hub-notes.js";
import { resolvePaths, type Paths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import { mapStrings } from "../model/data/map-strings.js";
import { isNewer } from "../model/data/version.js";
import { processAlive } from "../observe/process-life.js";
import { makeVisible } from "../safety/display.js";
import { safeText } from "../safety/safe-text.js";
import type { HubStatus } from "../wire/listings.js";
import type { HubCalls, ResultOf } from "../wire/messages.js";
import { configProblem } from "./connect/config-problem.js";
import { isGone, noHubIfUnproved, reachHub, replaceHub } from "./client.js";
import { seeSessions, type SeenSession } from "./seen-sessions.js";
import { refuseStart } from "./connect/refuse-start.js";
import { findHub, meetHub, type HubClient } from "./connect/meet-hub.js";
import { programVersion } from "../observe/program-version.js";

/** Why there is no hub although somebody might expect one. */
export interface Stopped {
  /** ms since 1970. */
  readonly at: number;
  /** Sessions that went on without a hub and still do. */
  readonly sessions: readonly LeftSession[];
}

export interface HubOverview {
  /** Null where no hub runs. */
  readonly hub: HubStatus | null;
  readonly sessions: readonly SeenSession[];
  /** Null where a hub runs, or none was stopped. */
  readonly stopped: Stopped | null;
  /** Where no hub runs: why none could be started from here, as far as the configuration shows it. */
  readonly problem: string | null;
}

/** Starts nothing. */
export async function overview(): Promise<HubOverview> {
  const paths = resolvePaths();
  const hub = await findHub({ paths });
  if (!hub) return { hub: null, sessions: [], stopped: whatWasLeft(paths), problem: configProblem(paths) };
  try {
    return {
      hub: await hub.call("hub.status", {}),
      sessions: await seeSessions(hub, false),
      stopped: null,
      problem: null,
    };
  } finally {
    hub.close();
  }
}

function whatWasLeft(paths: Paths): Stopped | null {
  const note = readStopNote(paths);
  if (!note) return null;
  const living = note.sessions.filter(({ pid, pidStartTime }) => processAlive(pid, pidStartTime));
  const shown = living.map(({ tool, label, ...rest }) => ({
    ...rest,
    tool: safeText(tool),
    label: label && safeText(label),
  }));
  return { at: note.at, sessions: shown };
}

export interface StartedHub {
  readonly started: boolean;
  /** Version of an older hub that made way. */
  readonly replaced: string | null;
  readonly status: HubStatus;
}

/** Starts a hub unless one of this version (or a newer one) serves. Errors: as `reachHub`; ATB_SUPERVISED inside a session. */
export async function startHub(): Promise<StartedHub> {
  const paths = resolvePaths();
  await refuseStart(paths);
  const met = await meetHub({ paths }).catch(noHubIfUnproved);
  const older = met !== null && isNewer(programVersion(), met.hello.version);
  if (older) await replaceHub(met.hub, met.hello, doesNotEnd(met.hello.pid));
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
  /** How many sessions go on without a hub. */
  readonly sessions: number;
}

/** Stops the hub, of whatever version, and waits until its process is gone. Null where none runs. Errors: ATB_HUB_UNREACHABLE, ATB_HUB_SILENT. */
export async function stopHub(): Promise<StoppedHub | null> {
  const paths = resolvePaths();
  const met = await meetHub({ paths });
  if (!met) return null;
  const { pid } = met.hello;
  await met.hub.call("hub.stop", {}).finally(() => met.hub.close());
  if (await isGone(pid)) return { pid, sessions: whatWasLeft(paths)?.sessions.length ?? 0 };
  throw doesNotEnd(pid);
}

function doesNotEnd(pid: number): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub (process ${pid}) does not end`, {
    hint: `End it with \`kill -9 ${pid}\`: nothing is lost by it.`,
  });
}

/**
 * Makes the running hub read its configuration again. Returns the keys that changed, and what became of channels. Errors: ATB_HUB_UNREACHABLE where none runs; as the
 * hub meets them ATB_CONFIG_INVALID, ATB_CONFIG_SECRET_MISSING.
 */
export async function reloadHub(): Promise<ResultOf<HubCalls, "hub.reload">> {
  const told = await withRunningHub((hub) => hub.call("hub.reload", {}));
  return mapStrings(told, makeVisible) as typeof told;
}

/** Errors: ATB_HUB_UNREACHABLE where none runs. */
export function hubStatus(): Promise<HubStatus> {
  return withRunningHub((hub) => hub.call("hub.status", {}));
}

async function withRunningHub<T>(work: (hub: HubClient) => Promise<T>): Promise<T> {
  const hub = await findHub({ paths: resolvePaths() });
  if (!hub)
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub runs", {
      hint: "The first `atlasbridge run` starts one, and so does `atlasbridge hub start`.",
    });
  try {
    return await work(hub);
  } finally {
    hub.close();
  }
}
