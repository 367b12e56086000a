/** Spans of text with one style each; the same spans become Telegram's HTML and, if that is refused, plain text. Pure. */
import { wellFormed } from "../../../src/sdk/text.js";
import { preventLinks } from "./links.js";
import type { TelegramSpan } from "./span.js";

const TAGS = { bold: "b", italic: "i", code: "code", pre: "pre" } as const;

export function plainSpan(text: string): TelegramSpan {
  return { text, as: "plain" };
}

/** In which nothing is linked: whatever the service would link by itself is code. */
export function toHtml(spans: readonly TelegramSpan[]): string {
  return preventLinks(spans).map(htmlOf).join("");
}

export function toPlain(spans: readonly TelegramSpan[]): string {
  return spans.map((span) => wellFormed(span.text)).join("");
}

/** Length as the service counts it: after its markup is gone. UTF-16 units. */
export function lengthOf(spans: readonly TelegramSpan[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}

function htmlOf({ text, as }: TelegramSpan): string {
  const escaped = escapeHtml(wellFormed(text));
  return as === "plain" || text === "" ? escaped : `<${TAGS[as]}>${escaped}</${TAGS[as]}>`;
}

/** Outside of attributes these three are all that Telegram's parser acts on. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
