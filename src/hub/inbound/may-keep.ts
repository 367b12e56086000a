/** Whether an update that came in is worth a row: of people always, of strangers a bounded number. */
import type { Identity } from "../../model/ids.js";
import type { ConfiguredChannel } from "../people/routing.js";
import { membershipOf } from "../people/people.js";
import type { Ledger } from "../ledger/ledger.js";
import type { PendingPairings } from "./pairing-desk.js";

/** What is not kept does nothing, and its sender hears nothing; it is counted. */
export function mayKeep(
  ledger: Ledger,
  pairing: PendingPairings,
  configuredChannel: ConfiguredChannel,
  raw: unknown,
): boolean {
  // Whoever is being paired is still a stranger.
  if (pairing.expects(configuredChannel.id)) return true;
  const { clock, settings } = ledger.options;
  const identity = senderOf(configuredChannel, raw);
  if (identity !== null && membershipOf(settings().people, identity) !== null) return true;
  return ledger.strangers.mayKeep(identity, clock.now());
}

function senderOf({ channel }: ConfiguredChannel, raw: unknown): Identity | null {
  try {
    return channel.senderOf?.(raw) ?? channel.interpret(raw)?.identity ?? null;
  } catch {
    // What breaks its channel is told of where it is handled.
    return null;
  }
}
