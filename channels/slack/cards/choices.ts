/** The list of choices in a card, for labels that a button cannot show completely, and the questions of a form. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { clip, countClipped } from "../../../src/sdk/text.js";
import {
  formatListedChoice,
  listsForm,
  listStepLines,
  selectListedChoices,
} from "../../../src/sdk/card-parts.js";
import { BUTTON_SHOWN_MAX, CHOICES_MAX, LABEL_MAX } from "../limits.js";
import { toPlainSpan, buildSection, type RichPart, type SlackSpan } from "./rich.js";

export interface SlackChoiceList {
  readonly parts: readonly (RichPart | null)[];
  /** How many characters of labels and whole choices it leaves out. */
  readonly omitted: number;
}

interface ChoiceLine {
  readonly text: string;
  readonly as: SlackSpan["as"];
}

export function renderList(notice: PromptNotice): SlackChoiceList {
  const parts: (RichPart | null)[] = [];
  let length = 0;
  let omitted = 0;
  for (const { text, as } of listShownLines(notice)) {
    const shown = clip(text, LABEL_MAX);
    length += shown.length;
    omitted += countClipped(text, length > CHOICES_MAX ? 0 : LABEL_MAX);
    if (length > CHOICES_MAX) continue;
    parts.push(buildSection([as === "plain" ? toPlainSpan(shown) : { text: shown, as }]));
  }
  return { parts, omitted };
}

/** The complete list, for a file. */
export function renderChoiceLines(notice: PromptNotice): string[] {
  return buildLines(notice).map(({ text }) => text);
}

/** Without what buttons or the content show already. */
function listShownLines(notice: PromptNotice): ChoiceLine[] {
  if (notice.step && notice.form !== null)
    return listStepLines(notice, BUTTON_SHOWN_MAX).map((line) => ({ ...line }));
  if (notice.form !== null) return listsForm(notice) ? [] : buildLines(notice);
  return selectListedChoices(notice, BUTTON_SHOWN_MAX).flatMap((index) => buildChoiceLines(notice, index));
}

function buildLines(notice: PromptNotice): ChoiceLine[] {
  const { choices, form } = notice;
  if (form === null) return choices.flatMap((_, index) => buildChoiceLines(notice, index));
  return form.flatMap(({ question, options }, index) => [
    { text: `${index + 1}. ${question}`, as: "bold" },
    ...options.flatMap((option, at) => buildOptionLines(option, `    ${at + 1}. ${option.label}`)),
  ]);
}

function buildChoiceLines(notice: PromptNotice, index: number): ChoiceLine[] {
  return buildOptionLines(notice.choices[index] ?? {}, formatListedChoice(notice, index));
}

function buildOptionLines({ detail }: { readonly detail?: string }, text: string): ChoiceLine[] {
  const line: ChoiceLine = { text, as: "plain" };
  return detail === undefined ? [line] : [line, { text: `    ${detail}`, as: "italic" }];
}
