/** The buttons of a card: one per row, so that a thumb cannot miss. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatButtonLabel, describeRisk } from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import {
  encodeTextRequest,
  listTextRequests,
  encodeScreenRequest,
  needsWords,
  type LabelledTextRequest,
} from "../updates/person-question.js";
import { ASK_BUTTONS_MAX, BUTTON_TEXT_MAX } from "../limits.js";

interface KeyboardKey {
  text: string;
  callback_data: string;
  /** Red, if the person's app supports it; otherwise the default style. */
  style?: "danger";
}

export interface Keyboard {
  inline_keyboard: KeyboardKey[][];
}

/** The answers in `buttons`, then text answers, then the screen. */
export function buildKeyboard(notice: PromptNotice, buttons: readonly NoticeButton[]): Keyboard {
  const askings = listTextRequests(notice);
  const answers = buttons.map((button) => buildAnswerKey(notice, button, askings));
  const shown = new Set(answers.map((key) => key.callback_data));
  const asks = askings.map(buildAskKey).filter((key) => !shown.has(key.callback_data));
  const look = notice.screenView
    ? [{ text: "🖥 Screen", callback_data: encodeScreenRequest(notice.deliveryId) }]
    : [];
  const keys = [...answers, ...asks.slice(0, ASK_BUTTONS_MAX), ...look];
  return { inline_keyboard: keys.map((key) => [key]) };
}

/** The remaining actions of a settled card; null removes the keyboard. */
export function buildLastKeyboard(buttons: readonly NoticeButton[]): Keyboard | null {
  if (buttons.length === 0) return null;
  const keys = buttons.map((button): KeyboardKey => ({
    text: formatButtonLabel({}, button),
    callback_data: button.token,
  }));
  return { inline_keyboard: keys.map((key) => [key]) };
}

function buildAnswerKey(
  notice: PromptNotice,
  button: NoticeButton,
  askings: readonly LabelledTextRequest[],
): KeyboardKey {
  const asking = askings.find(({ choice }) => choice > 0 && String(choice) === button.value);
  if (asking && needsWords(button.choice)) return buildAskKey(asking);
  const risk = describeRisk(notice, button.choice);
  return {
    text: clip(formatButtonLabel(notice, button), BUTTON_TEXT_MAX),
    callback_data: button.token,
    ...(risk === null ? {} : { style: "danger" }),
  };
}

function buildAskKey(asking: LabelledTextRequest): KeyboardKey {
  return { text: clip(asking.label, BUTTON_TEXT_MAX), callback_data: encodeTextRequest(asking) };
}
