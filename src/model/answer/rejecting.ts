/** Which answer says no. Pure. */
import { DECLINE, legalValue } from "./reply.js";
import type { Choice, PromptEvent } from "../prompt.js";

type Question = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/**
 * The value that says no, or null when there is not exactly one. By what a choice does, never by where it stands: in agent
 * menus the first row is yes.
 */
export function rejectingValue(event: Question): string | null {
  if (event.promptType === "yes_no") return isApproval(event.choices[1]) ? null : "n";
  if (event.constraints.declinable) return DECLINE;
  if (event.promptType !== "multiple_choice" || event.constraints.multi) return null;
  const rejecting = event.choices.flatMap((choice, at) => (choice.intent === "reject_once" ? [at + 1] : []));
  const [only] = rejecting;
  return only !== undefined && rejecting.length === 1 ? String(only) : null;
}

/** What a tool was doing when it asked: only then does anything remain to be stopped once it was told no. */
const ASKED_AT_WORK: readonly PromptEvent["safetyClass"][] = ["permission", "plan", "question"];

/** Whether "no, and stop" can be said: there is one way to say no, and it needs no words. */
export function canStop(event: Question & Pick<PromptEvent, "safetyClass">): boolean {
  const value = ASKED_AT_WORK.includes(event.safetyClass) ? rejectingValue(event) : null;
  return value !== null && legalValue(event, value).ok;
}

function isApproval(choice: Choice | undefined): boolean {
  return choice?.intent === "allow_once" || choice?.intent === "allow_always";
}
