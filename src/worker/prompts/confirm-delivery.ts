/** Whether somebody at the other end of a protocol has read what was sent last. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../model/clock.js";
import type { Acknowledged, DeliveryProof } from "./pending-request.js";

/** Who lives has read what was sent, and says so, long before; on a loaded machine it takes a second or two. */
export const HEARD_WITHIN_MS = 10_000;

export interface DeliveryPeer {
  /** Counts signs of life of which each proves that all that was sent before was read. */
  readonly messages: number;
  /** Resolves when the other end has read all that was sent to it; rejects when the connection ends first. */
  ping(): Promise<void>;
}

/**
 * Where the tool acknowledges each answer, only that counts. Else both ends read in order: whoever has answered what came later has
 * read the decision.
 */
export async function confirmDelivery(
  listener: DeliveryPeer | null,
  exited: Promise<unknown>,
  clock: Clock,
  acknowledged?: Acknowledged,
): Promise<DeliveryProof> {
  // The decision is on its way through promises: what is sent in this turn would overtake it, and prove nothing.
  await nextTurn();
  if (!listener) return "gone";
  const before = listener.messages;
  const spoke = (otherwise: DeliveryProof): DeliveryProof =>
    !acknowledged && listener.messages > before ? "heard" : otherwise;
  let stopTimer = (): void => undefined;
  const late = new Promise<DeliveryProof>((resolve) => {
    stopTimer = clock.after(HEARD_WITHIN_MS, () => resolve(spoke("silent")));
  });
  const read =
    acknowledged?.() ??
    listener.ping().then(
      (): DeliveryProof => "heard",
      () => spoke("gone"),
    );
  const hearing = await Promise.race([read, exited.then(() => spoke("gone")), late]);
  stopTimer();
  return hearing;
}
