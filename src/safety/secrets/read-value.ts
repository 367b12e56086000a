import type { Value } from "./values.js";

export function skip(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? from + match[0].length : null;
}

export type PlacedValue = Value & { readonly start: number; readonly end: number };

/** With the letter of a language before it: `b"…"`, `N'…'`. */
const QUOTE = /(?:[bBrRuUN]{1,2}(?=["']))?\\?(?:"|'|`)/y;
const BARE = /[^\s"'`,;)}[\]<>&|\\(]{1,2048}/y;
const QUOTED_MAX = 2048;
const REST_MAX = 64;

/** A quoted value, or a word. */
export function readValue(text: string, start: number): PlacedValue | null {
  const inside = skip(QUOTE, text, start);
  const quote = inside === null ? "" : text.slice(start, inside).replace(/^\w+/, "");
  // A backtick starts a shell command.
  if (quote === "`") return null;
  const from = inside ?? start;
  const end = quote === "" ? skip(BARE, text, from) : findQuoteEnd(text, from, quote);
  if (end === null || end === from) return null;
  return {
    text: text.slice(from, end),
    isQuoted: quote !== "",
    next: text[end] ?? "",
    rest: readRestOfLine(text, end),
    start: from,
    end,
  };
}

function findQuoteEnd(text: string, from: number, quote: string): number {
  const room = text.slice(from, from + QUOTED_MAX);
  const ends = [room.indexOf(quote), room.indexOf("\n"), room.length].filter((at) => at >= 0);
  return from + Math.min(...ends);
}

function readRestOfLine(text: string, at: number): string {
  return text.slice(at, at + REST_MAX).split("\n", 1)[0] ?? "";
}
