/** How a reply's value ends when it is typed (adapter spec §4): the only table, used by the hub, never by a channel. */
import { TEXT_PREFIX, type NewlinePolicy } from "./reply.js";
import { isControlKey } from "./screen-keys.js";
import type { PromptType } from "../prompt.js";

type NewlineRule = (value: string) => NewlinePolicy;

const TABLE: Readonly<Record<PromptType, NewlineRule>> = {
  yes_no: () => "append",
  // The value itself is the Enter key.
  confirm_enter: () => "none",
  multiple_choice: () => "append",
  // An empty text is just the Enter key.
  free_text: (value) => (value === "" ? "none" : "append"),
  // Never typed: `parseLegalValue` refuses every value of a secret.
  secret: () => "none",
  unknown: chooseForNamedKey,
};

function chooseForNamedKey(value: string): NewlinePolicy {
  if (value === "esc" || isControlKey(value)) return "replace";
  return value.startsWith(TEXT_PREFIX) ? "append" : "none";
}

/** The policy for a legal value (normal form of `parseLegalValue`) of a prompt of this type. */
export function chooseNewlinePolicy(promptType: PromptType, value: string): NewlinePolicy {
  return TABLE[promptType](value);
}
