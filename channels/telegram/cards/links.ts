/**
 * Finds text that Telegram would turn into a link, mention or command, and sets it in code style, which prevents that. The
 * characters stay the same; a tap copies them instead of calling, opening or sending.
 */
import { LINKS_MAX } from "../limits.js";
import type { TelegramSpan } from "./span.js";

/** Deliberately broad: names, tags, commands, addresses with or without protocol, phone numbers. */
const LINKABLE = new RegExp(
  [
    "@[\\p{L}\\p{N}_]",
    "#[\\p{N}_]{0,64}\\p{L}",
    "\\$[A-Z0-9]",
    "(?<![\\p{L}\\p{N}_])/[A-Za-z0-9_]",
    "://",
    "\\b(?:tg|ton|tonsite):",
    "[\\p{L}\\p{N}_-]\\.\\p{L}[\\p{L}\\p{N}-]",
    "\\d\\.\\d{1,3}\\.\\d{1,3}\\.\\d",
    "\\+\\d",
    "\\d{5}",
  ].join("|"),
  "u",
);

/** Signs of the sentence around a word: a file's name is copied without its question mark. */
const AROUND = /^[("'“‘[{]+|[?!.,:;)"'”’\]}]+$/gu;

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** The parts that would be linked, in order. */
export function findLinkable(text: string): TextRange[] {
  return [...text.matchAll(/\S+/g)]
    .filter(([word]) => LINKABLE.test(word))
    .map(({ index, 0: word }) => {
      const bare = word.replace(AROUND, "");
      return { offset: index + word.indexOf(bare), length: bare.length };
    });
}

/** The same text without links. */
export function preventLinks(spans: readonly TelegramSpan[]): TelegramSpan[] {
  const found = spans.map(({ text, as }) => (as === "code" || as === "pre" ? [] : findLinkable(text)));
  const isTooMany = found.flat().length > LINKS_MAX;
  return spans.flatMap((span, at) => {
    const parts = found[at] ?? [];
    return isTooMany && parts.length > 0 ? [{ ...span, as: "code" as const }] : split(span, parts);
  });
}

function split({ text, as }: TelegramSpan, parts: readonly TextRange[]): TelegramSpan[] {
  let from = 0;
  const spans: TelegramSpan[] = [];
  for (const { offset, length } of parts) {
    spans.push({ text: text.slice(from, offset), as });
    from = offset + length;
    spans.push({ text: text.slice(offset, from), as: "code" });
  }
  return [...spans, { text: text.slice(from), as }].filter((span) => span.text !== "");
}
