/** Which messages show a delivery. Posting is at least once, so there may be more than one; none of them is forgotten. */
import { asId, type DeliveryId } from "../../model/ids.js";
import type { Random } from "../../observe/random.js";
import type { DeliveryRef } from "../../sdk/channel.js";
import type { DeliveryRow } from "../store/deliveries.js";
import type { Store } from "../store/store.js";

/**
 * Notes that `delivery` can be seen as `ref`, and returns the row that has it: the delivery itself, or its twin when an earlier
 * card is known already (the service took the message, but its answer was lost). Inside a transaction.
 */
export function rememberCard(
  tools: { readonly store: Store; readonly random: Random },
  delivery: DeliveryRow,
  ref: DeliveryRef,
  now: number,
): DeliveryRow {
  const { deliveries, outbox } = tools.store;
  const known = deliveries.findByRef(delivery.channel, ref);
  if (known) return known;
  if (delivery.ref === null) {
    deliveries.markPosted(delivery.deliveryId, ref);
    outbox.dropDeliver(delivery.deliveryId);
    return { ...delivery, state: "posted", ref };
  }
  const deliveryId = asId<DeliveryId>(tools.random.uuid());
  const twinOf = delivery.twinOf ?? delivery.deliveryId;
  const twin: DeliveryRow = { ...delivery, deliveryId, state: "posted", ref, twinOf, createdAt: now };
  deliveries.insert(twin);
  return twin;
}
