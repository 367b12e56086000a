import type { ChoiceEntry, RuleEntry } from "../adapter-file.js";
import { findKey } from "../key-names.js";

export function compileChoice(choice: ChoiceEntry) {
  return {
    label: choice.label,
    intent: choice.intent,
    endsTool: choice.ends_tool,
    ...(choice.takes_text && { takesText: choice.takes_text }),
    ...(choice.text_keys && { textKeys: choice.text_keys.map(findKey) }),
    ...(choice.key !== undefined && { key: findKey(choice.key) }),
    ...(choice.text_to && { textTo: choice.text_to }),
  };
}

export function compileHidden({ label, key, intent, text_to: to }: NonNullable<RuleEntry["if_hidden"]>) {
  return { label, key: findKey(key), intent, ...(to && { textTo: to }) };
}
