/** Determines which answer rejects. Pure. */
import { DECLINE, parseLegalValue } from "./reply.js";
import type { Choice, PromptEvent } from "../prompt.js";

type RejectablePrompt = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

/** Words of a choice that says no and does nothing else, beside one such as "No, and stop the turn". */
const JUST_NO = /^no$/i;

/**
 * The value that just rejects, or null unless exactly one does: the only one, or of several the only plain "No". Judged by what a choice
 * does, never by its position: in agents' menus the first row is yes.
 */
export function findRejectingValue(event: RejectablePrompt): string | null {
  if (event.promptType === "yes_no") return isApproval(event.choices[1]) ? null : "n";
  if (event.constraints.declinable) return DECLINE;
  if (event.promptType !== "multiple_choice" || event.constraints.multi) return null;
  const rejecting = event.choices.filter(({ intent }) => intent === "reject_once");
  const plain = rejecting.length === 1 ? rejecting : rejecting.filter(({ label }) => JUST_NO.test(label));
  const [only] = plain;
  return only !== undefined && plain.length === 1 ? String(event.choices.indexOf(only) + 1) : null;
}

/** Prompts that a tool raises while it works: only these leave work to stop after a denial. */
const ASKED_AT_WORK: readonly PromptEvent["safetyClass"][] = ["permission", "plan", "question"];

/** Whether "deny and stop" is offered: there is exactly one way to reject, and it needs no text. A second one stops the turn itself. */
export function canStop(event: RejectablePrompt & Pick<PromptEvent, "safetyClass">): boolean {
  if (event.choices.filter(({ intent }) => intent === "reject_once").length > 1) return false;
  const value = ASKED_AT_WORK.includes(event.safetyClass) ? findRejectingValue(event) : null;
  return value !== null && parseLegalValue(event, value).ok;
}

function isApproval(choice: Choice | undefined): boolean {
  return choice?.intent === "allow_once" || choice?.intent === "allow_always";
}
