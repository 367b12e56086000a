/** Text that fits: what every service needs before it takes a message. Pure. */

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A half character cannot be encoded; a service would refuse the whole message. */
export function wellFormed(text: string): string {
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

/** What a terminal or a log would act on instead of showing it, and what reorders or hides other characters. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Words of a service in one line, short, and with a mark for each character that would not just be shown. */
export function printable(text: string, max: number): string {
  // Cut first, so that a text of megabytes costs no more than its beginning.
  return clip(wellFormed(text.slice(0, max + GRAPHEME_WINDOW)).replace(UNPRINTABLE, "\ufffd"), max);
}
