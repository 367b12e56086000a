/** The buttons of a card: one per choice, in order, and the form's button if text or several choices are an answer. Pure. */
import type { InboundResponse, PromptNotice } from "../../../src/sdk/channel.js";
import type { types } from "@slack/bolt";
import {
  formatButtonLabel,
  formatButtonLabels,
  describeRisk,
  SCREEN_LABEL,
} from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { buildForm } from "./form.js";
import { ACTIONS_MAX, BUTTON_SHOWN_MAX, BUTTON_TEXT_MAX, CONFIRM_LABEL_MAX } from "../limits.js";
import { buildPlainText, type SlackBlock } from "./rich.js";

/** Prefix of a choice button's action id; its value is the token. */
export const CHOICE_ACTION = "choice:";
/** Action id of the button that opens the form; its value is the delivery. */
export const FORM_ACTION = "form";

/** Action id of the button that shows the terminal; its value is the delivery. */
export const LOOK_ACTION = "look";

type Button = types.Button;

export function buildActions(notice: PromptNotice, buttons: readonly NoticeButton[]): SlackBlock[] {
  const all = [
    ...buildChoiceButtons(notice, buttons),
    ...buildFormButton(notice),
    ...buildScreenButton(notice),
  ];
  const blocks: SlackBlock[] = [];
  for (let at = 0; at < all.length; at += ACTIONS_MAX)
    blocks.push({ type: "actions", elements: all.slice(at, at + ACTIONS_MAX) });
  return blocks;
}

/** The remaining actions of a settled card. */
export function buildLastActions(notice: PromptNotice, buttons: readonly NoticeButton[]): SlackBlock[] {
  if (buttons.length === 0) return [];
  return [{ type: "actions", elements: buildChoiceButtons(notice, buttons) }];
}

/** Buttons of a reply: each belongs to a card elsewhere in the conversation. */
export function buildOfferedActions(buttons: NonNullable<InboundResponse["buttons"]>): SlackBlock[] {
  if (buttons.length === 0) return [];
  const elements = buttons.map(({ token, label }, index): Button => ({
    type: "button",
    action_id: `${CHOICE_ACTION}${index + 1}`,
    text: buildPlainText(clip(label, BUTTON_TEXT_MAX)),
    value: token,
  }));
  return [{ type: "actions", elements }];
}

function buildChoiceButtons(notice: PromptNotice, buttons: readonly NoticeButton[]): Button[] {
  const labels = formatButtonLabels(notice, buttons, { max: BUTTON_SHOWN_MAX, used: [SCREEN_LABEL] });
  return buttons.map((button, index) =>
    buildChoiceButton(notice, button, { index, text: labels[index] ?? "" }),
  );
}

function buildChoiceButton(
  notice: PromptNotice,
  button: NoticeButton,
  { index, text }: { readonly index: number; readonly text: string },
): Button {
  const risk = describeRisk(notice, button.choice);
  return {
    type: "button",
    action_id: `${CHOICE_ACTION}${index + 1}`,
    text: buildPlainText(text),
    value: button.token,
    ...(risk === null
      ? {}
      : { style: "danger", confirm: buildConfirmation(formatButtonLabel(notice, button), risk) }),
  };
}

function buildConfirmation(label: string, risk: string): types.ConfirmationDialog {
  return {
    title: buildPlainText("Are you sure?"),
    text: buildPlainText(`${clip(label, CONFIRM_LABEL_MAX)}\n\n${risk}`),
    confirm: buildPlainText("Yes, do it"),
    deny: buildPlainText("Back"),
    style: "danger",
  };
}

function buildFormButton(notice: PromptNotice): Button[] {
  const form = buildForm(notice);
  if (form === null) return [];
  return [
    { type: "button", action_id: FORM_ACTION, text: buildPlainText(form.opener), value: notice.deliveryId },
  ];
}

function buildScreenButton({ screenView, deliveryId }: PromptNotice): Button[] {
  if (!screenView) return [];
  return [{ type: "button", action_id: LOOK_ACTION, text: buildPlainText(SCREEN_LABEL), value: deliveryId }];
}
