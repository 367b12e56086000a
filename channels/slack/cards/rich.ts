/**
 * Renders foreign text for Slack as rich or plain text, in which nothing is markup. Markup (`mrkdwn`) is used only for our own
 * text. Pure.
 */
import type { types } from "@slack/bolt";
import { replaceLoneSurrogates } from "../../../src/sdk/text.js";

export type SlackBlock = types.KnownBlock;
export type RichPart = types.RichTextBlockElement;

export interface SlackSpan {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic" | "code";
}

export function toPlainSpan(text: string): SlackSpan {
  return { text, as: "plain" };
}

/** All control characters except tab and line feed: invisible, and partly refused by the service. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Makes text acceptable for the service. The hub has already made everything visible. */
export function escapeForSlack(text: string): string {
  return replaceLoneSurrogates(text.replaceAll("\r\n", "\n")).replace(CONTROL, "\ufffd");
}

/** One or several lines with a style each. Null if empty, because the service refuses empty text. */
export function buildSection(spans: readonly SlackSpan[], calls: readonly string[] = []): RichPart | null {
  const elements: types.RichTextElement[] = spans
    .filter(({ text }) => text !== "")
    .map(({ text, as }) => ({ type: "text", text: escapeForSlack(text), ...toStyle(as) }));
  for (const userId of calls) elements.push({ type: "text", text: " " }, { type: "user", user_id: userId });
  return elements.length === 0 ? null : { type: "rich_text_section", elements };
}

function toStyle(as: SlackSpan["as"]): { style?: { bold?: true; italic?: true; code?: true } } {
  return as === "plain" ? {} : { style: { [as]: true } };
}

/** The content to approve, in one monospaced block. */
export function buildPreformatted(text: string): RichPart | null {
  if (text.trim() === "") return null;
  return {
    type: "rich_text_preformatted",
    elements: [{ type: "text", text: escapeForSlack(text) }],
    border: 0,
  };
}

export function buildRichText(parts: readonly (RichPart | null)[]): SlackBlock[] {
  const elements = parts.filter((part) => part !== null);
  return elements.length === 0 ? [] : [{ type: "rich_text", elements }];
}

/** Without emoji: `:x:` in a label stays literal. */
export function buildPlainText(text: string): { type: "plain_text"; text: string; emoji: false } {
  return { type: "plain_text", text: escapeForSlack(text) || "·", emoji: false };
}

/** Escapes the three characters that start Slack markup, for the one text that is always parsed as markup. */
export function escapeMarkup(text: string): string {
  return escapeForSlack(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
