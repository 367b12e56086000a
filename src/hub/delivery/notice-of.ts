/** What a delivery shows, from the ledger as it is now. */
import { invariant } from "../../model/errors.js";
import type { Notice } from "../../sdk/channel.js";
import type { DeliveryRow } from "../store/deliveries.js";
import type { Store } from "../store/store.js";
import { promptNotice, textNotice } from "./notice.js";
import type { SafeText } from "./outcome-text.js";
import { approversOn, type People } from "./people.js";

export interface NoticeParts {
  readonly store: Store;
  readonly safeText: SafeText;
  readonly people: () => People;
}

export type PromptNotice = Extract<Notice, { kind: "prompt" }>;

export function noticeOf(parts: NoticeParts, delivery: DeliveryRow): Notice {
  if (delivery.text === null) return promptNoticeOf(parts, delivery);
  const session = parts.store.sessions.find(delivery.sessionId);
  invariant(session, "a text without its session");
  // A reminder is about a prompt and is to be heard; other texts only tell.
  const addressees = delivery.promptId === null ? [] : approversOn(parts.people(), delivery.channel);
  return textNotice({ delivery, session, addressees }, parts.safeText);
}

export function promptNoticeOf(
  { store, safeText, people }: NoticeParts,
  delivery: DeliveryRow,
): PromptNotice {
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  const session = store.sessions.find(delivery.sessionId);
  invariant(prompt && session, "a card without its prompt or session");
  const tokens = store.deliveries.tokensOf(delivery);
  const addressees = approversOn(people(), delivery.channel);
  return promptNotice({ delivery, prompt, session, tokens, addressees }, safeText);
}
