/** Renders a prompt for Telegram: the card, and the file with content that does not fit. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import {
  formatLate,
  formatLetterHint,
  formatOmittedWarning,
  formatOnlyBy,
  formatTitle,
  MAYBE_NO_PROMPT,
} from "../../../src/sdk/card-words.js";
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
import { clip, countClipped } from "../../../src/sdk/text.js";
import { renderChoiceLines, renderList } from "./choices.js";
import { FOOTER_MAX, NAME_MAX, OUTCOME_MAX, QUESTION_MAX, TEXT_MAX } from "../limits.js";
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

export interface TelegramPromptCard extends TelegramCard {
  /** How many characters of the prompt stand in the file alone. The same on every edit while it is open. */
  readonly omitted: number;
}

export interface TelegramCardMoment {
  readonly now: number;
  readonly outcome?: Outcome;
}

export function renderCard(notice: PromptNotice, { now, outcome }: TelegramCardMoment): TelegramPromptCard {
  if (outcome?.final) return { spans: renderSettled(notice, outcome), file: null, omitted: 0 };
  return renderOpen(omitChoiceRows(omitSteppedContent(notice)), { now, ...(outcome && { outcome }) });
}

function renderOpen(notice: PromptNotice, { now, outcome }: TelegramCardMoment): TelegramPromptCard {
  const list = renderList(notice);
  const head = renderHead(notice);
  const question = clip(notice.question, QUESTION_MAX);
  const warnings = renderWarnings(notice);
  const footer = renderFooter(notice, now);
  // The labels of buttons change, and with them what is listed: the content stays as it is.
  const all = renderList({ ...notice, buttons: [] });
  const fixed = measureLength([...head, ...all.spans, ...warnings]) + question.length + SEPARATORS_MAX;
  const below = Math.max(FOOTER_MAX, measureLength(footer) + NOTE_MAX);
  const content = renderContent(notice, TEXT_MAX - OUTCOME_MAX - below - fixed);
  const omitted = content.omitted + list.omitted + countClipped(notice.question, QUESTION_MAX);
  const warning = formatOmittedWarning(notice, omitted);
  const note = omitted === 0 ? (content.exact ? null : TABS) : ATTACHED;
  const late = formatLate(notice);
  const sections = [
    // In the room that is kept for an outcome, so that the content is the same on every edit.
    outcome ? [{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" as const }] : [],
    late === null || outcome ? [] : [toPlainSpan(late)],
    head,
    joinSections("\n", [
      needsQuestion(notice, content.omitted === 0) ? [toPlainSpan(question)] : [],
      content.spans,
      warnings,
      warning === null
        ? note === null
          ? []
          : [toPlainSpan(note)]
        : [{ text: warning, as: "bold" as const }],
    ]),
    list.spans,
    footer,
  ];
  return {
    spans: joinSections("\n\n", sections),
    file: note === null ? null : renderFile(notice, list.omitted === 0),
    omitted,
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
/** Any of these lines. */
const NOTE_MAX = 120;

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
  readonly omitted: number;
  /** Every character arrives unchanged. */
  readonly exact: boolean;
}

/** The service shrinks a tab to one blank, which would flatten code and hide what is approved, and drops carriage returns. */
const TAB = "⇥   ";

function renderContent({ content }: PromptNotice, room: number): ShownContent {
  const text = content.text.replaceAll("\t", TAB);
  if (text.trim() === "") return { spans: [], omitted: 0, exact: true };
  const exact = text === content.text && !text.includes("\r");
  const shown = makePreview(text, room, (part) => part.replaceAll(TAB, "\t").length);
  return { spans: [{ text: shown.text, as: "pre" }], omitted: shown.omitted, exact };
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
