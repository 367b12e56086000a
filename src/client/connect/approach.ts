/** Connects to the hub at each place where it may listen, and sends nothing to any other program. */
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { readHubSecret } from "../../config/hub-secret.js";
import type { Paths } from "../../config/paths.js";
import { listHubSockets } from "../../config/private-files.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { dial } from "../../wire/dial.js";
import { introduce } from "../../wire/hub-proof.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsFor, type ResultOf } from "../../wire/messages.js";
import type { Peer } from "../../wire/peer.js";
import { getProgramVersion } from "../../observe/package-root.js";
import { checkListener } from "./listener-check.js";

/** A hub answers in milliseconds, and in a second when fifty sessions reconnect. */
export const HELLO_TIMEOUT_MS = 3_000;
/** How long the place of an impostor is skipped: a hub restores its own files within half a second. */
const SKIP_MS = 1_000;
/** Time for the system to close the connection of a process that exited. */
const ENDS_WITHIN_MS = 250;

export type HubHello = ResultOf<HubCalls, "hub.hello">;
export type Impostor = ParamsFor<HubCalls, "hub.suspect">;

export interface ApproachOptions {
  readonly paths: Paths;
  /** This process runs a tool. */
  readonly supervises: boolean;
  readonly onImpostor: (impostor: Impostor) => void;
}

export class HubApproach {
  readonly #options: ApproachOptions;
  /** Places of impostors, and until when they are skipped (ms since this process began). */
  readonly #avoided = new Map<string, number>();
  #place = "";

  constructor(options: ApproachOptions) {
    this.#options = options;
  }

  /**
   * Connects to the first place that listens and is not skipped. Errors: ATB_SOCKET_UNSAFE, ATB_FILE_DENIED, ATB_HUB_UNREACHABLE; the
   * system's if nobody listens.
   */
  async dial(): Promise<Socket> {
    const now = performance.now();
    const places = listHubSockets(this.#options.paths).filter(
      (each) => (this.#avoided.get(each) ?? 0) <= now,
    );
    let problem: unknown = new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub is running");
    for (const place of places) {
      try {
        const socket = await dial(place);
        this.#place = place;
        return socket;
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  skipPlace(): void {
    this.#avoided.set(this.#place, Infinity);
  }

  async prove(hub: Peer<HubCalls>, socket: Duplex): Promise<HubHello> {
    const { paths, supervises, onImpostor } = this.#options;
    const place = this.#place;
    return proveHub(hub, socket, { paths, supervises, place }, (impostor) => {
      this.#avoided.set(place, performance.now() + SKIP_MS);
      onImpostor(impostor);
    });
  }
}

export interface ProofOptions extends Pick<ApproachOptions, "paths" | "supervises"> {
  readonly place: string;
}

/**
 * Resolves when the hub and this process have proved themselves to each other. Errors: ATB_HUB_IMPOSTOR; ATB_HUB_UNREACHABLE if no
 * hub can have served yet; those of `Peer.call` for a listener that does not speak the protocol.
 */
export async function proveHub(
  hub: Peer<HubCalls>,
  socket: Duplex,
  { paths, supervises, place }: ProofOptions,
  onImpostor: (impostor: Impostor) => void = () => undefined,
): Promise<HubHello> {
  const { pid, problem, hasExited } = checkListener(socket, supervises);
  const foundOut = (problem: string): AtlasBridgeError => {
    onImpostor({ socket: place, pid, problem });
    return new AtlasBridgeError("ATB_HUB_IMPOSTOR", `what listens on ${place} is not your hub: ${problem}`, {
      hint: "Nothing was sent to it. Check that process, and end it if it is not yours.",
    });
  };
  if (hasExited && (await endsSoon(socket)))
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub on ${place} exited during the call`);
  if (problem !== null) throw foundOut(problem);
  const secret = readHubSecret(paths);
  // A hub creates its secret before it listens.
  if (!secret)
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `there is no hub secret in ${paths.hubSecret}`);
  const ends = { callerPid: pid === null ? null : process.pid, hubPid: pid };
  const own = { protocol: PROTOCOL_VERSION, version: getProgramVersion() };
  try {
    return await introduce(hub, { own, secret, ends, timeoutMs: HELLO_TIMEOUT_MS });
  } catch (error) {
    const isFalse = error instanceof AtlasBridgeError && error.code === "ATB_HUB_IMPOSTOR";
    throw isFalse ? foundOut(error.message) : error;
  }
}

/** After the connection has ended, nobody at its other end can impersonate the hub. */
async function endsSoon(socket: Duplex): Promise<boolean> {
  if (socket.destroyed) return true;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => setImmediate(resolve), ENDS_WITHIN_MS); // What arrived during a long turn is read first.
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return socket.destroyed;
}
