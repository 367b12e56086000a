/** How a reply's value ends when it is typed (adapter spec §4): the only table, used by the hub, never by a channel. */
import type { NewlinePolicy } from "./reply.js";
import type { PromptType } from "../prompt.js";

type Rule = (value: string) => NewlinePolicy;

const TABLE: Readonly<Record<PromptType, Rule>> = {
  yes_no: () => "append",
  // The value itself is the Enter key.
  confirm_enter: () => "none",
  multiple_choice: () => "append",
  // An empty text is just the Enter key.
  free_text: (value) => (value === "" ? "none" : "append"),
  // Never typed: `legalValue` refuses every value of a secret.
  secret: () => "none",
  unknown: ofNamedKey,
};

function ofNamedKey(value: string): NewlinePolicy {
  if (value === "enter") return "none";
  return value === "esc" ? "replace" : "append";
}

/** The policy for a legal value (normal form of `legalValue`) of a prompt of this type. */
export function newlinePolicyOf(promptType: PromptType, value: string): NewlinePolicy {
  return TABLE[promptType](value);
}
