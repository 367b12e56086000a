/**
 * Hub and caller prove to each other that they know the secret of this user's hub, which is never sent. Each proof covers both
 * processes as the kernel reports them, so a program between them cannot forward it.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AtlasBridgeError } from "../model/errors.js";
import type { HubCalls, ResultOf } from "./messages.js";
import type { Peer } from "./peer.js";

/** 256 bits: a challenge never repeats. */
const CHALLENGE_BYTES = 32;

/** The two processes of a connection; null for both if the system does not reveal the peer. */
export interface ProofEnds {
  readonly callerPid: number | null;
  readonly hubPid: number | null;
}

export interface Challenges {
  readonly ofCaller: string;
  readonly ofHub: string;
}

export function createChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString("hex");
}

/** `prover` is covered, so that one side's proof is not valid for the other. */
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
 * The first messages of every connection. Resolves when both sides have proved themselves. Errors: ATB_HUB_IMPOSTOR if the other
 * side does not know the secret or has a different view of us; those of `Peer.call`.
 */
export async function introduce(
  hub: Peer<HubCalls>,
  { own, secret, ends, timeoutMs }: Introduction,
): Promise<ResultOf<HubCalls, "hub.hello">> {
  const ofCaller = createChallenge();
  const answer = await hub.call("hub.hello", { ...own, challenge: ofCaller }, { timeoutMs });
  const { challenge: ofHub = "", proof = "", ...hello } = answer;
  const challenges = { ofCaller, ofHub };
  if (!isSameProof(proof, makeProof("hub", secret, challenges, ends)))
    throw new AtlasBridgeError("ATB_HUB_IMPOSTOR", "it does not know the secret of this user's hub");
  await hub.call("hub.prove", { proof: makeProof("caller", secret, challenges, ends) }, { timeoutMs });
  return hello;
}
