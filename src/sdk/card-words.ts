/** The texts that cards of all channels share, and which choices grant more than one answer. Pure. */
import type { NoticeSession, PromptNotice } from "./channel.js";
import { nameChoice } from "../model/answer/choice-names.js";
import { CONTROL_KEYS, KEY_ROWS, nameKey, takesKeys } from "../model/answer/screen-keys.js";
import { ABOVE_NOTE, TOLD_NOTE } from "../model/cut-words.js";
import { asksApproval, describeHidden, describeUnseen } from "../model/hidden.js";
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

/** The warning under truncated content. `session`: see `NoticeSession`. */
export function formatCutWarning(
  { missing, told, above }: Cut,
  { underTool }: Pick<NoticeSession, "underTool"> = {},
): string {
  if (told) return `⚠️ ${TOLD_NOTE}`;
  if (above) return `⬆️ ${ABOVE_NOTE}`;
  const what = missing ? ` (missing: ${clip(missing, MISSING_MAX)})` : "";
  const check = underTool === true ? "Ask the agent for the rest" : "Check the terminal";
  return `⚠️ The content is truncated${what}. ${check} before you allow anything.`;
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
  // A key of a screen that no rule reads is no choice.
  if (label === value) return label;
  return /^\d{1,3}$/.test(value) ? `${formatChoiceName(notice, Number(value))}. ${label}` : label;
}

/**
 * The labels of a card's buttons, shortened to `max`. No two read the same, nor as one of `used`, which are our own: the number that the
 * card's list gives a choice then stands first, as it does before a long Yes or No.
 */
export function formatButtonLabels(
  notice: Pick<PromptNotice, "lettered">,
  buttons: readonly NoticeButton[],
  { max, used = [] }: { readonly max: number; readonly used?: readonly string[] },
): readonly string[] {
  const whole = buttons.map((button) => formatButtonLabel(notice, button));
  const shown = [...whole.map((label) => clip(label, max)), ...used];
  return whole.map((label, index) => {
    const isLong = label.length > max && /^[yn]$/.test(buttons[index]?.value ?? "");
    const text = clip(label, max);
    const isAlike = shown.indexOf(text) !== shown.lastIndexOf(text);
    return isLong || isAlike ? clip(`${index + 1}. ${label}`, max) : text;
  });
}

/** The buttons as rows: one each, but keys of which a screen says nothing lie side by side, as on a keyboard. */
export function groupKeys(
  { promptType }: Pick<PromptNotice, "promptType">,
  buttons: readonly NoticeButton[],
): readonly (readonly NoticeButton[])[] {
  if (promptType !== "unknown") return buttons.map((button) => [button]);
  const isPlain = ({ choice, value }: NoticeButton): boolean => choice.label === nameKey(value);
  const rows = [...KEY_ROWS, CONTROL_KEYS].map((keys: readonly string[]) =>
    buttons.filter((button) => isPlain(button) && keys.includes(button.value)),
  );
  const grouped = new Set(rows.flat());
  const single = buttons.filter((button) => !grouped.has(button)).map((button) => [button]);
  return [...single, ...rows.filter((row) => row.length > 0)];
}

/** Whether an unread prompt is a screen with keys to move in. On a line any text is used, without a prefix. */
export function offersKeys({ buttons }: Pick<PromptNotice, "buttons">): boolean {
  return takesKeys({ keys: buttons.map(({ value }) => ({ key: value })) });
}

/** The hint on a card whose answers have letters, because the rows on the screen have other numbers; null on all others. */
export function formatLetterHint({
  lettered,
  choices,
  acceptsText = false,
}: Pick<PromptNotice, "lettered" | "choices"> & { readonly acceptsText?: boolean }): string | null {
  if (!lettered) return null;
  const how = acceptsText ? `: tap here, or reply A–${nameChoice(true, choices.length)}` : "";
  return `🔤 The terminal numbers its choices differently${how}.`;
}

/** Under a prompt that was recognized by its looks alone. */
export const MAYBE_NO_PROMPT = "❔ This may not be a prompt. Check the terminal.";
/** A button that asks for text, or for the screen, of a prompt that is settled. */
export const NO_LONGER_OPEN = "This prompt is no longer open.";
/** The label of the button that shows the terminal. */
export const SCREEN_LABEL = "🖥 Screen";

/** The warning under content that is partly hidden. */
export function formatHiddenWarning(hidden: Hidden): string {
  return `⚠️ ${describeHidden(hidden)}. Approving takes a second step.`;
}

/** The warning on an approval whose card leaves characters out; null on all others. `omitted`: how many. */
export function formatOmittedWarning(
  notice: Pick<PromptNotice, "safetyClass">,
  omitted: number,
): string | null {
  if (omitted === 0 || !asksApproval(notice)) return null;
  return `⚠️ ${describeUnseen(undefined, omitted)}: open the file, then accept. Approving takes a second step.`;
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

/** The line after a card's deadline if an answer is given then, or the prompt is refused; null otherwise. */
export function formatExpiryAnswer({
  expiryAnswer = null,
  refusedLate,
}: Pick<PromptNotice, "expiryAnswer" | "refusedLate">): string | null {
  if (refusedLate) return "⛔ If nobody answers by then, it is refused.";
  return expiryAnswer === null ? null : `🤖 If nobody answers by then: ${expiryAnswer} (not while paused).`;
}

/** The line on a card that had to wait before it was sent; null on all others. */
export function formatLate({ lateMs }: Pick<PromptNotice, "lateMs">): string | null {
  return lateMs === undefined ? null : `⏱ Sent ${formatRemainingTime(lateMs)} late.`;
}

/** Longer reasons are for `policy explain`. */
const POLICY_NOTE_MAX = 200;

/** The line with the policy's reason, or its answer; null without one. */
export function formatPolicyNote({ policyNote }: Pick<PromptNotice, "policyNote">): string | null {
  if (policyNote === undefined) return null;
  // The conditions of a yes are on the first line; a long rule text does not cut them off.
  const [first = "", ...others] = policyNote.split("\n");
  const lines = [first, others.join(" ")].map((line) => clip(line.replace(/\s+/g, " "), POLICY_NOTE_MAX));
  return `📜 ${lines.join(" ").trim()}`;
}

/** The risk of a choice, or null. The decision is the person's in any case. */
export function describeRisk(notice: PromptNotice, choice: Choice): string | null {
  if (choice.intent === "allow_always") return "This also allows future requests.";
  if (choice.intent !== "allow_once") return null;
  const { cut } = notice.content;
  if (cut?.above) return ABOVE_NOTE;
  if (cut !== null) return cut.told ? TOLD_NOTE : "What you allow is not shown completely.";
  if (notice.safetyClass === "trust") return "This trusts everything in that folder.";
  return null;
}
