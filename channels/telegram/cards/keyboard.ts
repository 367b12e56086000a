/** The buttons of a card: one per row, so that a thumb cannot miss. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { buttonWords, riskOf } from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { askData, askingsOf, lookData, needsWords, type OpenQuestion } from "../updates/person-question.js";
import { ASK_BUTTONS_MAX, BUTTON_TEXT_MAX } from "../limits.js";

interface Key {
  text: string;
  callback_data: string;
  /** Red, if the person's app supports it; otherwise the default style. */
  style?: "danger";
}

export interface Keyboard {
  inline_keyboard: Key[][];
}

/** The answers in `buttons`, then text answers, then the screen. */
export function keyboardOf(notice: PromptNotice, buttons: readonly NoticeButton[]): Keyboard {
  const askings = askingsOf(notice);
  const answers = buttons.map((button) => answerKey(notice, button, askings));
  const shown = new Set(answers.map((key) => key.callback_data));
  const asks = askings.map(askKey).filter((key) => !shown.has(key.callback_data));
  const look = notice.screenView ? [{ text: "🖥 Screen", callback_data: lookData(notice.deliveryId) }] : [];
  const keys = [...answers, ...asks.slice(0, ASK_BUTTONS_MAX), ...look];
  return { inline_keyboard: keys.map((key) => [key]) };
}

/** The remaining actions of a settled card; null removes the keyboard. */
export function lastKeyboard(buttons: readonly NoticeButton[]): Keyboard | null {
  if (buttons.length === 0) return null;
  const keys = buttons.map((button): Key => ({ text: buttonWords({}, button), callback_data: button.token }));
  return { inline_keyboard: keys.map((key) => [key]) };
}

function answerKey(notice: PromptNotice, button: NoticeButton, askings: readonly OpenQuestion[]): Key {
  const asking = askings.find(({ choice }) => choice > 0 && String(choice) === button.value);
  if (asking && needsWords(button.choice)) return askKey(asking);
  const risk = riskOf(notice, button.choice);
  return {
    text: clip(buttonWords(notice, button), BUTTON_TEXT_MAX),
    callback_data: button.token,
    ...(risk === null ? {} : { style: "danger" }),
  };
}

function askKey(asking: OpenQuestion): Key {
  return { text: clip(asking.label, BUTTON_TEXT_MAX), callback_data: askData(asking) };
}
