/** The texts that cards of all channels share, and which choices grant more than one answer. Pure. */
import type { PromptNotice } from "./channel.js";
import { nameChoice } from "../model/answer/choice-names.js";
import { TOLD_NOTE } from "../model/cut-words.js";
import { describeHidden } from "../model/hidden.js";
import type { Choice, Cut, Hidden, SafetyClass } from "../model/prompt.js";
import type { NoticeButton } from "./channel.js";
import { clip } from "./text.js";

const TITLES: Readonly<Record<SafetyClass, (tool: string) => string>> = {
  permission: (tool) => `🔐 ${tool} asks for permission`,
  question: (tool) => `❓ ${tool} has a question`,
  plan: (tool) => `📋 ${tool} has a plan`,
  startup: (tool) => `🚀 ${tool} asks before it starts`,
  trust: (tool) => `🛡 ${tool} asks whether to trust this place`,
  login: (tool) => `🔑 ${tool} asks you to log in`,
  update: (tool) => `⬆️ ${tool} offers an update`,
  pager: (tool) => `📄 ${tool} waits in a pager`,
  secret: (tool) => `🔒 ${tool} waits for a secret at the terminal`,
  user_menu: (tool) => `☰ ${tool} shows a menu`,
};

/** For an unrecognized prompt it is unknown whether the tool asks at all. */
export function formatTitle(
  { safetyClass, promptType }: Pick<PromptNotice, "safetyClass" | "promptType">,
  tool: string,
): string {
  return promptType === "unknown" ? `❔ ${tool} may be waiting for you` : TITLES[safetyClass](tool);
}

/** Longest description of missing content; a card's line has no room for more. */
const MISSING_MAX = 120;

/** The warning under truncated content. */
export function formatCutWarning({ missing, told }: Cut): string {
  if (told) return `⚠️ ${TOLD_NOTE}`;
  const what = missing ? ` (missing: ${clip(missing, MISSING_MAX)})` : "";
  return `⚠️ The content is truncated${what}. Check the terminal before you allow anything.`;
}

/** The number or letter of a choice on this card. `index` counts from 1. */
export function formatChoiceName(
  { lettered = false }: Pick<PromptNotice, "lettered">,
  index: number,
): string {
  return nameChoice(lettered, index);
}

/** `2. No, exit` for choices with a name, the bare label for Yes and No. */
export function formatButtonLabel(
  notice: Pick<PromptNotice, "lettered">,
  { choice, value }: NoticeButton,
): string {
  const label = choice.label.replace(/\s{1,8}/g, " ").trim() || "·";
  return /^\d{1,3}$/.test(value) ? `${formatChoiceName(notice, Number(value))}. ${label}` : label;
}

/** The hint on a card whose answers are not rows of the dialog on the screen; null on all others. */
export function formatLetterHint({
  lettered,
  choices,
}: Pick<PromptNotice, "lettered" | "choices">): string | null {
  if (!lettered) return null;
  return `🔤 Answers A to ${nameChoice(true, choices.length)} belong to this card. The dialog on the screen has different, numbered rows.`;
}

/** The warning under content that is partly hidden. */
export function formatHiddenWarning(hidden: Hidden): string {
  return `⚠️ ${describeHidden(hidden)}. Approving takes a second step.`;
}

const MINUTE_MS = 60_000;

/** A card of 30 minutes should not say 29 because sending took part of the first second. */
const SENDING_MS = 1_000;

/** `40 s`, `30 min`, `2 h 40 min`: how long a prompt stays open, rounded down. */
export function formatRemainingTime(ms: number): string {
  const minutes = Math.floor((ms + SENDING_MS) / MINUTE_MS);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}

/** Names that fit one line of a card. */
const NAMES_SHOWN = 3;

/** The line on a card whose only reader may not answer; null on all others. */
export function formatOnlyBy({ onlyBy }: Pick<PromptNotice, "onlyBy">): string | null {
  if (onlyBy === undefined) return null;
  const named = onlyBy.slice(0, NAMES_SHOWN).join(", ");
  const others = onlyBy.length > NAMES_SHOWN ? ` and ${onlyBy.length - NAMES_SHOWN} more` : "";
  return `👀 For your information: only ${named}${others} may answer.`;
}

/** The line after a card's deadline if an answer is given then; null otherwise. */
export function formatExpiryAnswer({
  expiryAnswer = null,
}: Pick<PromptNotice, "expiryAnswer">): string | null {
  return expiryAnswer === null ? null : `🤖 If nobody answers by then: ${expiryAnswer} (not while paused).`;
}

/** The risk of a choice, or null. The decision is the person's in any case. */
export function describeRisk(notice: PromptNotice, choice: Choice): string | null {
  if (choice.intent === "allow_always") return "This also allows future requests.";
  if (choice.intent !== "allow_once") return null;
  const { cut } = notice.content;
  if (cut !== null) return cut.told ? TOLD_NOTE : "What you allow is not shown completely.";
  if (notice.safetyClass === "trust") return "This trusts everything in that folder.";
  return null;
}
