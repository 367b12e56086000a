/** Determines which answer rejects. Pure. */
import { DECLINE, parseLegalValue } from "./reply.js";
import type { Choice, PromptEvent } from "../prompt.js";

type Question = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/**
 * The value that rejects, or null unless there is exactly one. Judged by what a choice does, never by its position: in agents'
 * menus the first row is yes.
 */
export function findRejectingValue(event: Question): string | null {
  if (event.promptType === "yes_no") return isApproval(event.choices[1]) ? null : "n";
  if (event.constraints.declinable) return DECLINE;
  if (event.promptType !== "multiple_choice" || event.constraints.multi) return null;
  const rejecting = event.choices.flatMap((choice, at) => (choice.intent === "reject_once" ? [at + 1] : []));
  const [only] = rejecting;
  return only !== undefined && rejecting.length === 1 ? String(only) : null;
}

/** Prompts that a tool raises while it works: only then is there something to stop after a denial. */
const ASKED_AT_WORK: readonly PromptEvent["safetyClass"][] = ["permission", "plan", "question"];

/** Whether "deny and stop" is possible: there is exactly one way to reject, and it needs no text. */
export function canStop(event: Question & Pick<PromptEvent, "safetyClass">): boolean {
  const value = ASKED_AT_WORK.includes(event.safetyClass) ? findRejectingValue(event) : null;
  return value !== null && parseLegalValue(event, value).ok;
}

function isApproval(choice: Choice | undefined): boolean {
  return choice?.intent === "allow_once" || choice?.intent === "allow_always";
}
