/** What one outbox row means as a call of its channel, built from the ledger as it is now. */
import { invariant } from "../../model/errors.js";
import { isOpen } from "../../model/lifecycle.js";
import type { DeliveryRef, Notice, Outcome } from "../../sdk/channel.js";
import type { DeliveryRow } from "../store/deliveries.js";
import type { OutboxRow } from "../store/outbox.js";
import type { Store } from "../store/store.js";
import { noticeButtons, promptNotice, safeEvent, textNotice } from "./notice.js";
import type { SafeText } from "./outcome-text.js";
import type { Seat } from "./routing.js";

/** A card or reminder that nobody needs any more: its question was settled before it went out. */
export function isStale(store: Store, row: OutboxRow): boolean {
  if (row.kind !== "deliver") return false;
  const promptId = store.deliveries.find(row.deliveryId)?.promptId;
  const prompt = promptId === undefined || promptId === null ? null : store.prompts.find(promptId);
  return prompt !== null && !isOpen(prompt.state);
}

/** The call, not begun. It resolves with the posted message's ref, or null when nothing new was posted. */
export function callOf(
  store: Store,
  row: OutboxRow,
  seat: Seat,
  safeText: SafeText,
): () => Promise<DeliveryRef | null> {
  const delivery = store.deliveries.find(row.deliveryId);
  invariant(delivery, "an outbox row without its delivery");
  if (row.kind === "deliver") {
    const notice = noticeOf(store, delivery, safeText);
    return () => seat.channel.deliver(notice);
  }
  return settleCall(store, row, delivery, seat, safeText);
}

function settleCall(
  store: Store,
  row: OutboxRow,
  delivery: DeliveryRow,
  seat: Seat,
  safeText: SafeText,
): () => Promise<null> {
  const { ref } = delivery;
  invariant(ref !== null && row.outcome !== null, "a settle without its card or outcome");
  const notice = noticeOf(store, delivery, safeText);
  const outcome = outcomeOf(store, delivery, row.outcome, safeText);
  if (seat.capabilities.edit) {
    return async () => {
      await seat.channel.settle(ref, notice, outcome);
      return null;
    };
  }
  // A channel that cannot change what it posted says it in a new message.
  const shortId = notice.kind === "prompt" ? `${notice.shortId}: ` : "";
  const text: Notice = {
    kind: "text",
    deliveryId: delivery.deliveryId,
    place: delivery.place,
    text: `${shortId}${outcome.text}`,
  };
  return async () => {
    await seat.channel.deliver(text);
    return null;
  };
}

function noticeOf(store: Store, delivery: DeliveryRow, safeText: SafeText): Notice {
  if (delivery.promptId === null || delivery.text !== null) return textNotice(delivery);
  const prompt = store.prompts.find(delivery.promptId);
  const session = store.sessions.find(delivery.sessionId);
  invariant(prompt && session, "a card without its prompt or session");
  const tokens = store.deliveries.tokensOf(delivery);
  return promptNotice({ delivery, prompt, session, tokens }, safeText);
}

/** A card that stays open keeps its buttons: tokens name the choice, not the nonce. */
function outcomeOf(store: Store, delivery: DeliveryRow, outcome: Outcome, safeText: SafeText): Outcome {
  if (outcome.final || delivery.promptId === null) return outcome;
  const prompt = store.prompts.find(delivery.promptId);
  invariant(prompt, "a card without its prompt");
  const tokens = store.deliveries.tokensOf(delivery);
  return { ...outcome, buttons: noticeButtons(safeEvent(prompt.event, safeText), tokens) };
}
