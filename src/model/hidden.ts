/** Describes what people cannot see of a prompt, and decides which answers require knowing about it. Pure. */
import type { Choice, Hidden, PromptEvent, SafetyClass } from "./prompt.js";
import { DECLINE, STOP } from "./answer/reply.js";

/** `37 characters hidden (looks like a token)`. */
export function describeHidden({ characters, kinds, opened }: Hidden): string {
  const noun = characters === 1 ? "character" : "characters";
  const count = characters > 0 ? [`${characters} ${noun} hidden (looks like ${listKinds(kinds)})`] : [];
  return [...(opened ? [DRAWN_OVER] : []), ...count].join("; ");
}

const DRAWN_OVER = "Another program may have drawn over what the tool asks";

function listKinds(kinds: readonly string[]): string {
  const each = kinds.map((kind) => `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`);
  const last = each.at(-1) ?? "a secret";
  return each.length < 2 ? last : `${each.slice(0, -1).join(", ")} and ${last}`;
}

/** `3,000`. Not `toLocaleString`: that loads tables for 10 ms. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What a person cannot see: what the prompt hides from everybody, and how many characters their card leaves out. */
export function describeUnseen(hidden: Hidden | undefined, unshown: number): string {
  const noun = unshown === 1 ? "character" : "characters";
  const left = unshown > 0 ? [`${formatCount(unshown)} ${noun} not shown`] : [];
  return [...(hidden ? [describeHidden(hidden)] : []), ...left].join(" and ") || "Part of this is hidden";
}

/** What people do about characters that their card leaves out; "" if there are none. */
export function adviseOpening(unshown: number): string {
  return unshown > 0 ? " Open the file, then accept." : "";
}

/** The label of the second button. The number comes first, because services truncate long labels at the end. */
export function labelAcceptance(label: string, hidden: Hidden | undefined, unshown: number): string {
  const counts = [
    ...(hidden && hidden.characters > 0 ? [`${hidden.characters} hidden`] : []),
    ...(unshown > 0 ? [`${formatCount(unshown)} not shown`] : []),
  ];
  const causes = [
    ...(counts.length > 0 ? [`with ${counts.join(", ")}`] : []),
    ...(hidden?.opened ? ["maybe drawn over"] : []),
  ];
  const cause = causes.join(", ") || "with some hidden";
  return `⚠️ ${cause[0]?.toUpperCase()}${cause.slice(1)}: ${label}`;
}

const APPROVALS: readonly SafetyClass[] = ["permission", "plan", "trust", "startup", "update"];

/** Whether a yes lets the tool do everything in the content, so that all of it has to be on the card. */
export function asksApproval({ safetyClass }: { readonly safetyClass: SafetyClass }): boolean {
  return APPROVALS.includes(safetyClass);
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

/**
 * Whether an answer approves content that the person cannot have seen completely. `value` is legal, `unshown` how many characters
 * their card leaves out.
 */
export function approvesHidden(
  event: HiddenPrompt & Pick<PromptEvent, "content">,
  value: string,
  unshown = 0,
): boolean {
  return (event.content.hidden !== undefined || unshown > 0) && !isRejecting(event, value);
}
