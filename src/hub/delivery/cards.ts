/** Tracks which messages show a delivery. Posting happens at least once, so several messages may show the same one; all are tracked. */
import { asId, type DeliveryId } from "../../model/ids.js";
import type { Random } from "../../observe/random.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import { PRIORITY, type StoredOutcome } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Store } from "../store/store.js";

/**
 * Records that `delivery` is shown as `ref` and returns the row for it: the delivery itself, or a twin if an earlier card is
 * already known (the service posted the message, but its response was lost). Runs inside a transaction.
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

/** Posts the new text if it changed while the old one was being posted as `posted`. Runs inside a transaction. */
export function repostChangedText(
  { store, random }: { readonly store: Store; readonly random: Random },
  delivery: DeliveryRow,
  posted: string | null,
  now: number,
): void {
  if (posted === null || delivery.text === posted) return;
  store.deliveries.setText(delivery.deliveryId, posted);
  const deliveryId = asId<DeliveryId>(random.uuid());
  store.deliveries.insert({
    ...delivery,
    ...{ deliveryId, state: "waiting", ref: null, twinOf: null, createdAt: now },
  });
  store.outbox.addDeliver(deliveryId, PRIORITY.aside, now);
}

export function settleLateTwin(store: Store, card: DeliveryRow, now: number): void {
  if (card.twinOf === null || card.promptId === null || card.state === "settled") return;
  const prompt = store.prompts.find(card.promptId);
  const outcome = prompt && describeCurrentOutcome(prompt);
  if (outcome?.final) store.outbox.addSettle(card.deliveryId, PRIORITY.edit, now, outcome);
}

export function describeCurrentOutcome(row: PromptRow): StoredOutcome | null {
  const { state, outcome: text } = row;
  if (text === null || state === "detected" || state === "answering" || state === "injecting") return null;
  if (state === "pending") return { state: "refused", text, final: false };
  return { state, text, final: true };
}
