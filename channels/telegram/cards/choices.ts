/** The list of choices in a card, for those that a button cannot show completely. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatListedChoice, listStepLines, selectListedChoices } from "../../../src/sdk/card-parts.js";
import { BUTTON_TEXT_MAX, CHOICES_MAX, LABEL_MAX, STEP_LINE_MAX } from "../limits.js";
import { clip, countClipped } from "../../../src/sdk/text.js";
import { measureLength, toPlainSpan } from "./markup.js";
import { type TelegramSpan } from "./span.js";

export interface TelegramChoiceList {
  readonly spans: TelegramSpan[];
  /** How many characters of labels and whole choices it leaves out. */
  readonly omitted: number;
}

export function renderList(notice: PromptNotice): TelegramChoiceList {
  if (notice.form !== null && notice.step !== undefined) return renderStep(notice);
  const spans: TelegramSpan[] = [];
  const listed = selectListedChoices(notice, BUTTON_TEXT_MAX);
  let omitted = 0;
  for (const [at, index] of listed.entries()) {
    const line = renderLine(notice, index);
    const { label = "", detail = "" } = notice.choices[index] ?? {};
    const isRoom = measureLength(spans) + measureLength(line) <= CHOICES_MAX;
    if (isRoom) spans.push(...(at === 0 ? line : [toPlainSpan("\n"), ...line]));
    omitted += [label, detail].reduce((sum, text) => sum + countClipped(text, isRoom ? LABEL_MAX : 0), 0);
  }
  return { spans, omitted };
}

function renderStep(notice: PromptNotice): TelegramChoiceList {
  const lines = listStepLines(notice, BUTTON_TEXT_MAX);
  const spans = lines.flatMap(({ text, as }, at): TelegramSpan[] => {
    const shown = clip(text, STEP_LINE_MAX);
    const span = as === "plain" ? toPlainSpan(shown) : { text: shown, as };
    return at === 0 ? [span] : [toPlainSpan("\n"), span];
  });
  return { spans, omitted: lines.reduce((sum, { text }) => sum + countClipped(text, STEP_LINE_MAX), 0) };
}

/** The complete list, for a file. */
export function renderChoiceLines(notice: PromptNotice): string {
  const lines =
    notice.form === null
      ? notice.choices.flatMap(({ detail }, index) => listLines(formatListedChoice(notice, index), detail))
      : notice.form.flatMap(({ question, options }, index) => [
          `${index + 1}. ${question}`,
          ...options.flatMap(({ label, detail }, at) => listLines(`    ${at + 1}. ${label}`, detail)),
        ]);
  return lines.join("\n");
}

function listLines(line: string, detail: string | undefined): string[] {
  return detail === undefined ? [line] : [line, `    ${detail}`];
}

function renderLine(notice: PromptNotice, index: number): TelegramSpan[] {
  const line = toPlainSpan(formatListedChoice(notice, index, LABEL_MAX));
  const detail = notice.choices[index]?.detail;
  if (detail === undefined) return [line];
  return [line, toPlainSpan("\n    "), { text: clip(detail, LABEL_MAX), as: "italic" }];
}
