/**
 * Hub and caller prove to one another that they know the secret of this user's hub, which never crosses the wire. Both processes are
 * part of each proof, as the kernel tells them: whoever stands between two others cannot pass a proof on.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AtlasBridgeError } from "../model/errors.js";
import type { HubCalls, ResultOf } from "./messages.js";
import type { Peer } from "./peer.js";

/** 256 bits: no challenge ever comes twice. */
const CHALLENGE_BYTES = 32;

/** The two processes of a connection; null for both where the system does not tell who is at the other end. */
export interface ProofEnds {
  readonly callerPid: number | null;
  readonly hubPid: number | null;
}

export interface Challenges {
  readonly ofCaller: string;
  readonly ofHub: string;
}

export function newChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString("hex");
}

/** `prover`: a proof of one side is none of the other's. */
export function makeProof(
  prover: "hub" | "caller",
  secret: Buffer,
  { ofCaller, ofHub }: Challenges,
  { callerPid, hubPid }: ProofEnds,
): string {
  const subject = JSON.stringify(["atlasbridge", prover, ofCaller, ofHub, callerPid, hubPid]);
  return createHmac("sha256", secret).update(subject).digest("hex");
}

export function isSameProof(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export interface Introduction {
  readonly own: { readonly protocol: number; readonly version: string };
  readonly secret: Buffer;
  readonly ends: ProofEnds;
  readonly timeoutMs: number;
}

/**
 * The first words of every connection: resolves once both sides have proved themselves. Errors: ATB_HUB_FALSE where the other side
 * does not know the secret, or takes us for somebody else; those of `Peer.call`.
 */
export async function introduce(
  hub: Peer<HubCalls>,
  { own, secret, ends, timeoutMs }: Introduction,
): Promise<ResultOf<HubCalls, "hub.hello">> {
  const ofCaller = newChallenge();
  const answer = await hub.call("hub.hello", { ...own, challenge: ofCaller }, { timeoutMs });
  const { challenge: ofHub = "", proof = "", ...hello } = answer;
  const challenges = { ofCaller, ofHub };
  if (!isSameProof(proof, makeProof("hub", secret, challenges, ends)))
    throw new AtlasBridgeError("ATB_HUB_FALSE", "it does not know the secret of this user's hub");
  await hub.call("hub.prove", { proof: makeProof("caller", secret, challenges, ends) }, { timeoutMs });
  return hello;
}
