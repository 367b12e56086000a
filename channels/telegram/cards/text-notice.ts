/** Renders a plain text of the hub: a reminder, the end of a session, a screen. Pure. */
import type { Notice, Outcome } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import type { TelegramCard } from "./card.js";
import { CAPTION_MAX, TEXT_MAX } from "../limits.js";
import { toPlainSpan } from "./markup.js";
import { type TelegramSpan } from "./span.js";

type TextNotice = Extract<Notice, { kind: "text" }>;

/** The text once its outcome is known. */
export function renderEnd(notice: TextNotice, outcome: Outcome): readonly TelegramSpan[] {
  return renderText({ ...notice, text: `${outcome.text}\n\n${notice.text}` }).spans;
}

export function renderText({ text, block, picture, blockFile }: TextNotice): TelegramCard {
  if (picture)
    return { spans: [toPlainSpan(clip(text, CAPTION_MAX))], file: { name: "screen.png", text: picture } };
  if (block === null) {
    const file = text.length > TEXT_MAX ? { name: "message.txt", text } : null;
    return { spans: [toPlainSpan(clip(text, TEXT_MAX))], file };
  }
  const head = clip(text, TEXT_MAX / 2);
  const room = TEXT_MAX - head.length - 1;
  const shown = block.length <= room ? block : `…${block.slice(1 - room)}`;
  // A screen's lower end is shown, because the newest output is there.
  return {
    spans: [toPlainSpan(`${head}\n`), { text: shown, as: "pre" }],
    file: shown === block ? null : { name: blockFile ?? "screen.txt", text: block },
  };
}
