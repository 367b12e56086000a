import type { Socket } from "node:net";
import { isHubSecretClosed } from "../../config/hub-secret.js";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { findPeer } from "../../observe/peer-process.js";
import { HUB_CALLS, OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION, type HubCalls } from "../../wire/messages.js";
import { Peer, type Listeners } from "../../wire/peer.js";
import { getProgramVersion } from "../../observe/package-root.js";
import { HELLO_TIMEOUT_MS, HubApproach, type HubHello, type Impostor } from "./approach.js";
import { isInsideSession } from "./start-hub.js";

export type { HubHello } from "./approach.js";

export type HubClient = Peer<HubCalls>;

export interface HubClientOptions {
  readonly paths: Paths;
  readonly listeners?: Listeners;
}

/**
 * Connects to the running hub. Null if there is none or the listener does not speak the protocol. Errors: ATB_SOCKET_UNSAFE,
 * ATB_FILE_DENIED; ATB_WIRE_VERSION or ATB_WIRE_TOO_OLD if the versions are incompatible; ATB_HUB_IMPOSTOR for an impostor;
 * ATB_HUB_SILENT if it does not respond; ATB_SUPERVISED in an isolated session, which may not talk to the hub.
 */
export async function findHub(options: HubClientOptions): Promise<HubClient | null> {
  const found = await identifyHub(options);
  if (!found) return null;
  const problem = checkCompatibility(found.hello);
  if (!problem) return found.hub;
  found.hub.close();
  throw problem;
}

/** Runs `work` with the running hub. Null if there is none. Errors: as `findHub`, and those of `work`. */
export async function askFoundHub<T>(paths: Paths, work: (hub: HubClient) => Promise<T>): Promise<T | null> {
  const hub = await findHub({ paths });
  try {
    return hub && (await work(hub));
  } finally {
    hub?.close();
  }
}

export interface IdentifiedHub {
  readonly hub: HubClient;
  readonly hello: HubHello;
}

/** Like `findHub`, for a hub of any version: only `hub.hello`, `hub.yield` and `hub.stop` work with each. */
export async function identifyHub(options: HubClientOptions): Promise<IdentifiedHub | null> {
  const isolated = createIsolationError(options.paths);
  if (isolated) throw isolated;
  const impostors: Impostor[] = [];
  const onImpostor = (impostor: Impostor): void => void impostors.push(impostor);
  const approach = new HubApproach({ paths: options.paths, supervises: false, onImpostor });
  for (let found: AtlasBridgeError | null = null; ;) {
    const stream = await dialHub(approach);
    if (!stream && found) throw found;
    if (!stream) return null;
    const met = await identify(approach, stream, options);
    if (!(met instanceof AtlasBridgeError)) {
      for (const impostor of impostors) await met?.hub.call("hub.suspect", impostor).catch(() => undefined);
      return met;
    }
    found = met;
  }
}

/** Null if this program may talk to the hub. */
export function createIsolationError(paths: Paths): AtlasBridgeError | null {
  if (!isInsideSession() || !isHubSecretClosed(paths)) return null;
  return new AtlasBridgeError("ATB_SUPERVISED", "this program is isolated and cannot use the hub", {
    hint: "Run the command in another terminal. A tool is isolated by `atlasbridge run --isolate`.",
  });
}

/** Null if the listener does not speak the protocol; an error for an impostor or a silent hub. */
async function identify(
  approach: HubApproach,
  stream: Socket,
  { listeners }: HubClientOptions,
): Promise<IdentifiedHub | AtlasBridgeError | null> {
  const hub = new Peer(stream, {
    remote: HUB_CALLS,
    clock: systemClock,
    ...(listeners ? { listeners } : {}),
  });
  try {
    return { hub, hello: await approach.prove(hub, stream) };
  } catch (error) {
    const isSilent = hub.isOpen && error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
    const silent = isSilent ? createSilenceError(findPeer(stream)?.pid ?? null) : null;
    if (silent) approach.skipPlace();
    hub.close();
    return error instanceof AtlasBridgeError && error.code === "ATB_HUB_IMPOSTOR" ? error : silent;
  }
}

/** The process is stopped or stuck, and may continue at any time. */
function createSilenceError(pid: number | null): AtlasBridgeError {
  const who = pid === null ? "a hub" : `the hub (process ${pid})`;
  const said = `${who} has not responded within ${HELLO_TIMEOUT_MS / 1000} s`;
  return new AtlasBridgeError("ATB_HUB_SILENT", said, {
    hint: `It may still recover. To replace it, run \`kill -9 ${pid ?? "PID"}\`: nothing is lost, and sessions start a new hub.`,
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

/** Null if the versions are compatible. */
export function checkCompatibility({ protocol, oldest, version, pid }: HubHello): AtlasBridgeError | null {
  const says = `the hub (process ${pid}) has version ${version}, this program ${getProgramVersion()}`;
  if (protocol < OLDEST_PROTOCOL_VERSION)
    return new AtlasBridgeError("ATB_WIRE_VERSION", `${says}: the hub is too old`, {
      hint: "`atlasbridge hub start` replaces it; sessions keep running.",
    });
  if (oldest > PROTOCOL_VERSION)
    return new AtlasBridgeError("ATB_WIRE_TOO_OLD", `${says}: the hub no longer supports it`, {
      hint: "Use the newer program, or stop the hub with it.",
    });
  return null;
}
