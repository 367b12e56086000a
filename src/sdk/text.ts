/** Fits text to a service's limits. Pure. */
import { redact } from "../safety/redact.js";

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Half a surrogate pair cannot be encoded; a service would refuse the whole message. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

/** A longer grapheme (many combining marks) may be split. */
const GRAPHEME_WINDOW = 64;
let graphemes: Intl.Segmenter | undefined;

/** Made on first use: the tables behind it take 10 ms to load, which would delay every start of a tool. */
function getGraphemes(): Intl.Segmenter {
  return (graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }));
}

/** At most `max` UTF-16 units, ending in `…` if truncated, never inside a visible character. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, findBoundary(text, max - 1))}…`;
}

/** How many UTF-16 units of a text `clip` leaves out, or, with 0, all of them. */
export function countClipped(text: string, max: number): number {
  return text.length <= max ? 0 : text.length - findBoundary(text, Math.max(0, max - 1));
}

/** The last place at or before `at` that is not inside a visible character. */
export function findBoundary(text: string, at: number): number {
  const from = Math.max(0, at - GRAPHEME_WINDOW);
  const index =
    getGraphemes()
      .segment(text.slice(from, at + GRAPHEME_WINDOW))
      .containing(at - from)?.index ?? 0;
  if (index > 0 || from === 0) return from + index;
  return isPair(text, at - 1) ? at - 1 : at;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

/** Characters that a terminal or log would interpret, and those that reorder or hide others. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** How much is read of a text that is cut: a token is known by its whole length, so one at the cut has to be read to its end. */
const READ_BEYOND = 1_000;

/** A service's text in one short line, with a mark for each unprintable character. What looks like a secret is hidden. */
export function makePrintable(text: string, max: number): string {
  // Truncated first, so that megabytes of text cost no more than their beginning.
  const read = redact(text.slice(0, max + READ_BEYOND));
  return clip(replaceLoneSurrogates(read).replace(UNPRINTABLE, "\ufffd"), max);
}
