/** "Ask again" under a settled card: where a question may still stand that nobody was proved to have answered. */
import type { NoticeButton } from "../../../sdk/channel.js";
import type { TokenRow } from "../../store/tables/deliveries.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import type { Store } from "../../store/store.js";
import type { ButtonPlan } from "./buttons.js";

export const ASK_AGAIN: ButtonPlan = {
  value: "ask_again",
  choice: { label: "🔁 Ask again", intent: "other" },
};

/** Expired, not proved, not applied; or a taken answer was given back because the screen had moved. */
export function canBeAskedAgain({ state, replyId, answeredBy }: PromptRow): boolean {
  const wasDropped = state === "withdrawn" && replyId === null && answeredBy !== null;
  return state === "expired" || state === "uncertain" || state === "failed" || wasDropped;
}

/** Whether anybody may have it asked again: it was not looked for yet, and its session lives. */
export function isAgainOffered({ sessions, deliveries }: Store, prompt: PromptRow): boolean {
  const isOpen = sessions.find(prompt.sessionId)?.closedAt === null;
  return isOpen && canBeAskedAgain(prompt) && deliveries.hasButton(prompt.promptId, ASK_AGAIN.value);
}

export function againButtons(tokens: readonly TokenRow[]): NoticeButton[] {
  return tokens
    .filter(({ value }) => value === ASK_AGAIN.value)
    .map(({ token }) => ({ token, ...ASK_AGAIN }));
}
