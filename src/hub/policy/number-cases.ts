/** Why a yes to a prompt needs more than a tap, though no rule says so (`prompts.number_for`). Pure. */
import { isPermanent } from "../../model/answer/find-yes.js";
import type { NumberCase } from "../../model/policy-mode.js";
import type { Choice, PromptEvent } from "../../model/prompt.js";
import { isAltered } from "./automatic.js";

/** The cases of `wanted` that the prompt is one of. `destruction`: see `findDestruction`. */
export function findNumberCases(
  event: PromptEvent,
  destruction: string | null,
  wanted: readonly NumberCase[],
): readonly NumberCase[] {
  const holds: Readonly<Record<NumberCase, boolean>> = {
    always_allow: event.choices.some((choice) => allowsMore(event, choice)),
    hidden: event.content.hidden !== undefined || isAltered(event),
    destructive: destruction !== null,
  };
  // Words that somebody writes are no blind tap.
  return event.promptType === "free_text" ? [] : wanted.filter((each) => holds[each]);
}

/** Whether the choice allows more than the request. The words of a question's choices are its author's. */
export function allowsMore({ safetyClass }: Pick<PromptEvent, "safetyClass">, choice: Choice): boolean {
  return choice.intent === "allow_always" || (safetyClass !== "question" && isPermanent(choice));
}
