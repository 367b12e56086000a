/** The choices of a rule, as plain data. */
import type { AgentFile, ChoiceEntry, RuleEntry } from "./adapter-file.js";
import { refusal } from "./adapter-refusal.js";
import type { CompiledChoice, HiddenChoice } from "./compiled.js";
import { keyOf } from "./key-names.js";

export function compileChoice(choice: ChoiceEntry): CompiledChoice {
  return {
    label: choice.label,
    intent: choice.intent,
    endsTool: choice.ends_tool,
    ...(choice.takes_text && { takesText: choice.takes_text }),
    ...(choice.text_keys && { textKeys: choice.text_keys.map(keyOf) }),
    ...(choice.key !== undefined && { key: keyOf(choice.key) }),
    ...(choice.text_to && { textTo: choice.text_to }),
  };
}

export function compileHidden({
  label,
  key,
  intent,
  text_to: to,
}: NonNullable<RuleEntry["if_hidden"]>): HiddenChoice {
  return { label, key: keyOf(key), intent, ...(to && { textTo: to }) };
}

/** Words that follow a choice need a composer that is known, and a choice that can be taken without them. */
export function refuseHomelessWords({ composer }: AgentFile, entry: RuleEntry, file: string): void {
  const { name, choices = [], if_hidden: hidden } = entry;
  const following = choices.filter(({ text_to: to }) => to !== undefined);
  if (following.length === 0 && hidden?.text_to === undefined) return;
  if (!composer) {
    throw refusal(
      `${file}: rule "${name}": "text_to" needs "composer"`,
      'Give "composer: { row: …, below: … }".',
    );
  }
  if (following.every(({ takes_text: takes, text_keys: keys }) => takes === "optional" && !keys)) return;
  throw refusal(
    `${file}: rule "${name}": "text_to" is for words that follow a choice`,
    'Use it with "takes_text: optional" and without "text_keys".',
  );
}
