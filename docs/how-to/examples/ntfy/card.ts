/** What a notice looks like as a message of ntfy. Pure. The service shows plain text, so nothing has to be escaped. */
import {
  formatButtonLabel,
  formatChoiceName,
  formatCutWarning,
  formatExpiryAnswer,
  formatHiddenWarning,
  formatLetterHint,
  formatOnlyBy,
  describeRisk,
  formatRemainingTime,
  formatTitle,
} from "../../../../src/sdk/card-words.js";
import type { Notice, NoticeButton, PromptNotice } from "../../../../src/sdk/channel.js";
import { clip, wellFormed } from "../../../../src/sdk/text.js";

/** The service shows no more than three. */
export const BUTTONS_MAX = 3;
/** Of 4096: a longer message becomes a file. As JSON it doubles at worst, and the service takes 8192 bytes with all its buttons. */
const MESSAGE_BYTES_MAX = 3_000;
const TITLE_MAX = 100;
const NAME_MAX = 60;
const LINE_MAX = 200;
const LABEL_MAX = 40;

export interface NtfyCard {
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  readonly buttons: readonly { readonly label: string; readonly token: string }[];
}

/** 5 rings until it is seen; 2 does not ring. */
const PRIORITY = { asks: 4, tells: 3, quiet: 2 } as const;

export function renderNotice(notice: Notice, now: number): NtfyCard {
  if (notice.kind === "prompt") return renderPrompt(notice, now);
  const { session, text, block, quiet } = notice;
  const message = fitBytes([text, ...(block === null ? [] : [block])].join("\n\n"), MESSAGE_BYTES_MAX);
  return {
    title: titleFor(session.tool),
    message,
    priority: quiet ? PRIORITY.quiet : PRIORITY.tells,
    buttons: [],
  };
}

function renderPrompt(notice: PromptNotice, now: number): NtfyCard {
  const { session, content, question, choices, quiet } = notice;
  const names = [session.label, session.place].flatMap((name) => (name ? [clip(name, NAME_MAX)] : []));
  const list = choices.map(
    ({ label }, index) => `${formatChoiceName(notice, index + 1)}. ${clip(label, LINE_MAX)}`,
  );
  const before = joinLines([[...names, notice.shortId].join(" · "), clip(question, LINE_MAX * 2)]);
  const after = joinLines([...warningsOf(notice), ...list, ...footOf(notice, now)]);
  const room = MESSAGE_BYTES_MAX - bytesOf(before) - bytesOf(after) - bytesOf(SHORTENED) - 8;
  const isWhole =
    bytesOf(content.text) <= room &&
    question.length <= LINE_MAX * 2 &&
    choices.every(({ label }) => label.length <= LINE_MAX);
  const shown = joinLines([
    before,
    "",
    fitBytes(content.text, Math.max(0, room)),
    isWhole ? null : SHORTENED,
    "",
    after,
  ]);
  return {
    title: titleFor(formatTitle(notice, clip(session.tool, NAME_MAX))),
    message: fitBytes(shown, MESSAGE_BYTES_MAX),
    priority: quiet ? PRIORITY.quiet : PRIORITY.asks,
    buttons: notice.buttons
      .filter((button) => isWhole || isRefusal(button))
      .map((button) => keyOf(notice, button)),
  };
}

/** What nobody sees whole is not to be allowed from here: there is no file to put it into. */
const SHORTENED = "⚠️ Shortened: this is too long for ntfy. Allow it at the terminal.";

function isRefusal({ choice: { intent } }: NoticeButton): boolean {
  return intent === "reject_once" || intent === "reject_always";
}

function keyOf(notice: PromptNotice, button: NoticeButton): { label: string; token: string } {
  const mark = describeRisk(notice, button.choice) === null ? "" : "⚠️ ";
  return {
    label: wellFormed(`${mark}${clip(formatButtonLabel(notice, button), LABEL_MAX)}`),
    token: button.token,
  };
}

function warningsOf(notice: PromptNotice): (string | null)[] {
  const { cut, hidden } = notice.content;
  const risks = new Set(notice.buttons.map(({ choice }) => describeRisk(notice, choice)));
  return [
    cut ? formatCutWarning(cut) : null,
    hidden ? formatHiddenWarning(hidden) : null,
    ...[...risks].map((risk) => risk && `⚠️ ${risk}`),
  ];
}

function footOf(notice: PromptNotice, now: number): (string | null)[] {
  const { buttons, expiresAt, confidence, onlyBy } = notice;
  return [
    confidence === "low" ? "❔ This may not be a prompt. Check the terminal." : null,
    formatLetterHint(notice),
    formatOnlyBy(notice),
    buttons.length === 0 && onlyBy === undefined ? "⌨️ Answer it at the terminal." : null,
    expiresAt === null ? null : `⏳ Open for ${formatRemainingTime(expiresAt - now)}`,
    formatExpiryAnswer(notice),
  ];
}

function joinLines(lines: readonly (string | null)[]): string {
  return lines.filter((line) => line !== null).join("\n");
}

function titleFor(words: string): string {
  return wellFormed(clip(words, TITLE_MAX));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** `clip` counts UTF-16 units, the service bytes: a unit has three of them at most, and so has the mark of the cut. */
export function fitBytes(text: string, bytesMax: number): string {
  const fits = bytesOf(text) <= bytesMax;
  return wellFormed(fits ? text : clip(text, Math.max(1, Math.floor(bytesMax / 3))));
}
