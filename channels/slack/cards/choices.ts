/** The list of choices in a card, for labels that a button cannot show completely, and the questions of a form. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { buttonWords, choiceName } from "../../../src/sdk/card-words.js";
import { BUTTON_SHOWN_MAX, CHOICES_MAX, LABEL_MAX } from "../limits.js";
import { plainSpan, section, type RichPart, type SlackSpan } from "./rich.js";

export interface SlackChoiceList {
  readonly parts: readonly (RichPart | null)[];
  /** False if a label was shortened or a choice omitted. */
  readonly whole: boolean;
}

interface Line {
  readonly text: string;
  readonly as: SlackSpan["as"];
}

/** Buttons suffice if each shows its whole label and nothing else belongs to it. */
export function needsList(notice: PromptNotice): boolean {
  const { choices, buttons, form } = notice;
  return (
    form !== null ||
    buttons.length < choices.length ||
    buttons.some((button) => buttonWords(notice, button).length > BUTTON_SHOWN_MAX) ||
    choices.some((choice) => choice.detail !== undefined)
  );
}

export function listOf(notice: PromptNotice): SlackChoiceList {
  const parts: (RichPart | null)[] = [];
  const lines = linesOf(notice);
  let length = 0;
  for (const { text, as } of lines) {
    const shown = clip(text, LABEL_MAX);
    length += shown.length;
    if (length > CHOICES_MAX) return { parts, whole: false };
    parts.push(section([as === "plain" ? plainSpan(shown) : { text: shown, as }]));
  }
  return { parts, whole: lines.every(({ text }) => text.length <= LABEL_MAX) };
}

/** The complete list, for a file. */
export function choiceLines(notice: PromptNotice): string[] {
  return linesOf(notice).map(({ text }) => text);
}

function linesOf(notice: PromptNotice): Line[] {
  const { choices, defaultChoice, form } = notice;
  if (form) {
    return form.flatMap(({ question, options }, index) => [
      { text: `${index + 1}. ${question}`, as: "bold" },
      ...options.flatMap((option, at) => optionLines(option, `    ${at + 1}. ${option.label}`)),
    ]);
  }
  return choices.flatMap((choice, index) => {
    const isDefault = defaultChoice === index + 1 ? " (the tool's default)" : "";
    return optionLines(choice, `${choiceName(notice, index + 1)}. ${choice.label}${isDefault}`);
  });
}

function optionLines({ detail }: { readonly detail?: string }, text: string): Line[] {
  const line: Line = { text, as: "plain" };
  return detail === undefined ? [line] : [line, { text: `    ${detail}`, as: "italic" }];
}
