import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Store } from "../../store/store.js";
import type { ButtonPlan } from "./button-plan.js";

export const ASK_AGAIN: ButtonPlan = {
  value: "ask_again",
  choice: { label: "🔁 Ask again", intent: "other" },
};

/** True if the prompt expired, failed or has an unproved answer, or if an accepted answer was returned because the screen had changed. */
export function canBeAskedAgain({ state, replyId, answeredBy }: PromptRow): boolean {
  const wasDropped = state === "withdrawn" && replyId === null && answeredBy !== null;
  return state === "expired" || state === "uncertain" || state === "failed" || wasDropped;
}

export function canOfferAskAgain({ sessions, deliveries }: Store, prompt: PromptRow): boolean {
  const isOpen = sessions.find(prompt.sessionId)?.closedAt === null;
  return isOpen && canBeAskedAgain(prompt) && deliveries.hasButton(prompt.promptId, ASK_AGAIN.value);
}

export function renderAskAgainButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return tokens
    .filter(({ value }) => value === ASK_AGAIN.value)
    .map(({ token }) => ({ token, ...ASK_AGAIN }));
}
