/** Decides whether an incoming update is stored: always for known people, up to a limit for strangers. */
import type { Identity } from "../../model/ids.js";
import type { ConfiguredChannel } from "../people/routing.js";
import { findMembership } from "../people/people.js";
import type { Ledger } from "../ledger/ledger.js";
import type { PendingPairings } from "./pending-pairings.js";

/** An update that is not stored has no effect and gets no reply; it is only counted. */
export function shouldStoreUpdate(
  ledger: Ledger,
  pairing: PendingPairings,
  configuredChannel: ConfiguredChannel,
  raw: unknown,
): boolean {
  // A person who is being paired still counts as a stranger.
  if (pairing.isPairing(configuredChannel.id)) return true;
  const { clock, settings } = ledger.options;
  const identity = findSender(configuredChannel, raw);
  if (identity !== null && findMembership(settings().people, identity) !== null) return true;
  return ledger.strangers.shouldStore(identity, clock.now());
}

function findSender({ channel }: ConfiguredChannel, raw: unknown): Identity | null {
  try {
    return channel.findSender?.(raw) ?? channel.interpret(raw)?.identity ?? null;
  } catch {
    // An update that breaks its channel's parser is reported when it is handled.
    return null;
  }
}
