/** Spans of text with one style each, rendered as Telegram's HTML or, if that is refused, as plain text. Pure. */
import { replaceLoneSurrogates } from "../../../src/sdk/text.js";
import { preventLinks } from "./links.js";
import type { TelegramSpan } from "./span.js";

const TAGS = { bold: "b", italic: "i", code: "code", pre: "pre" } as const;

export function toPlainSpan(text: string): TelegramSpan {
  return { text, as: "plain" };
}

/** Without automatic links: text that the service would link becomes code. */
export function toHtml(spans: readonly TelegramSpan[]): string {
  return preventLinks(spans).map(renderHtml).join("");
}

export function toPlain(spans: readonly TelegramSpan[]): string {
  return spans.map((span) => replaceLoneSurrogates(span.text)).join("");
}

/** Length as the service counts it, after parsing the markup. UTF-16 units. */
export function measureLength(spans: readonly TelegramSpan[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}

function renderHtml({ text, as }: TelegramSpan): string {
  const escaped = escapeHtml(replaceLoneSurrogates(text));
  return as === "plain" || text === "" ? escaped : `<${TAGS[as]}>${escaped}</${TAGS[as]}>`;
}

/** Outside attributes, Telegram's parser interprets only these three characters. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
