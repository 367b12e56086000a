/**
 * What `default` means as an answer (adapter spec §3.2, §6.4): the answer that gives nothing away, never the one that the tool
 * highlights or that its Enter takes. Pure.
 */
import type { PromptEvent, PromptType, SafetyClass } from "./prompt.js";
import { rejectingValue } from "./rejecting.js";
import { rejection } from "./rejection.js";
import { legalValue, type Legality } from "./reply.js";

type Question = Pick<PromptEvent, "promptType" | "choices" | "constraints" | "safetyClass">;

/** Here an Enter may be the approval itself, whatever the dialog writes on its button. */
const ENTER_MAY_APPROVE: readonly SafetyClass[] = [
  "permission",
  "plan",
  "trust",
  "login",
  "update",
  "secret",
];

const TABLE: Readonly<Record<PromptType, (question: Question) => string | null>> = {
  yes_no: rejectingValue,
  multiple_choice: rejectingValue,
  confirm_enter: (question) => (isHarmless(question) ? "enter" : null),
  // Empty: the tool's own proposal for a text.
  free_text: (question) => rejectingValue(question) ?? (isHarmless(question) ? "" : null),
  secret: () => null,
  unknown: () => null,
};

/** The normal form of the safe default, or `no_default` where no legal answer is known to be one. */
export function safeDefault(question: Question): Legality {
  const value = TABLE[question.promptType](question);
  const legal = value === null ? null : legalValue(question, value);
  return legal?.ok ? legal : { ok: false, rejection: rejection("no_default") };
}

function isHarmless({ safetyClass, choices }: Question): boolean {
  const approves = choices.some(({ intent }) => intent === "allow_once" || intent === "allow_always");
  return !approves && !ENTER_MAY_APPROVE.includes(safetyClass);
}
