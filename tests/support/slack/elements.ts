/** Interactive elements, with the limits of the service's reference. */
import type { Spot } from "./check.js";

const BUTTON_TEXT_MAX = 75;
const BUTTON_VALUE_MAX = 2000;
const ACTION_ID_MAX = 255;
const OPTION_TEXT_MAX = 75;
const OPTION_VALUE_MAX = 150;
const MENU_OPTIONS_MAX = 100;
const BOX_OPTIONS_MAX = 10;
const INPUT_TEXT_MAX = 3000;

/** `seen`: the action ids of the message so far, which must differ. */
export function checkButton(button: Spot, seen: Set<string>): void {
  button.only("type", "text", "action_id", "value", "style", "confirm", "url", "accessibility_label");
  button.in("text").textObject(BUTTON_TEXT_MAX);
  checkActionId(button, seen);
  if (button.has("value")) button.in("value").string(BUTTON_VALUE_MAX);
  if (button.has("style")) button.in("style").requireOneOf("primary", "danger");
  if (button.has("confirm")) checkConfirm(button.in("confirm"));
}

export function checkActionId(element: Spot, seen: Set<string>): void {
  if (!element.has("action_id")) return;
  const id = element.in("action_id").string(ACTION_ID_MAX);
  if (seen.has(id)) element.in("action_id").fail(`duplicate action_id: ${id}`);
  seen.add(id);
}

function checkConfirm(confirm: Spot): void {
  confirm.only("title", "text", "confirm", "deny", "style");
  confirm.in("title").textObject(100);
  confirm.in("text").textObject(300, ["plain_text", "mrkdwn"]);
  confirm.in("confirm").textObject(30);
  confirm.in("deny").textObject(30);
  if (confirm.has("style")) confirm.in("style").requireOneOf("primary", "danger");
}

/** What may stand in an `input` block. */
export function checkInputElement(element: Spot, seen: Set<string>): void {
  checkActionId(element, seen);
  switch (element.type) {
    case "plain_text_input":
      element.only(
        "type",
        "action_id",
        "multiline",
        "min_length",
        "max_length",
        "placeholder",
        "initial_value",
        "focus_on_load",
      );
      if (element.has("max_length") && element.in("max_length").integer() > INPUT_TEXT_MAX)
        element.in("max_length").fail(`must be less than ${INPUT_TEXT_MAX + 1}`);
      if (element.has("placeholder")) element.in("placeholder").textObject(150);
      return;
    case "checkboxes":
    case "radio_buttons":
      element.only("type", "action_id", "options", "initial_options", "initial_option", "focus_on_load");
      checkOptions(element.in("options"), BOX_OPTIONS_MAX);
      return;
    case "static_select":
    case "multi_static_select":
      element.only(
        "type",
        "action_id",
        "options",
        "placeholder",
        "initial_option",
        "initial_options",
        "focus_on_load",
        "max_selected_items",
      );
      if (element.has("placeholder")) element.in("placeholder").textObject(150);
      checkOptions(element.in("options"), MENU_OPTIONS_MAX);
      return;
    default:
      element.fail(`unsupported type: ${element.type}`);
  }
}

function checkOptions(options: Spot, max: number): void {
  const values = new Set<string>();
  for (const option of options.items(1, max)) {
    option.only("text", "value", "description");
    option.in("text").textObject(OPTION_TEXT_MAX, ["plain_text"]);
    const value = option.in("value").string(OPTION_VALUE_MAX);
    if (values.has(value)) option.in("value").fail("duplicate option value");
    values.add(value);
    if (option.has("description")) option.in("description").textObject(OPTION_TEXT_MAX);
  }
}
