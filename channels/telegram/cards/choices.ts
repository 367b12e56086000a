/** The list of choices in a card, for those that a button cannot show completely. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatListedChoice, listStepLines, selectListedChoices } from "../../../src/sdk/card-parts.js";
import { BUTTON_TEXT_MAX, CHOICES_MAX, LABEL_MAX, STEP_LINE_MAX } from "../limits.js";
import { clip } from "../../../src/sdk/text.js";
import { measureLength, toPlainSpan } from "./markup.js";
import { type TelegramSpan } from "./span.js";

export interface TelegramChoiceList {
  readonly spans: TelegramSpan[];
  /** False if a label was shortened or a choice omitted. */
  readonly whole: boolean;
}

export function renderList(notice: PromptNotice): TelegramChoiceList {
  if (notice.form !== null && notice.step !== undefined) return renderStep(notice);
  const spans: TelegramSpan[] = [];
  const listed = selectListedChoices(notice, BUTTON_TEXT_MAX);
  for (const [at, index] of listed.entries()) {
    const line = renderLine(notice, index);
    if (measureLength(spans) + measureLength(line) > CHOICES_MAX) return { spans, whole: false };
    spans.push(...(at === 0 ? line : [toPlainSpan("\n"), ...line]));
  }
  const isWhole = listed.every((index) => {
    const { label = "", detail = "" } = notice.choices[index] ?? {};
    return label.length <= LABEL_MAX && detail.length <= LABEL_MAX;
  });
  return { spans, whole: isWhole };
}

function renderStep(notice: PromptNotice): TelegramChoiceList {
  const lines = listStepLines(notice, BUTTON_TEXT_MAX);
  const spans = lines.flatMap(({ text, as }, at): TelegramSpan[] => {
    const shown = clip(text, STEP_LINE_MAX);
    const span = as === "plain" ? toPlainSpan(shown) : { text: shown, as };
    return at === 0 ? [span] : [toPlainSpan("\n"), span];
  });
  return { spans, whole: lines.every(({ text }) => text.length <= STEP_LINE_MAX) };
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
