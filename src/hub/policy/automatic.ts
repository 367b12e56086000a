/** The limits of answers that no human gave: policy rules and expiry are both held to them. */
import type { PromptEvent, SafetyClass } from "../../model/prompt.js";

const NEVER_AUTOMATIC: readonly SafetyClass[] = ["startup", "trust", "login", "update", "secret"];

/** False where only a human may answer: unsure reading, secrets, who-am-I and trust questions, content not fully seen or partly hidden. */
export function mayAnswerAlone(event: PromptEvent): boolean {
  if (event.confidence === "low" || event.promptType === "secret" || event.promptType === "unknown")
    return false;
  const { cut, hidden } = event.content;
  return !NEVER_AUTOMATIC.includes(event.safetyClass) && cut === null && hidden === undefined;
}
