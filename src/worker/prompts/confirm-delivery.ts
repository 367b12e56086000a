import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../model/clock.js";
import { withTimeLimit } from "../../observe/within.js";
import type { Acknowledged, DeliveryProof } from "./pending-request.js";

/** A live peer reads a message and responds much sooner; on a loaded machine that takes a second or two. */
export const DELIVERY_KNOWN_WITHIN_MS = 10_000;

export interface DeliveryPeer {
  /** Resolves when the peer has read everything sent to it; rejects when the connection ends first. */
  ping(): Promise<void>;
}

/**
 * Where the tool acknowledges each answer, only that counts. Otherwise only its response to a later message proves that it has read the
 * decision: any other message may have been on its way before.
 */
export async function confirmDelivery(
  listener: DeliveryPeer | null,
  exited: Promise<unknown>,
  clock: Clock,
  acknowledged?: Acknowledged,
): Promise<DeliveryProof> {
  // The decision is still passing through promises: a ping sent in this turn would overtake it and prove nothing.
  await nextTurn();
  if (!listener) return "gone";
  const gone = (): DeliveryProof => "gone";
  const read = acknowledged?.() ?? listener.ping().then((): DeliveryProof => "heard", gone);
  const delivery = Promise.race([read, exited.then(gone)]);
  return withTimeLimit(delivery, DELIVERY_KNOWN_WITHIN_MS, clock).catch((): DeliveryProof => "silent");
}
