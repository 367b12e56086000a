/** Describes hidden characters, and decides which answers require knowing about them. Pure. */
import type { Choice, Hidden, PromptEvent } from "./prompt.js";
import { DECLINE, STOP } from "./answer/reply.js";

/** `37 characters hidden (looks like a token)`. */
export function describeHidden({ characters, kinds }: Hidden): string {
  const noun = characters === 1 ? "character" : "characters";
  return `${characters} ${noun} hidden (looks like ${listKinds(kinds)})`;
}

function listKinds(kinds: readonly string[]): string {
  const each = kinds.map((kind) => `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`);
  const last = each.at(-1) ?? "a secret";
  return each.length < 2 ? last : `${each.slice(0, -1).join(", ")} and ${last}`;
}

/** The parts of a prompt that determine which answer rejects. */
interface HiddenPrompt {
  readonly promptType: PromptEvent["promptType"];
  readonly choices: readonly Pick<Choice, "intent">[];
  readonly constraints: {
    readonly multi?: boolean | undefined;
    readonly declinable?: boolean | undefined;
    readonly stoppable?: boolean | undefined;
  };
}

/** Whether an answer grants nothing. `value` is legal. */
export function isRejecting({ promptType, choices, constraints }: HiddenPrompt, value: string): boolean {
  if (constraints.stoppable && value === STOP) return true;
  if (constraints.declinable && value === DECLINE) return true;
  if (promptType === "yes_no") return value === "n";
  if (promptType === "unknown") return value === "esc" || value === "ctrl-c";
  if (promptType !== "multiple_choice" || constraints.multi) return false;
  return choices[Number(value) - 1]?.intent.startsWith("reject") === true;
}

/** Whether an answer approves content that the person cannot have seen completely. `value` is legal. */
export function approvesHidden(event: HiddenPrompt & Pick<PromptEvent, "content">, value: string): boolean {
  return event.content.hidden !== undefined && !isRejecting(event, value);
}
