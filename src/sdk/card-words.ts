/** What cards of every channel say in the same words, and which of their choices give more away than one answer. Pure. */
import type { PromptNotice } from "./channel.js";
import { nameOfChoice } from "../model/answer/choice-names.js";
import { TOLD_WORDS } from "../model/cut-words.js";
import { hiddenWords } from "../model/hidden.js";
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

/** Of what nobody could read it is not known whether it asks at all. */
export function titleOf(
  { safetyClass, promptType }: Pick<PromptNotice, "safetyClass" | "promptType">,
  tool: string,
): string {
  return promptType === "unknown" ? `❔ ${tool} seems to wait for you` : TITLES[safetyClass](tool);
}

/** Of what is missing a screen says a few words; a line of a card has no room for more. */
const MISSING_MAX = 120;

/** What stands under content that is not seen whole. */
export function cutWarning({ missing, told }: Cut): string {
  if (told) return `⚠️ ${TOLD_WORDS}`;
  const what = missing ? ` (missing: ${clip(missing, MISSING_MAX)})` : "";
  return `⚠️ The content is cut${what}. See the terminal before you allow anything.`;
}

/** What stands before a choice of this card: its number or letter. `index` counts from 1. */
export function choiceName({ lettered = false }: Pick<PromptNotice, "lettered">, index: number): string {
  return nameOfChoice(lettered, index);
}

/** `2. No, exit` for choices that have a name, the bare label for Yes and No. */
export function buttonWords(notice: Pick<PromptNotice, "lettered">, { choice, value }: NoticeButton): string {
  const label = choice.label.replace(/\s{1,8}/g, " ").trim() || "·";
  return /^\d{1,3}$/.test(value) ? `${choiceName(notice, Number(value))}. ${label}` : label;
}

/** Said on a card whose answers are no rows of the dialog on the screen; null on all others. */
export function letteredWords({
  lettered,
  choices,
}: Pick<PromptNotice, "lettered" | "choices">): string | null {
  if (!lettered) return null;
  return `🔤 Answers A to ${nameOfChoice(true, choices.length)} are this card's own. The dialog on the screen has other rows, with numbers.`;
}

/** What stands under content of which people do not see all. */
export function hiddenWarning(hidden: Hidden): string {
  return `⚠️ ${hiddenWords(hidden)}. To approve takes a second step.`;
}

const MINUTE_MS = 60_000;

/** A card of 30 minutes is on its way for some of the first second; it need not say 29. */
const SENDING_MS = 1_000;

/** `40 s`, `30 min`, `2 h 40 min`: how long a question stays open, never more than that. */
export function spanOf(ms: number): string {
  const minutes = Math.floor((ms + SENDING_MS) / MINUTE_MS);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}

/** One line of a card. */
const NAMES_SHOWN = 3;

/** In a card of which the only reader may not answer it; null in every other. */
export function onlyByWords({ onlyBy }: Pick<PromptNotice, "onlyBy">): string | null {
  if (onlyBy === undefined) return null;
  const named = onlyBy.slice(0, NAMES_SHOWN).join(", ");
  const others = onlyBy.length > NAMES_SHOWN ? ` and ${onlyBy.length - NAMES_SHOWN} more` : "";
  return `👀 For you to read: only ${named}${others} may answer it.`;
}

/** What follows the deadline of a card: silence is an answer there. Null where it is none. */
export function expiryWords({ expiryAnswer = null }: Pick<PromptNotice, "expiryAnswer">): string | null {
  return expiryAnswer === null ? null : `🤖 If nobody answers by then: ${expiryAnswer} (not while paused).`;
}

/** Why a choice deserves a second thought, or null. It is the person's decision all the same. */
export function riskOf(notice: PromptNotice, choice: Choice): string | null {
  if (choice.intent === "allow_always") return "This also allows what is not asked yet.";
  if (choice.intent !== "allow_once") return null;
  const { cut } = notice.content;
  if (cut !== null) return cut.told ? TOLD_WORDS : "What you allow is not shown in full here.";
  if (notice.safetyClass === "trust") return "This trusts everything in that place.";
  return null;
}
