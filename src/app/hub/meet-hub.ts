/** Connecting to the hub that serves, and finding out whether one understands it. Starts nothing. */
import type { Socket } from "node:net";
import type { Paths } from "../../config/paths.js";
import { hubSocket } from "../../config/private-files.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { systemClock } from "../../observe/clock.js";
import { dial } from "../../wire/dial.js";
import {
  HUB_CALLS,
  OLDEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  type HubCalls,
  type ResultOf,
} from "../../wire/messages.js";
import { Peer, type Listeners } from "../../wire/peer.js";
import { programVersion } from "../version.js";

export type HubClient = Peer<HubCalls>;

export interface HubClientOptions {
  readonly paths: Paths;
  readonly listeners?: Listeners;
}

/** A hub answers in milliseconds, and one that takes fifty sessions back in a second; a stranger never does. */
const HELLO_TIMEOUT_MS = 3_000;
/** What a hub says of itself. */
export type HubHello = ResultOf<HubCalls, "hub.hello">;

/**
 * Connects to the hub that serves. Null when there is none, or what listens does not answer as a hub does.
 * Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED; ATB_WIRE_VERSION or ATB_WIRE_TOO_OLD when hub and program do not understand each other.
 */
export async function findHub(options: HubClientOptions): Promise<HubClient | null> {
  const found = await meetHub(options);
  if (!found) return null;
  const problem = misunderstanding(found.hello);
  if (!problem) return found.hub;
  found.hub.close();
  throw problem;
}

/** As `findHub`, but takes a hub of any version: with it only `hub.hello`, `hub.yield` and `hub.stop` are sure to work. */
export async function meetHub({
  paths,
  listeners,
}: HubClientOptions): Promise<{ readonly hub: HubClient; readonly hello: HubHello } | null> {
  const stream = await dialHub(paths);
  if (!stream) return null;
  const hub = new Peer(stream, {
    remote: HUB_CALLS,
    clock: systemClock,
    ...(listeners ? { listeners } : {}),
  });
  const own = { protocol: PROTOCOL_VERSION, version: programVersion() };
  try {
    return { hub, hello: await hub.call("hub.hello", own, { timeoutMs: HELLO_TIMEOUT_MS }) };
  } catch {
    hub.close();
    return null;
  }
}

async function dialHub(paths: Paths): Promise<Socket | null> {
  try {
    return await dial(hubSocket(paths));
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
