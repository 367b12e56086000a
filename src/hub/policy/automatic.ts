/** The limits of answers without a human. Policy rules and expiry answers both obey them. */
import type { PromptEvent, SafetyClass } from "../../model/prompt.js";

const NEVER_AUTOMATIC: readonly SafetyClass[] = ["startup", "trust", "login", "update", "secret"];

/**
 * False where only a human may answer: uncertain detection, secrets, trust prompts, and content that is not fully seen or
 * partly hidden.
 */
export function mayAnswerAutomatically(event: PromptEvent): boolean {
  if (event.confidence === "low" || event.promptType === "secret" || event.promptType === "unknown")
    return false;
  const { cut, hidden } = event.content;
  return !NEVER_AUTOMATIC.includes(event.safetyClass) && cut === null && hidden === undefined;
}
