/** The choices that an answer takes. Pure. */
import type { PromptEvent } from "../prompt.js";

/** `value` is legal. Empty where an answer is no choice: a text, a key. */
export function listChosen(
  { promptType, choices, constraints }: Pick<PromptEvent, "promptType" | "choices" | "constraints">,
  value: string,
): PromptEvent["choices"] {
  if (promptType === "yes_no") return choices.slice(value === "y" ? 0 : 1, value === "y" ? 1 : 2);
  if (promptType !== "multiple_choice") return [];
  const numbers = constraints.multi === true ? value.split(",") : [value];
  return numbers.flatMap((number) => choices[Number(number) - 1] ?? []);
}
