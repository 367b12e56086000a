/** The limits of answers that no human gave: policy rules and expiry are both held to them (design §7, §9). */
import { DECLINE } from "../../model/reply.js";
import type { PromptEvent, SafetyClass } from "../../model/prompt.js";

const NEVER_AUTOMATIC: readonly SafetyClass[] = ["startup", "trust", "login", "update", "secret"];

/** False where only a human may answer: unsure reading, secrets, who-am-I and trust questions, content not fully seen. */
export function mayAnswerAlone(event: PromptEvent): boolean {
  if (event.confidence === "low" || event.promptType === "secret" || event.promptType === "unknown")
    return false;
  return !NEVER_AUTOMATIC.includes(event.safetyClass) && event.content.cut === null;
}

/**
 * The value that says no, or null when there is not exactly one. By what a choice does, never by where it stands: in agent
 * menus the first row is yes.
 */
export function rejectingValue(event: PromptEvent): string | null {
  if (event.promptType === "yes_no") return "n";
  if (event.constraints.declinable) return DECLINE;
  if (event.promptType !== "multiple_choice" || event.constraints.multi) return null;
  const rejecting = event.choices.flatMap((choice, at) => (choice.intent === "reject_once" ? [at + 1] : []));
  const [only] = rejecting;
  return only !== undefined && rejecting.length === 1 ? String(only) : null;
}
