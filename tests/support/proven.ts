/** Both ends of a connection that prove themselves to one another, for tests that are about what comes after. */
import type { CallerProcess } from "../../src/hub/serve/caller-check.js";
import { introduce, makeProof } from "../../src/wire/hub-proof.js";
import { PROTOCOL_VERSION, type HubCalls } from "../../src/wire/messages.js";
import type { Peer } from "../../src/wire/peer.js";

export const SECRET = Buffer.alloc(32, 7);
const OF_HUB = "challenge of the hub";

/** As the hub sees a process on a system that tells nothing of it. */
export function callerDouble(over: Partial<CallerProcess> = {}): CallerProcess {
  return {
    pid: null,
    is: () => true,
    isSupervised: () => false,
    isLeftBehind: () => false,
    descentMark: () => Infinity,
    supervisor: () => null,
    ...over,
  };
}

export async function prove(hub: Peer<HubCalls>, callerPid: number | null = null): Promise<void> {
  const own = { protocol: PROTOCOL_VERSION, version: "0.0.0" };
  const ends = { callerPid, hubPid: callerPid === null ? null : process.pid };
  await introduce(hub, { own, secret: SECRET, ends, timeoutMs: 5_000 });
}

/** What a hub in this process adds to its hello so that a caller in this process believes it. */
export function helloProof(secret: Buffer, ofCaller: string): { challenge: string; proof: string } {
  const isTold = process.platform === "linux";
  const ends = { callerPid: isTold ? process.pid : null, hubPid: isTold ? process.pid : null };
  return { challenge: OF_HUB, proof: makeProof("hub", secret, { ofCaller, ofHub: OF_HUB }, ends) };
}
