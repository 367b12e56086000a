/** Spans of text with one style each; the same spans become Telegram's HTML and, if that is refused, plain text. Pure. */

export interface Span {
  readonly text: string;
  readonly as: "plain" | "bold" | "italic" | "code" | "pre";
}

const TAGS = { bold: "b", italic: "i", code: "code", pre: "pre" } as const;

export function plain(text: string): Span {
  return { text, as: "plain" };
}

export function toHtml(spans: readonly Span[]): string {
  return spans.map(htmlOf).join("");
}

export function toPlain(spans: readonly Span[]): string {
  return spans.map((span) => wellFormed(span.text)).join("");
}

/** Length as the service counts it: after its markup is gone. UTF-16 units. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0);
}

function htmlOf({ text, as }: Span): string {
  const escaped = escapeHtml(wellFormed(text));
  return as === "plain" || text === "" ? escaped : `<${TAGS[as]}>${escaped}</${TAGS[as]}>`;
}

/** Outside of attributes these three are all that Telegram's parser acts on. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A half character cannot be encoded; the service would refuse the whole message. */
function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

/** A grapheme longer than this (a flood of combining marks) may be cut inside. */
const GRAPHEME_WINDOW = 64;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** At most `max` UTF-16 units, ending in `…` if anything is missing, never inside a character as people see it. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, boundaryBefore(text, max - 1))}…`;
}

function boundaryBefore(text: string, at: number): number {
  const from = Math.max(0, at - GRAPHEME_WINDOW);
  const index = graphemes.segment(text.slice(from, at + GRAPHEME_WINDOW)).containing(at - from)?.index ?? 0;
  if (index > 0 || from === 0) return from + index;
  return isPair(text, at - 1) ? at - 1 : at;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
