/** The list of choices in a card, for labels that a button cannot show completely, and the questions of a form. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { formatButtonLabel, formatChoiceName } from "../../../src/sdk/card-words.js";
import { BUTTON_SHOWN_MAX, CHOICES_MAX, LABEL_MAX } from "../limits.js";
import { toPlainSpan, buildSection, type RichPart, type SlackSpan } from "./rich.js";

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
    buttons.some((button) => formatButtonLabel(notice, button).length > BUTTON_SHOWN_MAX) ||
    choices.some((choice) => choice.detail !== undefined)
  );
}

export function renderList(notice: PromptNotice): SlackChoiceList {
  const parts: (RichPart | null)[] = [];
  const lines = buildLines(notice);
  let length = 0;
  for (const { text, as } of lines) {
    const shown = clip(text, LABEL_MAX);
    length += shown.length;
    if (length > CHOICES_MAX) return { parts, whole: false };
    parts.push(buildSection([as === "plain" ? toPlainSpan(shown) : { text: shown, as }]));
  }
  return { parts, whole: lines.every(({ text }) => text.length <= LABEL_MAX) };
}

/** The complete list, for a file. */
export function renderChoiceLines(notice: PromptNotice): string[] {
  return buildLines(notice).map(({ text }) => text);
}

function buildLines(notice: PromptNotice): Line[] {
  const { choices, defaultChoice, form } = notice;
  if (form) {
    return form.flatMap(({ question, options }, index) => [
      { text: `${index + 1}. ${question}`, as: "bold" },
      ...options.flatMap((option, at) => buildOptionLines(option, `    ${at + 1}. ${option.label}`)),
    ]);
  }
  return choices.flatMap((choice, index) => {
    const isDefault = defaultChoice === index + 1 ? " (the tool's default)" : "";
    return buildOptionLines(choice, `${formatChoiceName(notice, index + 1)}. ${choice.label}${isDefault}`);
  });
}

function buildOptionLines({ detail }: { readonly detail?: string }, text: string): Line[] {
  const line: Line = { text, as: "plain" };
  return detail === undefined ? [line] : [line, { text: `    ${detail}`, as: "italic" }];
}
