/** The fixed words of a card. Pure. */
import type { Notice, SafetyClass } from "../../src/sdk/channel.js";

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

export function titleOf(safetyClass: SafetyClass, tool: string): string {
  return TITLES[safetyClass](tool);
}

type PromptNotice = Extract<Notice, { kind: "prompt" }>;

/** How to answer in words, or null where words are no answer. The grammar is the hub's. */
export function hintOf({ acceptsText, promptType, choices, buttons }: PromptNotice): string | null {
  if (!acceptsText) return null;
  const wordy = choices.findIndex((choice) => choice.takesText !== undefined) + 1;
  if (promptType === "unknown") return "↩️ Tap, or reply with text: and what to type (no passwords).";
  if (promptType === "multiple_choice" && buttons.length === 0)
    return "↩️ Reply to this message with a number; where several may be chosen, like 1,3.";
  if (wordy > 0) return `↩️ Tap, or reply with number and words, like ${wordy}: my words.`;
  return `↩️ ${buttons.length > 0 ? "Tap, or reply" : "Reply"} to this message with your answer.`;
}

const MINUTE_MS = 60_000;

/** `⏳ Open for 30 min, until 14:32 UTC`: the reader's own clock may be in any zone. */
export function untilOf(expiresAt: number, now: number): string {
  const at = new Date(expiresAt).toISOString().slice(11, 16);
  return `⏳ Open for ${spanOf(expiresAt - now)}, until ${at} UTC`;
}

function spanOf(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return `${minutes} min`;
  return `${Math.round(minutes / 60)} h`;
}
