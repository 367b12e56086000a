/** Renders a prompt for Slack: the card, and the file with content that does not fit. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import {
  formatLate,
  formatLetterHint,
  formatOmittedWarning,
  formatOnlyBy,
  formatRemainingTime,
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
import type { Identity, NoticeSession, Outcome } from "../../../src/sdk/channel.js";
import { clip, countClipped } from "../../../src/sdk/text.js";
import { buildActions, buildLastActions } from "./buttons.js";
import { renderChoiceLines, renderList } from "./choices.js";
import {
  ADDRESSEES_MAX,
  NAME_MAX,
  NOTIFICATION_MAX,
  OUTCOME_MAX,
  QUESTION_MAX,
  TEXT_MAX,
} from "../limits.js";
import {
  escapeMarkup,
  toPlainSpan,
  buildPreformatted,
  buildRichText,
  buildSection,
  type SlackBlock,
  type RichPart,
  type SlackSpan,
} from "./rich.js";

export interface SlackCardFile {
  readonly name: string;
  /** Bytes of a picture are sent unchanged. */
  readonly text: string | Uint8Array;
}

export interface SlackCard {
  /** For notifications and screen readers; people read the blocks. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  /** The complete content if the card cannot hold it; otherwise null. The same for every edit of one notice. */
  readonly file: SlackCardFile | null;
}

export interface SlackPromptCard extends SlackCard {
  /** How many characters of the prompt stand in the file alone. The same on every edit while it is open. */
  readonly omitted: number;
}

export interface SlackCardMoment {
  readonly now: number;
  readonly outcome?: Outcome;
}

export function renderCard(notice: PromptNotice, { now, outcome }: SlackCardMoment): SlackPromptCard {
  if (outcome?.final) return renderSettled(notice, outcome);
  return renderOpen(omitChoiceRows(omitSteppedContent(notice)), { now, ...(outcome && { outcome }) });
}

function renderOpen(notice: PromptNotice, { now, outcome }: SlackCardMoment): SlackPromptCard {
  const list = renderList(notice);
  const question = clip(notice.question, QUESTION_MAX);
  const content = makePreview(notice.content.text, TEXT_MAX);
  const omitted = content.omitted + list.omitted + countClipped(notice.question, QUESTION_MAX);
  const warning = formatOmittedWarning(notice, omitted);
  const late = formatLate(notice);
  const parts = [
    outcome ? buildSection([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]) : null,
    late === null ? null : buildSection([toPlainSpan(late)]),
    ...renderHead(notice),
    needsQuestion(notice, content.omitted === 0) ? buildSection([toPlainSpan(question)]) : null,
    buildPreformatted(content.text),
    ...listWarnings(notice).map((text) => buildSection([{ text, as: "bold" }])),
    warning === null ? null : buildSection([{ text: warning, as: "bold" }]),
    warning !== null || omitted === 0 ? null : buildSection([toPlainSpan(ATTACHED)]),
    ...list.parts,
  ];
  const buttons = outcome ? (outcome.buttons ?? []) : notice.buttons;
  return {
    text: renderNotification(notice, outcome),
    blocks: [...buildRichText(parts), ...buildActions(notice, buttons), ...renderFooter(notice, now)],
    file: omitted === 0 ? null : renderFile(notice, list.omitted === 0),
    omitted,
  };
}

/** Two lines: the thread stays readable, and the ledger keeps the rest. */
function renderSettled(notice: PromptNotice, outcome: Outcome): SlackPromptCard {
  const parts = [
    buildSection([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]),
    buildSection([toPlainSpan(`${formatSettled(notice)} · `), { text: notice.shortId, as: "code" }]),
  ];
  return {
    text: renderNotification(notice, outcome),
    blocks: [...buildRichText(parts), ...buildLastActions(notice, outcome.buttons ?? [])],
    file: null,
    omitted: 0,
  };
}

const ATTACHED = "📎 Shortened here: the full text is in the file in this thread.";

function renderHead(notice: PromptNotice): (RichPart | null)[] {
  const { session, shortId, addressees } = notice;
  const title = formatTitle(notice, clip(session.tool, NAME_MAX));
  const where: SlackSpan[] = [toPlainSpan(`${renderPlace(session)} · `), { text: shortId, as: "code" }];
  return [buildSection([{ text: title, as: "bold" }]), buildSection(where, listMentions(addressees))];
}

/** `api · ~/src/api` */
export function renderPlace(session: NoticeSession): string {
  return formatPlace(session, NAME_MAX);
}

/** User ids to mention: a mention alerts people, a message in a thread might not. */
export function listMentions(addressees: readonly Identity[]): string[] {
  return addressees
    .flatMap((identity) => /^slack:[^/]{1,64}\/([UW][A-Z0-9]{2,20})$/.exec(identity)?.[1] ?? [])
    .slice(0, ADDRESSEES_MAX);
}

/** The footer below the buttons. Its markup contains only our own numbers: each reader sees the deadline in their time zone. */
function renderFooter(notice: PromptNotice, now: number): SlackBlock[] {
  const lines = [
    formatLetterHint(notice),
    notice.confidence === "low" ? MAYBE_NO_PROMPT : null,
    notice.expiresAt === null ? null : renderDeadline(notice.expiresAt, now),
  ].filter((line) => line !== null);
  const onlyBy = formatOnlyBy(notice);
  const unmarked = [...(onlyBy === null ? [] : [onlyBy]), ...listPolicyLines(notice)];
  const elements = [
    ...lines.map((text) => ({ type: "mrkdwn" as const, text, verbatim: true })),
    // Labels of tools and names of people are never markup.
    ...unmarked.map((text) => ({ type: "plain_text" as const, text })),
  ];
  return elements.length === 0 ? [] : [{ type: "context", elements }];
}

function renderDeadline(expiresAt: number, now: number): string {
  const utc = new Date(expiresAt).toISOString().slice(11, 16);
  const local = `<!date^${Math.round(expiresAt / 1000)}^{time}|${utc} UTC>`;
  return `⏳ Open for ${formatRemainingTime(expiresAt - now)}, until ${local}`;
}

function renderNotification(notice: PromptNotice, outcome: Outcome | undefined): string {
  const question = notice.question || (notice.step?.asked?.field.question ?? "");
  const title = `${formatTitle(notice, notice.session.tool)}: ${question}`;
  return escapeMarkup(clip(outcome ? `${outcome.text} · ${title}` : title, NOTIFICATION_MAX));
}

/** Only the content if only that was too long; otherwise with the question and choices around it. */
function renderFile(notice: PromptNotice, listWhole: boolean): SlackCardFile {
  return buildContentFile(notice, {
    question: notice.question.length > QUESTION_MAX ? notice.question : null,
    choices: listWhole ? null : renderChoiceLines(notice).join("\n"),
  });
}
