/** Decides which buttons a prompt gets and how they are labelled. Card, tokens and outcome share this list. */
import type { Choice, PromptEvent } from "../../../model/prompt.js";
import { nameKey, type OfferedKey } from "../../../model/answer/screen-keys.js";
import { DECLINE, LEAVE_EMPTY, STOP } from "../../../model/answer/reply.js";
import type { ChannelCapabilities } from "../../../sdk/channel.js";
import type { ButtonPlan } from "./button-plan.js";
import { planStepButtons, type FormStep } from "./form-steps.js";

const YES: Choice = { label: "Yes", intent: "allow_once" };
const NO: Choice = { label: "No", intent: "reject_once" };
const DECLINED: Choice = { label: "Decline to answer", intent: "reject_once" };
const STOPPED: Choice = { label: "Deny and stop", intent: "reject_once" };
const ENTER: Choice = { label: "Press Enter", intent: "other" };
const EMPTY: Choice = { label: LEAVE_EMPTY, intent: "other" };
const NAMED: Readonly<Record<string, string>> = { enter: "Press Enter", esc: "Press Esc" };

/** One button per answer that a single tap can give. Check lists and forms have those of `step`. */
export function planButtons(event: PromptEvent, step: FormStep | null = null): ButtonPlan[] {
  const { declinable, stoppable } = event.constraints;
  return [
    ...(step === null ? listAnswers(event) : planStepButtons(event, step)),
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
      return constraints.keys
        ? listKeys(["enter"], constraints.keys)
        : [{ value: "enter", choice: choices[0] ?? ENTER }];
    case "free_text":
      return event.constraints.allowEmpty ? [{ value: "", choice: EMPTY }] : [];
    case "unknown":
      return listKeys(["enter", "esc"], constraints.keys ?? []);
    case "secret":
      return [];
  }
}

function listKeys(first: readonly string[], keys: readonly OfferedKey[]): ButtonPlan[] {
  const always = first.map((key) => keys.find((offered) => offered.key === key) ?? { key });
  const others = keys.filter(({ key }) => !first.includes(key));
  return [...always, ...others].map(({ key, does }) => {
    const name = does === undefined ? (NAMED[key] ?? nameKey(key)) : `${nameKey(key)}: ${does}`;
    return { value: key, choice: { label: name, intent: "other" } };
  });
}

/** The length of a token: 12 characters of the hub's mark and 21 random ones. */
export const TOKEN_BYTES = 33;

/** Shows all buttons or none, since an incomplete list would mislead. Without buttons the answer is typed. */
export function fitButtons(
  event: PromptEvent,
  capabilities: ChannelCapabilities,
  step: FormStep | null = null,
): ButtonPlan[] {
  if (capabilities.tokenBytesMax < TOKEN_BYTES) return [];
  const plans = planButtons(event, step);
  // Stopping is no answer of its own: the list is complete without that button.
  const answers = plans.filter(({ value }) => value !== STOP);
  // On a screen that no rule reads, every key may also be written.
  const first = event.promptType === "unknown" ? [answers.slice(0, 2)] : [];
  return [plans, answers, ...first].find(({ length }) => length <= capabilities.buttonsMax) ?? [];
}
