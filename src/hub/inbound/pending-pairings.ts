/** Issues pairing codes and recognizes them. A code is valid only while the terminal that shows it waits. In memory only. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { Cancel, Clock } from "../../model/clock.js";
import type { Random } from "../../observe/random.js";
import type { Inbound, InboundResponse } from "../../sdk/channel.js";
import { findMembership, type People } from "../people/people.js";

/** 31^8 codes within ten minutes cannot be guessed, and a person at the terminal confirms name and id as well. */
const CODE_LENGTH = 8;
/** Enough time to find the phone and open the chat. */
const CODE_LIFE_MS = 10 * 60 * 1_000;
/** Codes that are not valid any more and still get a reply: more than a person issues while they set this up. */
const ENDED_MAX = 64;

const RECEIVED = "Code received. If your terminal asks, confirm there that it was you.";
const SENT_BY_ANOTHER = "Somebody else has sent this code already. Nobody else can be paired with it.";
const INVALID = "This pairing code is not valid any more";

/** A chat's start command with something of the form of a code, such as a pairing link sends. */
const START_CODE = new RegExp(`^/start(?:@\\w{1,64})? +[a-z2-9]{${CODE_LENGTH}}$`, "i");

export function hasStartCode(text: string): boolean {
  return START_CODE.test(text.trim());
}

/** The reply to a code that no terminal waits for. `isListed`: the sender is in the configuration already. */
export function refuseCode(isListed: boolean): InboundResponse {
  const next = isListed
    ? ". You are listed already: write help to see what you can do here."
    : `: the program that showed it has ended, or ${CODE_LIFE_MS / 60_000} minutes are over. Run atlasbridge setup again, and send the new code.`;
  return { text: `${INVALID}${next}`, alert: false };
}

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
  /** Who sent the code first; null: nobody yet. */
  sentBy: string | null;
}

export class PendingPairings {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #pending = new Map<string, PendingPairing>();
  /** The channel of each code that was valid once, oldest first. */
  readonly #ended = new Map<string, string>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** `callerEnded` settles when the program that shows the code is gone: nobody could confirm a sender any more. */
  begin(channel: string, callerEnded?: Promise<unknown>): string {
    const code = this.#random.short(CODE_LENGTH);
    let found: PendingPairing["found"] = () => undefined;
    let expire: (error: Error) => void = () => undefined;
    const request = new Promise<PairingRequest>((resolve, reject) => {
      found = resolve;
      expire = reject;
    });
    // There may be no waiter yet, or none any more.
    request.catch(() => undefined);
    const end = (): void => {
      this.#end(code);
      expire(createPairingError(channel));
    };
    const cancelExpiry = this.#clock.after(CODE_LIFE_MS, end);
    this.#pending.set(code, { channel, request, found, cancelExpiry, sentBy: null });
    void callerEnded?.then(end, end);
    return code;
  }

  #end(code: string): void {
    const pending = this.#pending.get(code);
    if (pending === undefined) return;
    pending.cancelExpiry();
    this.#pending.delete(code);
    this.#ended.set(code, pending.channel);
    const [eldest] = this.#ended.keys();
    if (this.#ended.size > ENDED_MAX && eldest !== undefined) this.#ended.delete(eldest);
  }

  /** Resolves when the code arrives. Errors: ATB_PAIRING_FAILED when it expires or is unknown. */
  wait(channel: string, code: string): Promise<PairingRequest> {
    const pending = this.#pending.get(code);
    return pending?.channel === channel ? pending.request : Promise.reject(createPairingError(channel));
  }

  isPairing(channel: string): boolean {
    return [...this.#pending.values()].some((pending) => pending.channel === channel);
  }

  /** Null: the text is no pairing code. The sender of one that has ended gets a note. */
  accept(channel: string, inbound: Inbound, people: People): InboundResponse | null {
    if (inbound.kind !== "text") return null;
    const code = inbound.text
      .trim()
      .replace(/^\/start(?:@\w{1,64})? +/, "")
      .toLowerCase();
    const { identity, displayName, place } = inbound;
    if (this.#ended.get(code) === channel) return refuseCode(findMembership(people, identity) !== null);
    const pending = this.#pending.get(code);
    if (pending?.channel !== channel) return null;
    // The code stays known for a later `wait`.
    pending.sentBy ??= identity;
    if (pending.sentBy !== identity) return { text: SENT_BY_ANOTHER, alert: false };
    pending.found({ identity, displayName, place });
    return { text: RECEIVED, alert: false };
  }

  stop(): void {
    for (const { cancelExpiry } of this.#pending.values()) cancelExpiry();
    this.#pending.clear();
  }
}

function createPairingError(channel: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_PAIRING_FAILED", `nobody sent the pairing code over ${channel} in time`, {
    hint: "Run the command again and send the new code.",
  });
}
