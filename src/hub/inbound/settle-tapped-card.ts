import type { Inbound } from "../../sdk/channel.js";
import { describeCurrentOutcome, rememberCard } from "../delivery/cards.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import { PRIORITY } from "../store/tables/outbox.js";

/** Settles a card that was unknown until now (its posting's response was lost), like the prompt's other cards. */
export function settleTappedCard(
  ledger: Ledger,
  tx: Transaction,
  delivery: DeliveryRow,
  { ref }: Pick<Extract<Inbound, { kind: "tap" }>, "ref">,
): void {
  if (ref === undefined) return;
  const { store, options } = ledger;
  const card = rememberCard({ store, random: options.random }, delivery, ref, tx.now);
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  const outcome = prompt === null ? null : describeCurrentOutcome(prompt);
  if (!outcome?.final || card.state === "settled") return;
  store.outbox.addSettle(card.deliveryId, PRIORITY.settleByTap, tx.now, outcome);
  tx.emit({ kind: "outbox" });
}
