import type { PromptNotice } from "../../sdk/channel.js";
import {
  asId,
  type DeliveryId,
  type Notice,
  type NoticeButton,
  type NoticeSession,
  type PromptId,
  type SessionId,
  type ShortId,
  type Token,
} from "../../sdk/channel.js";
import type { Choice } from "../../sdk/channel.js";

export type TextNotice = Extract<Notice, { kind: "text" }>;

/** 2026-01-01, half past two: an instant that a card can show. */
export const SENT_AT: number = Date.UTC(2026, 0, 1, 14, 30);

/** Yes, yes for ever, and no. */
export const CHOICES: readonly Choice[] = [
  { label: "Yes", intent: "allow_once" },
  { label: "Yes, and don't ask again for npm test", intent: "allow_always" },
  { label: "No", intent: "reject_once" },
];

/** The last button of a question that can be denied and stopped. */
export const STOP_BUTTON: NoticeButton = {
  token: asId<Token>("tok-stop"),
  choice: { label: "Deny and stop", intent: "reject_once" },
  value: "stop",
};

/** Under a settled card whose question may still stand. */
export const AGAIN_BUTTON: NoticeButton = {
  token: asId<Token>("tok-again"),
  choice: { label: "🔁 Ask again", intent: "other" },
  value: "ask_again",
};

/** A button for each choice, with tokens `tok-a-1`, `tok-a-2` …; `round` is the letter. */
export function buttonsFor(choices: readonly Choice[], round = "a"): NoticeButton[] {
  return choices.map((choice, index) => ({
    token: asId<Token>(`tok-${round}-${index + 1}`),
    choice,
    value: String(index + 1),
  }));
}

export const SESSION: NoticeSession = {
  sessionId: asId<SessionId>("22222222-2222-4222-8222-222222222222"),
  tool: "mytool",
  label: "api",
  place: "~/src/api",
  ended: false,
};

let count = 0;

/** A card with a request for permission and three choices. Each has a `deliveryId` of its own. */
export function promptNotice(place: string, over: Partial<PromptNotice> = {}): PromptNotice {
  const choices = over.choices ?? CHOICES;
  count += 1;
  return {
    kind: "prompt",
    deliveryId: asId<DeliveryId>(`delivery-${count}`),
    place,
    promptId: asId<PromptId>("11111111-1111-4111-8111-111111111111"),
    shortId: asId<ShortId>("k7"),
    session: SESSION,
    promptType: "multiple_choice",
    safetyClass: "permission",
    confidence: "high",
    question: "Do you want to run this command?",
    content: { text: "npm test -- --watch=false", cut: null },
    choices,
    multi: false,
    form: null,
    defaultChoice: 1,
    buttons: buttonsFor(choices),
    acceptsText: false,
    screenView: false,
    expiresAt: SENT_AT + 30 * 60_000,
    addressees: [],
    quiet: false,
    ...over,
  };
}

/** A card with a question that is answered in words. */
export function freeTextNotice(place: string): PromptNotice {
  return promptNotice(place, {
    promptType: "free_text",
    safetyClass: "question",
    question: "What should the package be called?",
    content: { text: "", cut: null },
    choices: [],
    acceptsText: true,
  });
}

/** A message without a question. */
export function textNotice(place: string, text: string, session = SESSION): TextNotice {
  count += 1;
  const deliveryId = asId<DeliveryId>(`delivery-${count}`);
  return { kind: "text", deliveryId, place, session, text, block: null, addressees: [], quiet: false };
}
