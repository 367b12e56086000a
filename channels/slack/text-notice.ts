/** A plain text of the hub: a reminder, the end of a session. Pure. */
import type { Notice, Outcome } from "../../src/sdk/channel.js";
import { clip } from "../../src/sdk/text.js";
import { callsOf, type Card } from "./card.js";
import { NOTIFICATION_MAX, OUTCOME_MAX, TEXT_MAX } from "./limits.js";
import { escapeMarkup, plain, richText, section } from "./rich.js";

export function renderText(notice: Extract<Notice, { kind: "text" }>, outcome?: Outcome): Card {
  const { text, addressees } = notice;
  const calls = outcome?.final === true ? [] : callsOf(addressees);
  return {
    text: escapeMarkup(clip(outcome ? `${outcome.text} · ${text}` : text, NOTIFICATION_MAX)),
    blocks: richText([
      outcome ? section([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]) : null,
      section([plain(clip(text, TEXT_MAX))], calls),
    ]),
    file: text.length > TEXT_MAX ? { name: "message.txt", text } : null,
  };
}
