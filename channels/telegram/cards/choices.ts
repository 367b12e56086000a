/** The list of choices in a card, for labels that a button cannot show completely. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import type { Choice } from "../../../src/sdk/channel.js";
import { formatButtonLabel, formatChoiceName } from "../../../src/sdk/card-words.js";
import { BUTTON_TEXT_MAX, CHOICES_MAX, LABEL_MAX } from "../limits.js";
import { clip } from "../../../src/sdk/text.js";
import { measureLength, toPlainSpan } from "./markup.js";
import { type TelegramSpan } from "./span.js";

export interface TelegramChoiceList {
  readonly spans: TelegramSpan[];
  /** False if a label was shortened or a choice omitted. */
  readonly whole: boolean;
}

/** Buttons suffice if each shows its whole label and nothing else belongs to it. */
export function needsList(notice: PromptNotice): boolean {
  const { choices, buttons } = notice;
  return (
    buttons.length < choices.length ||
    buttons.some((button) => formatButtonLabel(notice, button).length > BUTTON_TEXT_MAX) ||
    choices.some((choice) => choice.detail !== undefined)
  );
}

export function renderList(notice: PromptNotice): TelegramChoiceList {
  const { choices, defaultChoice } = notice;
  const spans: TelegramSpan[] = [];
  for (const [index, choice] of choices.entries()) {
    const line = renderLine(choice, formatChoiceName(notice, index + 1), defaultChoice === index + 1);
    if (measureLength(spans) + measureLength(line) > CHOICES_MAX) return { spans, whole: false };
    spans.push(...(index === 0 ? line : [toPlainSpan("\n"), ...line]));
  }
  return { spans, whole: choices.every((choice) => choice.label.length <= LABEL_MAX && fits(choice.detail)) };
}

function renderLine({ label, detail }: Choice, name: string, isDefault: boolean): TelegramSpan[] {
  const line = toPlainSpan(`${name}. ${clip(label, LABEL_MAX)}${isDefault ? " (the tool's default)" : ""}`);
  if (detail === undefined) return [line];
  return [line, toPlainSpan("\n    "), { text: clip(detail, LABEL_MAX), as: "italic" }];
}

function fits(detail: string | undefined): boolean {
  return (detail ?? "").length <= LABEL_MAX;
}
