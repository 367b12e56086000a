/** "Clear it and send the task": the tap that allows clearing exactly the draft that its message shows. Runs inside the inbox's transaction. */
import type { InboundResponse } from "../../sdk/channel.js";
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
  const { tasks, deliveries, outbox } = ledger.store;
  const task = tasks.findByDelivery(delivery.deliveryId);
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
  deliveries.dropTokens(delivery.deliveryId);
  const outcome = { state: "withdrawn", text: "🧹 Sent again: see the newer message", final: true } as const;
  outbox.addSettle(delivery.deliveryId, PRIORITY.settleByTap, tx.now, outcome);
  tx.emit({ kind: "outbox" });
  return {
    text: "🧹 Asked: the input box is cleared, then the task is sent. Its message says how it ended.",
    alert: false,
  };
}
