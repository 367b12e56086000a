/** Buttons on a card without a record here. The mark in the button tells whether another hub with the same bot posted it. */
import { TOKEN_BYTES } from "../delivery/notices/buttons.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { Identity } from "../../model/ids.js";
import type { InboundResponse } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import { getChannel, findMembership } from "../people/people.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { refuseAnswer } from "../prompts/claim.js";

/** Whether this hub has no record of the message. `ref`: the message, if the service reports it. */
export function isUnknownCard({ store }: Ledger, channel: string, ref: DeliveryRef | undefined): boolean {
  return ref !== undefined && store.deliveries.findByRef(channel, ref) === null;
}

export function isKnownDelivery({ store }: Ledger, deliveryId: string): boolean {
  return store.deliveries.find(deliveryId) !== null;
}

/** A card of this hub loses its buttons; one of another hub keeps them, because its prompt may be open there. */
export function refuseUnknownCard(
  ledger: Ledger,
  tx: Transaction,
  { identity, place }: { readonly identity: Identity; readonly place: string },
  id: string,
): InboundResponse {
  const membership = findMembership(ledger.options.settings().people, identity);
  if (!membership) {
    // A stranger learns nothing.
    const { rejection } = refuseAnswer(tx, null, identity, createRefusal("not_allowed"));
    return { text: rejection.text, alert: true };
  }
  // A shorter token was made before hubs marked them.
  const isForeignCard = id.length >= TOKEN_BYTES && !id.includes(ledger.options.random.mark ?? "");
  const { code, text } = createRefusal(isForeignCard ? "foreign_card" : "unknown_card");
  const details = { code, channel: getChannel(identity), place };
  tx.record({ step: "answer_rejected", sessionId: null, promptId: null, identity, details });
  if (isForeignCard) return { text, alert: true, isForeignCard };
  return { text, alert: true, ...(membership.role === "approver" && { closesCard: true }) };
}
