/** The way to the hub: to each place where it may be, and no word to what is not this user's hub. */
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { readHubSecret } from "../../config/hub-secret.js";
import type { Paths } from "../../config/paths.js";
import { hubSockets } from "../../config/private-files.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { dial } from "../../wire/dial.js";
import { introduce } from "../../wire/hub-proof.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsFor, type ResultOf } from "../../wire/messages.js";
import type { Peer } from "../../wire/peer.js";
import { programVersion } from "../../observe/program-version.js";
import { checkListener } from "./listener-check.js";

/** A hub answers in milliseconds, and one that takes fifty sessions back in a second; a stranger never does. */
export const HELLO_TIMEOUT_MS = 3_000;
/** What was found out is passed by for so long: the hub itself puts its files right within half a second. */
const AVOID_MS = 1_000;

/** What a hub says of itself. */
export type HubHello = ResultOf<HubCalls, "hub.hello">;
/** What was met in the hub's place. */
export type Suspect = ParamsFor<HubCalls, "hub.suspect">;

export interface ApproachOptions {
  readonly paths: Paths;
  /** This process has a tool below it. */
  readonly supervises: boolean;
  readonly onSuspect: (suspect: Suspect) => void;
}

export class HubApproach {
  readonly #options: ApproachOptions;
  /** Places where something false listened, and until when they are passed by (ms since this process began). */
  readonly #avoided = new Map<string, number>();
  #place = "";

  constructor(options: ApproachOptions) {
    this.#options = options;
  }

  /**
   * Connects to the first place where somebody listens who was not found out a moment ago. Errors: ATB_SOCKET_UNSAFE,
   * ATB_FILE_DENIED, ATB_HUB_UNREACHABLE; the system's where nobody listens.
   */
  async dial(): Promise<Socket> {
    const now = performance.now();
    const places = hubSockets(this.#options.paths).filter((each) => (this.#avoided.get(each) ?? 0) <= now);
    let problem: unknown = new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub serves");
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

  /** The place that was connected to last is not tried again on this way. */
  passBy(): void {
    this.#avoided.set(this.#place, Infinity);
  }

  /** Over the connection that was made last. Errors: as `proveHub`. */
  async prove(hub: Peer<HubCalls>, socket: Duplex): Promise<HubHello> {
    const { paths, supervises, onSuspect } = this.#options;
    const place = this.#place;
    return proveHub(hub, socket, { paths, supervises, place }, (suspect) => {
      this.#avoided.set(place, performance.now() + AVOID_MS);
      onSuspect(suspect);
    });
  }
}

export interface ProofOptions extends Pick<ApproachOptions, "paths" | "supervises"> {
  /** The path of the socket that was connected to. */
  readonly place: string;
}

/**
 * Resolves once the hub is proved to be this user's, and has proof of us. Errors: ATB_HUB_FALSE; ATB_HUB_UNREACHABLE where no hub can
 * have served yet; those of `Peer.call` for what does not speak as a hub does.
 */
export async function proveHub(
  hub: Peer<HubCalls>,
  socket: Duplex,
  { paths, supervises, place }: ProofOptions,
  onSuspect: (suspect: Suspect) => void = () => undefined,
): Promise<HubHello> {
  const { pid, problem } = checkListener(socket, supervises);
  const foundOut = (problem: string): AtlasBridgeError => {
    onSuspect({ socket: place, pid, problem });
    return new AtlasBridgeError("ATB_HUB_FALSE", `what listens on ${place} is not your hub: ${problem}`, {
      hint: "Nothing was told to it. Look at that process, and end it if it is not yours.",
    });
  };
  if (problem !== null) throw foundOut(problem);
  const secret = readHubSecret(paths);
  // A hub has one before it listens: nothing that is there now can be one.
  if (!secret)
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `no hub has left a secret in ${paths.hubSecret}`);
  const ends = { callerPid: pid === null ? null : process.pid, hubPid: pid };
  const own = { protocol: PROTOCOL_VERSION, version: programVersion() };
  try {
    return await introduce(hub, { own, secret, ends, timeoutMs: HELLO_TIMEOUT_MS });
  } catch (error) {
    const isFalse = error instanceof AtlasBridgeError && error.code === "ATB_HUB_FALSE";
    throw isFalse ? foundOut(error.message) : error;
  }
}
