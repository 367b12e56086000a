/** Finds the answer that allows exactly this request, once. Pure. */
import type { Choice, PromptEvent } from "../prompt.js";

/** The value of the one choice that allows once; null if there is none, or it holds for more than this prompt. */
export function findYes({
  promptType,
  choices,
  constraints,
}: Pick<PromptEvent, "promptType" | "choices" | "constraints">): string | null {
  if (constraints.multi === true || constraints.localOnly === true) return null;
  const found = choices.flatMap((choice, at) => (choice.intent === "allow_once" ? [{ choice, at }] : []));
  const [only] = found;
  if (only === undefined || found.length > 1 || isUnfit(only.choice)) return null;
  if (promptType === "yes_no") return only.at === 0 ? "y" : null;
  return promptType === "multiple_choice" ? String(only.at + 1) : null;
}

function isUnfit(choice: Choice): boolean {
  return choice.takesText === "required" || isPermanent(choice);
}

const PERMANENT =
  /\balways\b|don['’]?t ask|do not ask|never ask|stop asking|remember|auto-?(?:accept|approve)|(?:this|the|whole|entire|rest of the) (?:session|project|conversation)|\ball (?:edits|commands|tools|files)\b|bypass|yolo/i;

/** Whether a choice decides more than this one prompt: only a person chooses it. */
export function isPermanent({ label, detail, intent }: Choice): boolean {
  return (
    intent === "allow_always" || (intent !== "reject_once" && PERMANENT.test(`${label} ${detail ?? ""}`))
  );
}
