/** Renders a prompt for Telegram: the card, and the file with content that does not fit. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import { formatLetterHint, formatOnlyBy, formatTitle, MAYBE_NO_PROMPT } from "../../../src/sdk/card-words.js";
import {
  buildContentFile,
  formatPlace,
  formatSettled,
  listPolicyLines,
  listWarnings,
  makePreview,
  needsQuestion,
  omitChoiceRows,
  omitSteppedContent,
} from "../../../src/sdk/card-parts.js";
import type { Outcome } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { renderChoiceLines, renderList } from "./choices.js";
import { FOOTER_MAX, NAME_MAX, OUTCOME_MAX, QUESTION_MAX, TEXT_MAX } from "../limits.js";
import { PREVIEW_LINES_MAX, PREVIEW_MAX } from "../limits.js";
import { measureLength, toPlainSpan } from "./markup.js";
import { type TelegramSpan } from "./span.js";
import { describeHowToReply, renderDeadline } from "./words.js";

export interface TelegramCardFile {
  readonly name: string;
  /** Bytes of a picture are sent unchanged. */
  readonly text: string | Uint8Array;
}

export interface TelegramCard {
  readonly spans: readonly TelegramSpan[];
  /** The complete content if the card cannot hold it; otherwise null. The same for every edit of one notice. */
  readonly file: TelegramCardFile | null;
}

export interface TelegramCardMoment {
  readonly now: number;
  readonly outcome?: Outcome;
}

export function renderCard(notice: PromptNotice, { now, outcome }: TelegramCardMoment): TelegramCard {
  if (outcome?.final) return { spans: renderSettled(notice, outcome), file: null };
  return renderOpen(omitChoiceRows(omitSteppedContent(notice)), { now, ...(outcome && { outcome }) });
}

function renderOpen(notice: PromptNotice, { now, outcome }: TelegramCardMoment): TelegramCard {
  const list = renderList(notice);
  const head = renderHead(notice);
  const question = clip(notice.question, QUESTION_MAX);
  const warnings = renderWarnings(notice);
  const fixed = measureLength([...head, ...list.spans, ...warnings]) + question.length + SEPARATORS_MAX;
  const content = renderContent(notice, TEXT_MAX - OUTCOME_MAX - FOOTER_MAX - fixed);
  const whole = content.whole && list.whole && question === notice.question;
  const note = whole ? (content.exact ? null : TABS) : ATTACHED;
  const sections = [
    outcome ? [{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" as const }] : [],
    head,
    joinSections("\n", [
      needsQuestion(notice, content.whole) ? [toPlainSpan(question)] : [],
      content.spans,
      warnings,
      note === null ? [] : [toPlainSpan(note)],
    ]),
    list.spans,
    renderFooter(notice, now),
  ];
  return {
    spans: joinSections("\n\n", sections),
    file: note === null ? null : renderFile(notice, list.whole),
  };
}

/** Two lines: the chat stays readable, and the ledger keeps the rest. */
function renderSettled(notice: PromptNotice, outcome: Outcome): TelegramSpan[] {
  return [
    { text: clip(outcome.text, OUTCOME_MAX), as: "bold" },
    toPlainSpan(`\n${formatSettled(notice)} · `),
    { text: notice.shortId, as: "code" },
  ];
}

function renderWarnings(notice: PromptNotice): TelegramSpan[] {
  const warnings = listWarnings(notice);
  return warnings.length === 0 ? [] : [{ text: warnings.join("\n"), as: "bold" }];
}

/** Blank lines between at most five sections and four lines of the body. */
const SEPARATORS_MAX = 16;
const TABS = "📎 Tabs are shown as ⇥ here: the exact text is in the file above.";
const ATTACHED = "📎 Shortened here: the full text is in the file above.";

function renderHead(notice: PromptNotice): TelegramSpan[] {
  const { session, shortId } = notice;
  const place = formatPlace(session, NAME_MAX);
  return [
    { text: formatTitle(notice, clip(session.tool, NAME_MAX)), as: "bold" },
    toPlainSpan(place === "" ? "\n" : `\n${place} · `),
    { text: shortId, as: "code" },
  ];
}

interface ShownContent {
  readonly spans: TelegramSpan[];
  readonly whole: boolean;
  /** Every character arrives unchanged. */
  readonly exact: boolean;
}

function renderContent({ content }: PromptNotice, room: number): ShownContent {
  // The service shrinks a tab to one blank, which would flatten code and hide what is approved, and drops carriage returns.
  const text = content.text.replaceAll("\t", "⇥   ");
  if (text.trim() === "") return { spans: [], whole: true, exact: true };
  const whole = text.length <= room;
  const exact = text === content.text && !text.includes("\r");
  return {
    spans: [
      {
        text: whole
          ? text
          : makePreview(text, { lines: PREVIEW_LINES_MAX, length: Math.min(room, PREVIEW_MAX) }),
        as: "pre",
      },
    ],
    whole,
    exact,
  };
}

function renderFooter(notice: PromptNotice, now: number): TelegramSpan[] {
  const hint = describeHowToReply(notice);
  const onlyBy = formatOnlyBy(notice);
  const lettered = formatLetterHint(notice);
  return joinSections("\n", [
    notice.confidence === "low" ? [toPlainSpan(MAYBE_NO_PROMPT)] : [],
    lettered === null ? [] : [toPlainSpan(lettered)],
    hint === null ? [] : [toPlainSpan(hint)],
    onlyBy === null ? [] : [toPlainSpan(onlyBy)],
    notice.expiresAt === null ? [] : [{ text: renderDeadline(notice.expiresAt, now), as: "italic" }],
    ...listPolicyLines(notice).map((line) => [toPlainSpan(line)]),
  ]);
}

/** Only the content if only that was too long; otherwise with the question and choices around it. */
function renderFile(notice: PromptNotice, listWhole: boolean): TelegramCardFile {
  return buildContentFile(notice, {
    question: notice.question.length > QUESTION_MAX ? notice.question : null,
    choices: listWhole ? null : renderChoiceLines(notice),
  });
}

function joinSections(separator: string, sections: readonly (readonly TelegramSpan[])[]): TelegramSpan[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [toPlainSpan(separator), ...section]));
}
