/**
 * Makes text show what it is: characters that reorder, hide or imitate others become visible marks, so that a card cannot say one
 * thing and mean another. Channels then escape their own markup.
 */

/** Bidirectional controls: they reorder what is read. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Zero-width and other invisible characters: they hide. U+200D and U+FE0F stay where they join emoji (handled below). */
const INVISIBLE =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200c\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]|[\u{1d173}-\u{1d17a}]/gu;
/** C0 without tab and line feed, DEL, C1. */

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const LINE_SEPARATORS = /[\u2028\u2029]/g;
/** A joiner between two pictographs draws one emoji; anywhere else it hides. */
const STRAY_JOINER =
  /(?<!\p{Extended_Pictographic}\ufe0f?[\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Lone surrogates cannot be encoded. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Words that mix scripts whose letters look alike: `раypal` with Cyrillic а. */
const WORD = /[\p{L}\p{N}_-]{2,64}/gu;
const LATIN = /\p{Script=Latin}/u;
const IMITATING = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

function mark(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** The text as it may be shown to people. Pure. Line feeds and tabs stay. */
export function visible(text: string): string {
  return markConfusables(
    text
      .replace(LONE_SURROGATE, "\ufffd")
      .replace(/\r\n/g, "\n")
      .replace(BIDI, mark)
      .replace(INVISIBLE, mark)
      .replace(STRAY_JOINER, mark)
      .replace(CONTROL, mark)
      .replace(LINE_SEPARATORS, mark),
  );
}

function markConfusables(text: string): string {
  return text.replace(WORD, (word) => {
    if (!LATIN.test(word) || !IMITATING.test(word)) return word;
    return [...word].map((char) => (IMITATING.test(char) ? `${char}${mark(char)}` : char)).join("");
  });
}
