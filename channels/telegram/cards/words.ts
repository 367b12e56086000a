/** The fixed texts of a card. Pure. */
import type { NoticeStep, PromptNotice } from "../../../src/sdk/channel.js";
import { formatChoiceName, formatRemainingTime, offersKeys } from "../../../src/sdk/card-words.js";

/** How to answer in writing, or null if text is no answer. The syntax is the hub's. */
export function describeHowToReply(notice: PromptNotice): string | null {
  const { acceptsText, promptType, choices, buttons, multi } = notice;
  if (!acceptsText) return null;
  if (notice.form !== null && notice.step) return describeHowToFillIn(notice.form.length, notice.step);
  const wordy = choices.findIndex((choice) => choice.takesText !== undefined) + 1;
  if (promptType === "unknown")
    return offersKeys(notice)
      ? "↩️ Tap a key, or reply with its name, or with text: and what to type (no passwords)."
      : "↩️ Tap, or reply with what to type (no passwords).";
  if (multi && notice.step)
    return "↩️ Tap to tick, then Done; or reply with the numbers, like 1,3, or with none.";
  if (multi) return "↩️ Reply to this message with the numbers of your choices, like 1,3, or with none.";
  if (promptType === "multiple_choice" && buttons.length === 0)
    return "↩️ Reply to this message with the number of your choice.";
  if (wordy > 0) {
    const name = formatChoiceName(notice, wordy);
    const how = notice.lettered ? "With words: reply with the letter" : "Tap, or reply with number";
    return `↩️ ${how} and text, like ${name}: my text.`;
  }
  if (notice.lettered) return null;
  return `↩️ ${buttons.length > 0 ? "Tap, or reply" : "Reply"} to this message with your answer.`;
}

function describeHowToFillIn(of: number, { asked }: NoticeStep): string | null {
  if (asked === null) return null;
  const all = of === 1 ? "" : ` To answer all ${of} at once, write one line for each.`;
  if (asked.field.options.length === 0) return `↩️ Reply to this message with your answer.${all}`;
  return `↩️ Tap, or reply with ${asked.field.ownWords ? "a number or your own words" : "a number"}.${all}`;
}

/** `⏳ Open for 30 min, until 14:32 UTC`: the reader may be in any time zone. */
export function renderDeadline(expiresAt: number, now: number): string {
  const at = new Date(expiresAt).toISOString().slice(11, 16);
  return `⏳ Open for ${formatRemainingTime(expiresAt - now)}, until ${at} UTC`;
}
