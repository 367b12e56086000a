/**
 * Text of others as Slack shows it: rich text and plain text, in which nothing is markup. Markup (`mrkdwn`) is never used for words
 * that are not ours. Pure.
 */
import type { types } from "@slack/bolt";
import { wellFormed } from "../../../src/sdk/text.js";

export type SlackBlock = types.KnownBlock;
export type RichPart = types.RichTextBlockElement;

export interface SlackSpan {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic" | "code";
}

export function plainSpan(text: string): SlackSpan {
  return { text, as: "plain" };
}

/** All but tab and line feed: nothing that a screen shows, and some of it the service refuses. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** As it can be sent. The hub has made everything visible already; this is what the service itself cannot take. */
export function escapeForSlack(text: string): string {
  return wellFormed(text.replaceAll("\r\n", "\n")).replace(CONTROL, "\ufffd");
}

/** One line, or several of them, with a style each. Null when there is nothing to show: the service refuses empty text. */
export function section(spans: readonly SlackSpan[], calls: readonly string[] = []): RichPart | null {
  const elements: types.RichTextElement[] = spans
    .filter(({ text }) => text !== "")
    .map(({ text, as }) => ({ type: "text", text: escapeForSlack(text), ...styleOf(as) }));
  for (const userId of calls) elements.push({ type: "text", text: " " }, { type: "user", user_id: userId });
  return elements.length === 0 ? null : { type: "rich_text_section", elements };
}

function styleOf(as: SlackSpan["as"]): { style?: { bold?: true; italic?: true; code?: true } } {
  return as === "plain" ? {} : { style: { [as]: true } };
}

/** Content to be approved, in one monospaced block. */
export function preformatted(text: string): RichPart | null {
  if (text.trim() === "") return null;
  return {
    type: "rich_text_preformatted",
    elements: [{ type: "text", text: escapeForSlack(text) }],
    border: 0,
  };
}

export function richText(parts: readonly (RichPart | null)[]): SlackBlock[] {
  const elements = parts.filter((part) => part !== null);
  return elements.length === 0 ? [] : [{ type: "rich_text", elements }];
}

/** Without emoji: `:x:` in a label stays what it is. */
export function plainText(text: string): { type: "plain_text"; text: string; emoji: false } {
  return { type: "plain_text", text: escapeForSlack(text) || "·", emoji: false };
}

/** The three characters that Slack's markup begins with, for the one text of a message that is always read as markup. */
export function escapeMarkup(text: string): string {
  return escapeForSlack(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
