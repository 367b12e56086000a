/** Builds what a channel shows from rows of the ledger, at the moment it is sent (design §8). Pure. */
import type { PromptContent, PromptEvent } from "../../model/prompt.js";
import type { Notice, NoticeButton, NoticeSession } from "../../sdk/channel.js";
import { mapStrings } from "../../model/map-strings.js";
import type { DeliveryRow, TokenRow } from "../store/deliveries.js";
import type { PromptRow } from "../store/prompts.js";
import type { SessionRow } from "../store/sessions.js";
import { buttonsOf } from "./buttons.js";
import type { SafeText } from "./outcome-text.js";

export interface Card {
  readonly delivery: DeliveryRow;
  readonly prompt: PromptRow;
  readonly session: SessionRow;
  readonly tokens: readonly TokenRow[];
}

/** Every string in it went through `safeText`. */
export function promptNotice(card: Card, safeText: SafeText): Notice {
  const { delivery, prompt } = card;
  const event = safeEvent(prompt.event, safeText);
  return {
    kind: "prompt",
    deliveryId: delivery.deliveryId,
    place: delivery.place,
    promptId: prompt.promptId,
    shortId: prompt.shortId,
    session: noticeSession(card.session, safeText),
    promptType: event.promptType,
    safetyClass: event.safetyClass,
    confidence: event.confidence,
    question: event.excerpt,
    content: event.content,
    choices: event.choices,
    defaultChoice: event.defaultChoice,
    buttons: noticeButtons(event, card.tokens),
    acceptsText: prompt.answerable,
    expiresAt: prompt.deadlineAt,
  };
}

export function textNotice(delivery: DeliveryRow): Notice {
  const { deliveryId, place, text } = delivery;
  return { kind: "text", deliveryId, place, text: text ?? "" };
}

/** The buttons of a card; `event` is already safe to show. */
export function noticeButtons(event: PromptEvent, tokens: readonly TokenRow[]): NoticeButton[] {
  const plans = buttonsOf(event);
  return tokens.flatMap(({ token, value }) => {
    const plan = plans.find((candidate) => candidate.value === value);
    return plan ? [{ token, choice: plan.choice, value }] : [];
  });
}

export function safeEvent(event: PromptEvent, safeText: SafeText): PromptEvent {
  return {
    ...event,
    excerpt: safeText(event.excerpt),
    content: mapStrings(event.content, safeText) as PromptContent,
    choices: event.choices.map((choice) => ({
      ...choice,
      label: safeText(choice.label),
      ...(choice.detail === undefined ? {} : { detail: safeText(choice.detail) }),
    })),
  };
}

function noticeSession(session: SessionRow, safeText: SafeText): NoticeSession {
  const inside = session.inside === null ? null : "inside another session";
  const label = [session.label, inside].filter((part) => part !== null).join(", ");
  return {
    tool: safeText(session.tool),
    label: label === "" ? null : safeText(label),
    place: safeText(session.cwd),
  };
}
