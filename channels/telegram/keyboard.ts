/** Buttons under a card: one choice a row, so that a thumb cannot miss. Pure. */
import type { NoticeButton } from "../../src/sdk/channel.js";
import { clip } from "../../src/sdk/text.js";
import { BUTTON_TEXT_MAX } from "./limits.js";

export interface Keyboard {
  inline_keyboard: { text: string; callback_data: string }[][];
}

export function keyboardOf(buttons: readonly NoticeButton[]): Keyboard {
  const rows = buttons.map((button) => [
    { text: clip(buttonText(button), BUTTON_TEXT_MAX), callback_data: button.token },
  ]);
  return { inline_keyboard: rows };
}

/** `2. No, exit` for numbered choices, the bare label for Yes and No. */
export function buttonText({ choice, value }: NoticeButton): string {
  const label = choice.label.replace(/\s{1,8}/g, " ").trim() || "·";
  return /^\d{1,3}$/.test(value) ? `${value}. ${label}` : label;
}
