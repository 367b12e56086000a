/** Issues pairing codes and recognizes them when they arrive over a channel. Codes live in memory only. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { Cancel, Clock } from "../../model/clock.js";
import type { Random } from "../../observe/random.js";
import type { Inbound, InboundAnswer } from "../../sdk/channel.js";

/** 31^8 codes within ten minutes cannot be guessed, and a person at the terminal confirms name and id as well. */
const CODE_LENGTH = 8;
/** Enough time to find the phone and open the chat. */
const CODE_LIFE_MS = 10 * 60 * 1_000;

/** Who sent the code and where, to be confirmed at the terminal. */
export interface PairingRequest {
  readonly identity: string;
  readonly displayName: string;
  readonly place: string;
}

interface PendingPairing {
  readonly channel: string;
  readonly request: Promise<PairingRequest>;
  readonly found: (request: PairingRequest) => void;
  readonly cancelExpiry: Cancel;
}

export class PendingPairings {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pending = new Map<string, PendingPairing>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Issues a new code for this channel. Older codes stay valid until they expire. */
  begin(channel: string): string {
    const code = this.#random.short(CODE_LENGTH);
    let found: PendingPairing["found"] = () => undefined;
    let expire: (error: Error) => void = () => undefined;
    const request = new Promise<PairingRequest>((resolve, reject) => {
      found = resolve;
      expire = reject;
    });
    // There may be no waiter yet, or none any more.
    request.catch(() => undefined);
    const cancelExpiry = this.#clock.after(CODE_LIFE_MS, () => {
      this.#pending.delete(code);
      expire(pairingFailed(channel));
    });
    this.#pending.set(code, { channel, request, found, cancelExpiry });
    return code;
  }

  /** Resolves when the code arrives. Errors: ATB_PAIRING_FAILED when it expires or is unknown. */
  wait(channel: string, code: string): Promise<PairingRequest> {
    const pending = this.#pending.get(code);
    return pending?.channel === channel ? pending.request : Promise.reject(pairingFailed(channel));
  }

  /** Whether a pairing over this channel is in progress. */
  isPairing(channel: string): boolean {
    return [...this.#pending.values()].some((pending) => pending.channel === channel);
  }

  /** Accepts a text that is a pairing code, alone or as a chat's start command; null for any other text. */
  take(channel: string, text: Extract<Inbound, { kind: "text" }>): InboundAnswer | null {
    const code = text.text
      .trim()
      .replace(/^\/start +/, "")
      .toLowerCase();
    const pending = this.#pending.get(code);
    if (pending?.channel !== channel) return null;
    const { identity, displayName, place } = text;
    pending.cancelExpiry();
    pending.found({ identity, displayName, place });
    // The code stays known for a later `wait`; a second sender finds the promise already settled.
    return { text: "Code received. Confirm at the terminal that it was you.", alert: false };
  }

  stop(): void {
    for (const { cancelExpiry } of this.#pending.values()) cancelExpiry();
    this.#pending.clear();
  }
}

function pairingFailed(channel: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", `nobody sent the pairing code over ${channel} in time`, {
    hint: "Begin again with `atlasbridge channel add` and send the new code to the bot.",
  });
}
