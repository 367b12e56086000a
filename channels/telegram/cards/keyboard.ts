/** The buttons of a card: one per row, so that a thumb cannot miss; keys of a keyboard lie as on one. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatButtonLabels, describeRisk, groupKeys, SCREEN_LABEL } from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import {
  encodeTextRequest,
  listTextRequests,
  encodeScreenRequest,
  needsWords,
  type LabelledTextRequest,
} from "../updates/person-question.js";
import { ASK_BUTTONS_MAX, BUTTON_TEXT_MAX, WORD_MAX, WORDS_PER_ROW } from "../limits.js";

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
  const used = [...askings.map(({ label }) => label), SCREEN_LABEL];
  const labels = formatButtonLabels(notice, buttons, { max: BUTTON_TEXT_MAX, used });
  const answers = groupKeys(notice, buttons).map((row) =>
    row.map((button) => {
      const text = labels[buttons.indexOf(button)] ?? "";
      return buildAnswerKey(notice, { button, text }, askings);
    }),
  );
  const shown = new Set(answers.flat().map((key) => key.callback_data));
  const asks = askings.map(buildAskKey).filter((key) => !shown.has(key.callback_data));
  const look = notice.screenView
    ? [{ text: SCREEN_LABEL, callback_data: encodeScreenRequest(notice.deliveryId) }]
    : [];
  const others = [...asks.slice(0, ASK_BUTTONS_MAX), ...look];
  return { inline_keyboard: [...answers, ...others.map((key) => [key])] };
}

/** The remaining actions of a settled card; null removes the keyboard. */
export function buildLastKeyboard(buttons: readonly NoticeButton[]): Keyboard | null {
  if (buttons.length === 0) return null;
  const labels = formatButtonLabels({}, buttons, { max: BUTTON_TEXT_MAX });
  const keys = buttons.map(({ token }, index): KeyboardKey => ({
    text: labels[index] ?? "",
    callback_data: token,
  }));
  // In rows of their own, single words would take more of the screen than what they are about.
  const perRow = labels.every((label) => label.length <= WORD_MAX) ? WORDS_PER_ROW : 1;
  const rows = Array.from({ length: Math.ceil(keys.length / perRow) }, (_, row) =>
    keys.slice(row * perRow, (row + 1) * perRow),
  );
  return { inline_keyboard: rows };
}

function buildAnswerKey(
  notice: PromptNotice,
  { button, text }: { readonly button: NoticeButton; readonly text: string },
  askings: readonly LabelledTextRequest[],
): KeyboardKey {
  const asking = askings.find(({ choice }) => choice > 0 && String(choice) === button.value);
  if (asking && needsWords(button.choice)) return buildAskKey(asking);
  const risk = describeRisk(notice, button.choice);
  return {
    text,
    callback_data: button.token,
    ...(risk === null ? {} : { style: "danger" }),
  };
}

function buildAskKey(asking: LabelledTextRequest): KeyboardKey {
  return { text: clip(asking.label, BUTTON_TEXT_MAX), callback_data: encodeTextRequest(asking) };
}
