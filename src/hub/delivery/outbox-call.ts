/** Translates an outbox row into a channel call, using the current state of the ledger. */
import { assertInvariant } from "../../model/errors.js";
import { isOpen } from "../../model/lifecycle.js";
import type { Notice, Outcome } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { OutboxRow } from "../store/tables/outbox.js";
import type { Store } from "../store/store.js";
import { renderAskAgainButtons, canBeAskedAgain } from "./notices/ask-again.js";
import { renderClearButtons } from "./notices/clear-button.js";
import { hasLastMessage } from "./notices/idle-text.js";
import { hashShown } from "./notices/notice.js";
import { buildNotice, type NoticeParts } from "./notices/build-notice.js";
import { renderRelayButtons } from "./notices/relay-buttons.js";
import { LATE_MS } from "./limits.js";
import { isOffer, renderOffer } from "./offers.js";
import { isRelayPaused } from "../store/relay-pause.js";
import type { ConfiguredChannel } from "../people/routing.js";

/**
 * Whether the row must not be sent: the hub did not store its message as it stands, or the reason to send it is gone (its prompt, the work it
 * reports, or the tool's rest has ended).
 */
export function isObsolete(store: Store, row: OutboxRow, now: number): boolean {
  const delivery = store.deliveries.find(row.deliveryId);
  if (row.kind === "settle" && delivery?.text === null) return false;
  if (delivery === null || !store.deliveries.isSigned(row.deliveryId)) return true;
  if (row.kind === "settle") return false;
  if (delivery.role === "progress")
    return (
      store.outbox.hasFinalOutcome(row.deliveryId) ||
      store.sessions.find(delivery.sessionId)?.toolState !== "working"
    );
  if (delivery.role === "idle" && !hasLastMessage(delivery.text ?? ""))
    return store.sessions.find(delivery.sessionId)?.toolState !== "idle";
  if (delivery.role === "idle") return now - row.dueAt > LATE_MS && isReplaced(store, delivery, now);
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  if (prompt === null) return false;
  // A card that waits for its turn when the session's prompts are held back comes when they are relayed again.
  if (prompt.state === "pending" && prompt.deadlineAt !== null && now >= prompt.deadlineAt) return true;
  return !isOpen(prompt.state) || (delivery.text === null && isRelayPaused(store, prompt.sessionId));
}

/** Whether the answer of a later turn is certain to come to the same place: what is held back may be dropped as read. */
function isReplaced({ deliveries, outbox }: Store, older: DeliveryRow, now: number): boolean {
  return deliveries
    .listLatest(older.sessionId, "idle")
    .filter(({ channel, place }) => channel === older.channel && place === older.place)
    .filter(({ createdAt }) => createdAt > older.createdAt)
    .some(({ deliveryId, state }) => state !== "abandoned" && !outbox.isHeld(deliveryId, now));
}

export interface OutboxCall {
  /** Resolves with the posted message's ref, or null if nothing new was posted. */
  readonly run: () => Promise<DeliveryRef | null>;
  readonly shownHash: string | null;
}

export function planCall(
  parts: NoticeParts,
  row: OutboxRow,
  configuredChannel: ConfiguredChannel,
  lateMs: number,
): OutboxCall {
  const delivery = parts.store.deliveries.find(row.deliveryId);
  assertInvariant(delivery, "an outbox row without its delivery");
  if (row.kind === "settle")
    return { run: planSettleCall(parts, row, delivery, configuredChannel), shownHash: null };
  const notice = markLate(buildNotice(parts, delivery), lateMs);
  return { run: () => configuredChannel.channel.deliver(notice), shownHash: hashShown(notice) };
}

function planSettleCall(
  parts: NoticeParts,
  row: OutboxRow,
  delivery: DeliveryRow,
  configuredChannel: ConfiguredChannel,
): () => Promise<null> {
  const { ref } = delivery;
  assertInvariant(ref !== null && row.outcome !== null, "a settle without its card or outcome");
  if (isOffer(parts.store, delivery)) return planOfferEdit(parts, delivery, ref, configuredChannel);
  const notice = markAnswerInProgress(parts, delivery, buildNotice(parts, delivery));
  const outcome = renderOutcome(parts, delivery, notice, row.outcome);
  if (configuredChannel.capabilities.edit) {
    return async () => {
      await configuredChannel.channel.settle(ref, notice, outcome);
      return null;
    };
  }
  // A channel that cannot edit its messages posts the outcome as a new one.
  const shortId = notice.kind === "prompt" ? `${notice.shortId}: ` : "";
  const { deliveryId, place, session } = notice;
  const text: Notice = {
    kind: "text",
    deliveryId,
    place,
    session,
    text: `${shortId}${outcome.text}`,
    block: null,
    quiet: notice.quiet,
    addressees: [],
  };
  return async () => {
    await configuredChannel.channel.deliver(text);
    return null;
  };
}

/** Where messages cannot be edited, the prompt's card says enough. */
function planOfferEdit(
  parts: NoticeParts,
  delivery: DeliveryRow,
  ref: DeliveryRef,
  { capabilities, channel }: ConfiguredChannel,
): () => Promise<null> {
  const { notice, outcome } = renderOffer(parts, delivery);
  return async () => {
    if (capabilities.edit) await channel.settle(ref, notice, outcome);
    return null;
  };
}

function markLate(notice: Notice, lateMs: number): Notice {
  return notice.kind === "prompt" && lateMs > LATE_MS ? { ...notice, lateMs } : notice;
}

/** While an answer is on its way, the card announces no deadline answer and accepts no other answer. */
function markAnswerInProgress({ store }: NoticeParts, { promptId }: DeliveryRow, notice: Notice): Notice {
  const state = promptId === null ? null : store.prompts.find(promptId)?.state;
  if (notice.kind !== "prompt" || (state !== "answering" && state !== "injecting")) return notice;
  const card: { -readonly [K in keyof typeof notice]: (typeof notice)[K] } = { ...notice };
  delete card.expiryAnswer;
  delete card.refusedLate;
  return { ...card, expiresAt: null, acceptsText: false, buttons: [] };
}

/** A card that stays open keeps its buttons, because tokens name the choice, not the nonce. A settled card may offer "Ask again". */
function renderOutcome(
  { store }: NoticeParts,
  delivery: DeliveryRow,
  notice: Notice,
  outcome: Outcome,
): Outcome {
  if (delivery.promptId === null) {
    const tokens = store.deliveries.listTokens(delivery);
    const buttons = delivery.role === "task" ? renderClearButtons(tokens) : renderRelayButtons(tokens);
    return buttons.length > 0 ? { ...outcome, buttons } : outcome;
  }
  const prompt = store.prompts.find(delivery.promptId);
  assertInvariant(prompt, "a card without its prompt");
  const tokens = store.deliveries.listTokens(delivery);
  if (outcome.final) {
    const isOpen = store.sessions.find(prompt.sessionId)?.closedAt === null;
    const buttons = isOpen && canBeAskedAgain(prompt) ? renderAskAgainButtons(tokens) : [];
    return buttons.length > 0 ? { ...outcome, buttons } : outcome;
  }
  return { ...outcome, buttons: notice.kind === "prompt" ? notice.buttons : [] };
}
