/** Connecting to the hub that serves, and finding out whether one understands it. Starts nothing. */
import type { Socket } from "node:net";
import { isHubSecretClosed } from "../../config/hub-secret.js";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { findPeer } from "../../observe/peer-process.js";
import { HUB_CALLS, OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION, type HubCalls } from "../../wire/messages.js";
import { Peer, type Listeners } from "../../wire/peer.js";
import { programVersion } from "../../observe/program-version.js";
import { HELLO_TIMEOUT_MS, HubApproach, type HubHello, type Suspect } from "./approach.js";
import { isInsideSession } from "./start-hub.js";

export type { HubHello } from "./approach.js";

export type HubClient = Peer<HubCalls>;

export interface HubClientOptions {
  readonly paths: Paths;
  readonly listeners?: Listeners;
}

/**
 * Connects to the hub that serves. Null when there is none, or what listens says what no hub does.
 * Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED; ATB_WIRE_VERSION or ATB_WIRE_TOO_OLD when hub and program do not understand each
 * other; ATB_HUB_FALSE where something listens that pretends to be it; ATB_HUB_SILENT where it does not answer at all; ATB_SUPERVISED
 * in an isolated session, which is told nothing.
 */
export async function findHub(options: HubClientOptions): Promise<HubClient | null> {
  const found = await meetHub(options);
  if (!found) return null;
  const problem = misunderstanding(found.hello);
  if (!problem) return found.hub;
  found.hub.close();
  throw problem;
}

export interface MetHub {
  readonly hub: HubClient;
  readonly hello: HubHello;
}

/** As `findHub`, but takes a hub of any version: with it only `hub.hello`, `hub.yield` and `hub.stop` are sure to work. */
export async function meetHub(options: HubClientOptions): Promise<MetHub | null> {
  const isolated = isolation(options.paths);
  if (isolated) throw isolated;
  const suspects: Suspect[] = [];
  const onSuspect = (suspect: Suspect): void => void suspects.push(suspect);
  const approach = new HubApproach({ paths: options.paths, supervises: false, onSuspect });
  for (let found: AtlasBridgeError | null = null; ;) {
    const stream = await dialHub(approach);
    if (!stream && found) throw found;
    if (!stream) return null;
    const met = await meet(approach, stream, options);
    if (!(met instanceof AtlasBridgeError)) {
      for (const suspect of suspects) await met?.hub.call("hub.suspect", suspect).catch(() => undefined);
      return met;
    }
    found = met;
  }
}

/** Why this program is told nothing; null where it is. */
export function isolation(paths: Paths): AtlasBridgeError | null {
  if (!isInsideSession() || !isHubSecretClosed(paths)) return null;
  return new AtlasBridgeError("ATB_SUPERVISED", "this program is isolated: the hub tells it nothing", {
    hint: "Run the command in another terminal. Only `atlasbridge run --isolate` does this to a tool.",
  });
}

/** Null for what does not speak as a hub does; the error for what only pretends to be ours, or does not speak at all. */
async function meet(
  approach: HubApproach,
  stream: Socket,
  { listeners }: HubClientOptions,
): Promise<MetHub | AtlasBridgeError | null> {
  const hub = new Peer(stream, {
    remote: HUB_CALLS,
    clock: systemClock,
    ...(listeners ? { listeners } : {}),
  });
  try {
    return { hub, hello: await approach.prove(hub, stream) };
  } catch (error) {
    const isSilent = hub.isOpen && error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
    const silent = isSilent ? silentHub(findPeer(stream)?.pid ?? null) : null;
    if (silent) approach.passBy();
    hub.close();
    return error instanceof AtlasBridgeError && error.code === "ATB_HUB_FALSE" ? error : silent;
  }
}

/** It takes connections, for the system does that, but its process is stopped or stuck: it can go on at any time. */
function silentHub(pid: number | null): AtlasBridgeError {
  const who = pid === null ? "a hub" : `the hub (process ${pid})`;
  const said = `${who} is there and does not answer within ${HELLO_TIMEOUT_MS / 1000} s`;
  return new AtlasBridgeError("ATB_HUB_SILENT", said, {
    hint: `It may go on, and answer. End it with \`kill -9 ${pid ?? "PID"}\`: nothing is lost by it, and sessions start the next one.`,
  });
}

async function dialHub(approach: HubApproach): Promise<Socket | null> {
  try {
    return await approach.dial();
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code !== "ATB_HUB_UNREACHABLE") throw error;
    return null;
  }
}

/** Why a hub of that version and this program cannot work together; null when they can. */
export function misunderstanding({ protocol, oldest, version, pid }: HubHello): AtlasBridgeError | null {
  const says = `the hub (process ${pid}) is of version ${version}, this program of ${programVersion()}`;
  if (protocol < OLDEST_PROTOCOL_VERSION)
    return new AtlasBridgeError("ATB_WIRE_VERSION", `${says}: too old to understand it`, {
      hint: "`atlasbridge hub start` replaces it; sessions go on.",
    });
  if (oldest > PROTOCOL_VERSION)
    return new AtlasBridgeError("ATB_WIRE_TOO_OLD", `${says}, which it no longer understands`, {
      hint: "Use the newer program, or stop the hub with it.",
    });
  return null;
}
