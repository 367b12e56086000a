/** Buttons for the open prompts of this chat that a text may be meant for. Only a tap on one answers. */
import { asId, type DeliveryId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { parseLegalValue } from "../../model/answer/reply.js";
import type { InboundResponse } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import { describeCurrentOutcome } from "../delivery/cards.js";
import { findOfferedPrompt, isOffer, writeOfferLabel } from "../delivery/offers.js";
import { encodeWords } from "../delivery/notices/words-button.js";
import { TOKEN_BYTES } from "../delivery/notices/buttons.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";
import { parseTypedAnswer } from "../prompts/answer-text.js";
import { offerButton } from "../ledger/offer-button.js";
import { mayApprove } from "../ledger/policy/prompt-people.js";

/** More are no help to somebody who wrote one word. */
const OFFERED_MAX = 8;
/** A longer text is no answer that fits a button. */
const TEXT_MAX = 200;

export interface OfferedAnswer {
  readonly line: string;
  readonly button: NonNullable<InboundResponse["buttons"]>[number];
}

/**
 * Empty if the text fits no open prompt, or its writer may not answer here. Each offer is a delivery of its own. `replied`: the prompt
 * whose card the text replies to, which refused it: it can only be a no with its reason.
 */
export function offerAnswers(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
  replied: PromptRow | null = null,
): OfferedAnswer[] {
  if (requester.configuredChannel.capabilities.tokenBytesMax < TOKEN_BYTES) return [];
  return ledger.store.prompts
    .listOpen()
    .filter(({ state, sessionId }) => state === "pending" && (requester.about ?? sessionId) === sessionId)
    .filter(({ promptId }) => (replied?.promptId ?? promptId) === promptId)
    .flatMap((prompt) => findAnswer(ledger, prompt, { text, isReply: replied !== null, ...requester }))
    .slice(0, OFFERED_MAX)
    .map((found) => offer(ledger, tx, found));
}

interface FoundAnswer {
  readonly prompt: PromptRow;
  readonly card: DeliveryRow;
  readonly value: string;
}

function findAnswer(
  ledger: Ledger,
  prompt: PromptRow,
  {
    text,
    isReply,
    identity,
    configuredChannel,
    place,
  }: Requester & { readonly text: string; readonly isReply: boolean },
): FoundAnswer[] {
  const { deliveries } = ledger.store;
  const card = deliveries
    .listCards(prompt.promptId)
    .find((row) => row.channel === configuredChannel.id && row.place === place && row.twinOf === null);
  if (!card || !prompt.answerable || !mayApprove(ledger, prompt, identity)) return [];
  const typed = parseTypedAnswer(prompt.event, text);
  // An answer with a reason is longer than a button.
  const isShort = typed.text === undefined && text.length <= TEXT_MAX;
  const legal = isShort ? parseLegalValue(prompt.event, typed.value) : null;
  if (legal?.ok === true) return isReply ? [] : [{ prompt, card, value: legal.value }];
  const denial = typed.text === undefined ? findDenial(prompt.event, text.trim()) : null;
  return denial === null ? [] : [{ prompt, card, value: denial }];
}

/** "no, push to a branch instead". "no problem, go ahead" is a yes. */
const REASON = /^(?:no|nope)(?:[,.:;!]|\s+[–-]\s)\s*(?!no (?:problem|worries))\S/i;

/** The one no of the prompt that takes words, with these. */
function findDenial(event: PromptEvent, text: string): string | null {
  const at = event.choices.findIndex(({ intent, takesText }) => intent === "reject_once" && takesText);
  const value = String(at + 1);
  const isLegal =
    REASON.test(text) &&
    at >= 0 &&
    event.promptType === "multiple_choice" &&
    parseLegalValue(event, value, text).ok;
  return isLegal ? encodeWords({ value, text }) : null;
}

function offer(ledger: Ledger, tx: Transaction, { prompt, card, value }: FoundAnswer): OfferedAnswer {
  const { store, options } = ledger;
  const tool = store.sessions.find(prompt.sessionId)?.tool ?? "";
  // In one line: a second one could look like that of another prompt.
  const question = prompt.event.excerpt.replace(/\s*\n\s*/g, " ");
  const line = options.safeText(`${prompt.shortId}  ${tool}: ${question}`);
  const deliveryId = asId<DeliveryId>(options.random.uuid());
  // Nothing waits for the reply: if a crash keeps it from being known as posted, the prompt's reminders still come.
  const own = { deliveryId, text: line, state: "abandoned", ref: null, role: null } as const;
  store.deliveries.insert({ ...card, ...own, createdAt: tx.now });
  const token = offerButton(ledger, { deliveryId, twinOf: null }, offerButton(ledger, card, value));
  return { line, button: { token, label: writeOfferLabel(prompt, value, options.safeText) } };
}

/** Records as what a reply with buttons was posted; null: as nothing that can be edited, so there is nothing to record. */
export function noteReplied(
  ledger: Ledger,
  { buttons = [] }: InboundResponse,
  ref: DeliveryRef | null,
): void {
  const { store } = ledger;
  if (ref === null) return;
  ledger.commit((tx) => {
    for (const { token } of buttons) {
      const delivery = store.deliveries.find(store.deliveries.findToken(token)?.deliveryId ?? "");
      if (delivery === null || !isOffer(store, delivery)) continue;
      store.deliveries.markPosted(delivery.deliveryId, ref);
      const outcome = describeCurrentOutcome(findOfferedPrompt(store, delivery));
      // It was settled while the reply was on its way.
      if (outcome?.final) store.outbox.addSettle(delivery.deliveryId, PRIORITY.edit, tx.now, outcome);
    }
    tx.emit({ kind: "outbox" });
  });
}
