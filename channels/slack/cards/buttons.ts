/** The buttons of a card: one per choice, in order, and the form's button if text or several choices are an answer. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import type { types } from "@slack/bolt";
import { buttonWords, riskOf } from "../../../src/sdk/card-words.js";
import type { NoticeButton } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { formOf } from "./form.js";
import { ACTIONS_MAX, BUTTON_TEXT_MAX, CONFIRM_LABEL_MAX } from "../limits.js";
import { plainText, type SlackBlock } from "./rich.js";

/** Prefix of a choice button's action id; its value is the token. */
export const CHOICE_ACTION = "choice:";
/** Action id of the button that opens the form; its value is the delivery. */
export const FORM_ACTION = "form";

/** Action id of the button that shows the terminal; its value is the delivery. */
export const LOOK_ACTION = "look";

type Button = types.Button;

export function actionsOf(notice: PromptNotice, buttons: readonly NoticeButton[]): SlackBlock[] {
  const all = [
    ...buttons.map((button, index) => choiceButton(notice, button, index)),
    ...formButton(notice),
    ...lookButton(notice),
  ];
  const blocks: SlackBlock[] = [];
  for (let at = 0; at < all.length; at += ACTIONS_MAX)
    blocks.push({ type: "actions", elements: all.slice(at, at + ACTIONS_MAX) });
  return blocks;
}

/** The remaining actions of a settled card. */
export function lastActionsOf(notice: PromptNotice, buttons: readonly NoticeButton[]): SlackBlock[] {
  if (buttons.length === 0) return [];
  return [{ type: "actions", elements: buttons.map((button, index) => choiceButton(notice, button, index)) }];
}

function choiceButton(notice: PromptNotice, button: NoticeButton, index: number): Button {
  const risk = riskOf(notice, button.choice);
  return {
    type: "button",
    action_id: `${CHOICE_ACTION}${index + 1}`,
    text: plainText(clip(buttonWords(notice, button), BUTTON_TEXT_MAX)),
    value: button.token,
    ...(risk === null ? {} : { style: "danger", confirm: confirmOf(buttonWords(notice, button), risk) }),
  };
}

function confirmOf(label: string, risk: string): types.ConfirmationDialog {
  return {
    title: plainText("Are you sure?"),
    text: plainText(`${clip(label, CONFIRM_LABEL_MAX)}\n\n${risk}`),
    confirm: plainText("Yes, do it"),
    deny: plainText("Back"),
    style: "danger",
  };
}

function formButton(notice: PromptNotice): Button[] {
  const form = formOf(notice);
  if (form === null) return [];
  return [{ type: "button", action_id: FORM_ACTION, text: plainText(form.opener), value: notice.deliveryId }];
}

function lookButton({ screenView, deliveryId }: PromptNotice): Button[] {
  if (!screenView) return [];
  return [{ type: "button", action_id: LOOK_ACTION, text: plainText("🖥 Screen"), value: deliveryId }];
}
