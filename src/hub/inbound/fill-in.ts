/** A tap or words that fill in one question of a card, and answer nothing yet. Runs inside the inbox's transaction. */
import type { Identity } from "../../model/ids.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { findTextProblem } from "../../model/answer/reply.js";
import type { PromptEvent } from "../../model/prompt.js";
import type { InboundResponse } from "../../sdk/channel.js";
import {
  applyAction,
  findShownStep,
  giveAnswer,
  listStepFields,
  parseAction,
  parseSend,
  sendsStep,
  type FormStep,
} from "../delivery/notices/form-steps.js";
import { setStep } from "../delivery/card-steps.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { MessagePlace } from "../prompts/accept.js";
import { describeHowToAnswer } from "../prompts/answer-text.js";
import { checkAnswerer, refuseAnswer } from "../prompts/claim.js";

interface FilledCard {
  readonly delivery: DeliveryRow;
  readonly prompt: PromptRow;
  readonly identity: Identity;
  readonly writtenAt?: MessagePlace;
}

/** Null: an ordinary answer. A tap that would send content which the card no longer shows is refused. */
export function handleStepTap(
  ledger: Ledger,
  tx: Transaction,
  card: FilledCard,
  { value }: TokenRow,
): InboundResponse | null {
  const action = parseAction(value);
  if (action === null && parseSend(value) === null) return null;
  const { prompt, identity } = card;
  const problem = checkAnswerer(ledger, tx, prompt, card);
  if (problem) return refuse(tx, card, problem);
  const shown = findStep(ledger, card);
  const isCurrent = shown !== null && sendsStep(prompt.event, shown, value);
  if (action === null && isCurrent) return null;
  const step = shown === null || action === null ? null : applyAction(prompt.event, shown, action);
  if (step !== null) return moveTo(ledger, tx, card, step);
  showStep(ledger, tx, card.delivery);
  tx.record({ step: "answer_rejected", promptId: prompt.promptId, identity, details: { code: "changed" } });
  return { text: CHANGED, alert: true };
}

const CHANGED = "The card has changed meanwhile: nothing was sent. Look at it again, then tap.";

function findStep({ store }: Ledger, { delivery, prompt }: FilledCard): FormStep | null {
  const values = store.deliveries.listTokens(delivery).map(({ value }) => value);
  return findShownStep(prompt.event, values);
}

function moveTo(
  ledger: Ledger,
  tx: Transaction,
  { delivery, prompt }: FilledCard,
  step: FormStep,
): InboundResponse {
  const { store, options } = ledger;
  setStep({ store, random: options.random }, delivery.twinOf ?? delivery.deliveryId, prompt.event, step);
  showStep(ledger, tx, delivery);
  return { text: describeProgress(prompt, step), alert: false };
}

function refuse(tx: Transaction, { prompt, identity }: FilledCard, why: Refusal, help = ""): InboundResponse {
  return { text: `${refuseAnswer(tx, prompt, identity, why).rejection.text}${help}`, alert: true };
}

/** Updates the card and its copies, which say that no answer was sent. */
function showStep({ store }: Ledger, tx: Transaction, delivery: DeliveryRow): void {
  const root = delivery.twinOf ?? delivery.deliveryId;
  const outcome = { state: "refused", text: NOT_SENT, final: false } as const;
  for (const { deliveryId, twinOf, state } of store.deliveries.listCards(delivery.promptId ?? ""))
    if ((twinOf ?? deliveryId) === root && state === "posted")
      store.outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, outcome);
  tx.emit({ kind: "outbox" });
}

const NOT_SENT = "✏️ Not sent yet";

function describeProgress({ event }: PromptRow, { at }: FormStep): string {
  const { length } = listStepFields(event);
  if (length === 1) return "Tap Done to send.";
  return at < length ? `Question ${at + 1} of ${length}` : "Nothing is sent before you tap Send.";
}

/** `question 2: my words`, or an answer to the question that the card shows. */
const NUMBERED = /^question (\d{1,2}): {0,8}(\S[^\n]*)$/i;

/** Null: the card shows no step, or the words answer all of its questions, one on each line. */
export function fillInWords(
  ledger: Ledger,
  tx: Transaction,
  card: FilledCard,
  text: string,
): InboundResponse | null {
  const { event } = card.prompt;
  const fields = listStepFields(event);
  const shown = findStep(ledger, card);
  if (shown === null || fields.length < 2 || countLines(text) === fields.length) return null;
  const [, number, words = text] = NUMBERED.exec(text.trim()) ?? [];
  const at = number === undefined ? shown.at : Number(number) - 1;
  const problem = checkAnswerer(ledger, tx, card.prompt, card);
  if (problem) return refuse(tx, card, problem);
  const unfit = findTextProblem(words, event.constraints);
  const step = unfit === null ? giveAnswer(event, shown, at, words) : null;
  if (step !== null) return moveTo(ledger, tx, card, step);
  const why = unfit ?? createRefusal("option_unknown");
  return refuse(tx, card, why, ` ${describeHowToFillIn(event, at)}`);
}

function countLines(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

function describeHowToFillIn(event: PromptEvent, at: number): string {
  const field = listStepFields(event)[at];
  if (field === undefined) return describeHowToAnswer(event);
  const number = field.multi ? "numbers of your choices (1,3), or none" : "number of your choice";
  const how = field.options.length === 0 ? "one line of text" : `the ${number}`;
  return `Answer question ${at + 1} with ${how}${field.options.length > 0 && field.ownWords ? ", or your own words" : ""}.`;
}
