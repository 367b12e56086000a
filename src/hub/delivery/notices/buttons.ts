/** Decides which buttons a prompt gets and how they are labelled. Card, tokens and outcome share this list. */
import type { Choice, PromptEvent } from "../../../model/prompt.js";
import { DECLINE, STOP } from "../../../model/answer/reply.js";
import type { ChannelCapabilities } from "../../../sdk/channel.js";

export interface ButtonPlan {
  readonly value: string;
  readonly choice: Choice;
}

const YES: Choice = { label: "Yes", intent: "allow_once" };
const NO: Choice = { label: "No", intent: "reject_once" };
const DECLINED: Choice = { label: "Decline to answer", intent: "reject_once" };
const STOPPED: Choice = { label: "Deny and stop", intent: "reject_once" };
const ENTER: Choice = { label: "Press Enter", intent: "other" };
const ESC: Choice = { label: "Press Esc", intent: "other" };

/** One button per answer that a single tap can give. Check lists, forms and free text are answered in writing. */
export function planButtons(event: PromptEvent): ButtonPlan[] {
  const { declinable, stoppable } = event.constraints;
  return [
    ...listAnswers(event),
    ...(declinable ? [{ value: DECLINE, choice: DECLINED }] : []),
    ...(stoppable ? [{ value: STOP, choice: STOPPED }] : []),
  ];
}

function listAnswers(event: PromptEvent): ButtonPlan[] {
  const { choices, constraints } = event;
  if (constraints.localOnly) return [];
  switch (event.promptType) {
    case "yes_no":
      return [
        { value: "y", choice: choices[0] ?? YES },
        { value: "n", choice: choices[1] ?? NO },
      ];
    case "multiple_choice":
      if (event.constraints.multi) return [];
      return choices.map((choice, at) => ({ value: String(at + 1), choice }));
    case "confirm_enter":
      return [{ value: "enter", choice: choices[0] ?? ENTER }];
    case "free_text":
      return event.constraints.allowEmpty ? [{ value: "", choice: ENTER }] : [];
    case "unknown":
      return [
        { value: "enter", choice: ENTER },
        { value: "esc", choice: ESC },
      ];
    case "secret":
      return [];
  }
}

/** The length of `random.token()`. */
export const TOKEN_BYTES = 21;

/** Shows all buttons or none, since an incomplete list would mislead. Without buttons the answer is typed. */
export function fitButtons(event: PromptEvent, capabilities: ChannelCapabilities): ButtonPlan[] {
  if (capabilities.tokenBytesMax < TOKEN_BYTES) return [];
  const plans = planButtons(event);
  // Stopping is no answer of its own: the list is complete without that button.
  const answers = plans.filter(({ value }) => value !== STOP);
  return [plans, answers].find(({ length }) => length <= capabilities.buttonsMax) ?? [];
}
