/** Renders a plain text of the hub: a reminder, the end of a session. Pure. */
import type { Notice, Outcome } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { callsOf, type SlackCard } from "./card.js";
import { NOTIFICATION_MAX, OUTCOME_MAX, TEXT_MAX } from "../limits.js";
import { escapeMarkup, plainSpan, preformatted, richText, section } from "./rich.js";

export function renderText(notice: Extract<Notice, { kind: "text" }>, outcome?: Outcome): SlackCard {
  const { text, block, picture, addressees } = notice;
  const shown = block === null || picture ? null : block.slice(-TEXT_MAX);
  const calls = outcome?.final === true ? [] : callsOf(addressees);
  return {
    text: escapeMarkup(clip(outcome ? `${outcome.text} · ${text}` : text, NOTIFICATION_MAX)),
    blocks: richText([
      outcome ? section([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]) : null,
      section([plainSpan(clip(text, TEXT_MAX))], calls),
      shown === null ? null : preformatted(shown),
    ]),
    file: fileOf(notice),
  };
}

/** The content that does not fit. A screen's lower end is shown, because the newest output is there. */
function fileOf({ text, block, picture }: Extract<Notice, { kind: "text" }>): SlackCard["file"] {
  if (picture) return { name: "screen.png", text: picture };
  if (block !== null && block.length > TEXT_MAX) return { name: "screen.txt", text: block };
  return text.length > TEXT_MAX ? { name: "message.txt", text } : null;
}
