/** Renders a plain text of the hub: a reminder, the end of a session. Pure. */
import type { Notice, Outcome } from "../../../src/sdk/channel.js";
import { clip } from "../../../src/sdk/text.js";
import { buildOfferedActions } from "./buttons.js";
import { listMentions, type SlackCard } from "./card.js";
import { NOTIFICATION_MAX, OUTCOME_MAX, TEXT_MAX } from "../limits.js";
import { escapeMarkup, toPlainSpan, buildPreformatted, buildRichText, buildSection } from "./rich.js";

export function renderText(notice: Extract<Notice, { kind: "text" }>, outcome?: Outcome): SlackCard {
  const { text, block, picture, addressees } = notice;
  const shown = block === null || picture ? null : block.slice(-TEXT_MAX);
  const offered = outcome === undefined ? notice.buttons : outcome.buttons;
  const buttons = (offered ?? []).map(({ token, choice: { label } }) => ({ token, label }));
  const calls = outcome?.final === true ? [] : listMentions(addressees);
  return {
    text: escapeMarkup(clip(outcome ? `${outcome.text} · ${text}` : text, NOTIFICATION_MAX)),
    blocks: [
      ...buildRichText([
        outcome ? buildSection([{ text: clip(outcome.text, OUTCOME_MAX), as: "bold" }]) : null,
        buildSection([toPlainSpan(clip(text, TEXT_MAX))], calls),
        shown === null ? null : buildPreformatted(shown),
      ]),
      ...buildOfferedActions(buttons),
    ],
    file: renderFile(notice),
  };
}

/** The content that does not fit. A screen's lower end is shown, because the newest output is there. */
function renderFile({
  text,
  block,
  picture,
  blockFile,
}: Extract<Notice, { kind: "text" }>): SlackCard["file"] {
  if (picture) return { name: "screen.png", text: picture };
  if (block !== null && block.length > TEXT_MAX) return { name: blockFile ?? "screen.txt", text: block };
  return text.length > TEXT_MAX ? { name: "message.txt", text } : null;
}
