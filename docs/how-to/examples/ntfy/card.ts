/** What a notice looks like as a message of ntfy. Pure. The service shows plain text, so nothing has to be escaped. */
import {
  clip,
  describeRisk,
  formatButtonLabel,
  formatLetterHint,
  formatListedChoice,
  formatOnlyBy,
  formatPlace,
  formatRemainingTime,
  formatTitle,
  listPolicyLines,
  listWarnings,
  MAYBE_NO_PROMPT,
  type Notice,
  type NoticeButton,
  type PromptNotice,
  replaceLoneSurrogates,
} from "atlasbridge/sdk";

/** The service shows no more than three. */
export const BUTTONS_MAX = 3;
/** In UTF-16 units, of three bytes at most: the service makes a file of a message of more than 4096 bytes. */
const MESSAGE_MAX = 1_300;
/** Of a title, a button, a name: they stand in one line of a phone. */
const LINE_MAX = 60;
/** 4 rings; 2 does not. */
const PRIORITY = { asks: 4, tells: 3, quiet: 2 } as const;

export interface NtfyCard {
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  readonly buttons: readonly NoticeButton[];
}

export function renderNotice(notice: Notice, now: number): NtfyCard {
  if (notice.kind === "prompt") return renderPrompt(notice, now);
  const { session, text, block, quiet } = notice;
  const priority = quiet ? PRIORITY.quiet : PRIORITY.tells;
  return { title: session.tool, message: fitMessage(joinLines([text, block])), priority, buttons: [] };
}

function renderPrompt(notice: PromptNotice, now: number): NtfyCard {
  const { session, shortId, question, content, choices, buttons, quiet } = notice;
  const place = [formatPlace(session, LINE_MAX), shortId].join(" · ");
  const list = choices.map((choice, index) => {
    const risk = describeRisk(notice, choice);
    return `${formatListedChoice(notice, index)}${risk === null ? "" : ` ⚠️ ${risk}`}`;
  });
  const whole = joinLines([place, ...listNotes(notice, now), "", question, "", content.text, "", ...list]);
  const isWhole = whole.length <= MESSAGE_MAX;
  return {
    title: formatTitle(notice, clip(session.tool, LINE_MAX)),
    message: fitMessage(isWhole ? whole : joinLines([SHORTENED, whole])),
    priority: quiet ? PRIORITY.quiet : PRIORITY.asks,
    buttons: buttons.filter(({ choice }) => isWhole || choice.intent.startsWith("reject")),
  };
}

/** What nobody sees whole is not to be allowed from here: there is no file to put it into. */
const SHORTENED = "⚠️ Shortened: this is too long for ntfy. Allow it at the terminal.";

/** They stand above the content, so that shortening leaves them. */
function listNotes(notice: PromptNotice, now: number): (string | null)[] {
  const { buttons, expiresAt, confidence, onlyBy } = notice;
  return [
    ...listWarnings(notice),
    confidence === "low" ? MAYBE_NO_PROMPT : null,
    formatLetterHint(notice),
    formatOnlyBy(notice),
    buttons.length === 0 && onlyBy === undefined ? "⌨️ Answer it at the terminal." : null,
    expiresAt === null ? null : `⏳ Open for ${formatRemainingTime(expiresAt - now)}`,
    ...listPolicyLines(notice),
  ];
}

export function renderLabel(notice: Notice, button: NoticeButton): string {
  return notice.kind === "prompt"
    ? replaceLoneSurrogates(clip(formatButtonLabel(notice, button), LINE_MAX))
    : "";
}

function joinLines(lines: readonly (string | null)[]): string {
  return lines.filter((line) => line !== null).join("\n");
}

export function fitMessage(text: string): string {
  return replaceLoneSurrogates(clip(text, MESSAGE_MAX));
}
