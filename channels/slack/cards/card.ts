/** Renders a prompt for Slack: the card, and the file with content that does not fit. Pure. */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import {
  formatLetterHint,
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
import { clip } from "../../../src/sdk/text.js";
import { buildActions, buildLastActions } from "./buttons.js";
import { renderChoiceLines, renderList } from "./choices.js";
import {
  ADDRESSEES_MAX,
  NAME_MAX,
  NOTIFICATION_MAX,
  OUTCOME_MAX,
  PREVIEW_LINES_MAX,
  PREVIEW_MAX,
  QUESTION_MAX,
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

export interface SlackCardMoment {
  readonly now: number;
  readonly outcome?: Outcome;
}

export function renderCard(notice: PromptNotice, { now, outcome }: SlackCardMoment): SlackCard {
  if (outcome?.final) return renderSettled(notice, outcome);
  return renderOpen(omitChoiceRows(omitSteppedContent(notice)), { now, ...(outcome && { outcome }) });
}

function renderOpen(notice: PromptNotice, { now, outcome }: SlackCardMoment): SlackCard {
  const list = renderList(notice);
  const question = clip(notice.question, QUESTION_MAX);
  const content = renderContent(notice);
  const whole = content.whole && list.whole && question === notice.question;
  const parts = [
    outcome ? buildSection([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]) : null,
    ...renderHead(notice),
    needsQuestion(notice, content.whole) ? buildSection([toPlainSpan(question)]) : null,
    content.part,
    ...listWarnings(notice).map((text) => buildSection([{ text, as: "bold" }])),
    whole ? null : buildSection([toPlainSpan(ATTACHED)]),
    ...list.parts,
  ];
  const buttons = outcome ? (outcome.buttons ?? []) : notice.buttons;
  return {
    text: renderNotification(notice, outcome),
    blocks: [...buildRichText(parts), ...buildActions(notice, buttons), ...renderFooter(notice, now)],
    file: whole ? null : renderFile(notice, list.whole),
  };
}

/** Two lines: the thread stays readable, and the ledger keeps the rest. */
function renderSettled(notice: PromptNotice, outcome: Outcome): SlackCard {
  const parts = [
    buildSection([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]),
    buildSection([toPlainSpan(`${formatSettled(notice)} · `), { text: notice.shortId, as: "code" }]),
  ];
  return {
    text: renderNotification(notice, outcome),
    blocks: [...buildRichText(parts), ...buildLastActions(notice, outcome.buttons ?? [])],
    file: null,
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

function renderContent({ content }: PromptNotice): { part: RichPart | null; whole: boolean } {
  const whole = content.text.length <= PREVIEW_MAX && content.text.split("\n").length <= PREVIEW_LINES_MAX;
  return {
    part: buildPreformatted(
      whole ? content.text : makePreview(content.text, { lines: PREVIEW_LINES_MAX, length: PREVIEW_MAX }),
    ),
    whole,
  };
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
