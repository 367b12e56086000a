/** "Replace it" allows clearing exactly the draft that its message shows; "Leave it" ends the offer. Run inside the inbox's transaction. */
import type { InboundResponse } from "../../sdk/channel.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";
import { acceptTask } from "./tasks.js";

/** Sends the task again, as the person who tapped; its own message shows the result. */
export function requestClearing(
  ledger: Ledger,
  tx: Transaction,
  { delivery, draftHash, requester }: { delivery: DeliveryRow; draftHash: string; requester: Requester },
): InboundResponse {
  const task = ledger.store.tasks.findByDelivery(delivery.deliveryId);
  if (!task) return { text: "This task is no longer known.", alert: true };
  const { sessionId, text } = task;
  const response = acceptTask(ledger, tx, requester, { sessionId, text, clears: draftHash });
  if (response.alert) return response;
  tx.record({
    step: "clear_asked",
    sessionId,
    identity: requester.identity,
    details: { draftSha256: draftHash },
  });
  endOffer(ledger, tx, delivery, "🧹 Sent again: see the newer message");
  return {
    text: "🧹 Asked: the input box is cleared, then the task is sent. Its message says how it ended.",
    alert: false,
  };
}

export function leaveDraft(
  ledger: Ledger,
  tx: Transaction,
  delivery: DeliveryRow,
  { identity }: Requester,
): InboundResponse {
  const session = ledger.store.sessions.find(delivery.sessionId);
  const standing = findMembership(getPeopleFor(ledger.options.settings(), session), identity);
  if (standing?.role !== "approver") return { text: "You may not do that.", alert: true };
  endOffer(ledger, tx, delivery, "The text stays in the input box; the task was not sent");
  return { text: "Nothing was typed.", alert: false };
}

function endOffer(
  { store: { deliveries, outbox } }: Ledger,
  tx: Transaction,
  { deliveryId }: DeliveryRow,
  text: string,
): void {
  deliveries.dropTokens(deliveryId);
  outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, { state: "withdrawn", text, final: true });
  tx.emit({ kind: "outbox" });
}
