/**
 * Makes text show its true content: characters that reorder, hide or imitate others become visible marks, so that a card cannot
 * mislead. Channels then escape their own markup.
 */

/** Bidirectional controls reorder displayed text. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Zero-width and other invisible characters. U+200D and U+FE0F are allowed where they join emoji (handled below). */
const INVISIBLE =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200c\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]|[\u{1d173}-\u{1d17a}]/gu;
/** C0 without tab and line feed, DEL, C1. */

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const LINE_SEPARATORS = /[\u2028\u2029]/g;
/** A joiner between two pictographs forms one emoji; anywhere else it is invisible. */
const STRAY_JOINER =
  /(?<!\p{Extended_Pictographic}\ufe0f?[\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Lone surrogates cannot be encoded. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Characters that look like blanks but are none to a shell. An ideographic blank between its own script's characters is normal. */
const BLANK = /[\u1680\u2000-\u200a\u202f\u205f]|(?<=[!-~])\u3000|\u3000(?=[!-~])/g;
/** A no-break space inside a text. Tools also draw one after their input box's sign, where it is harmless. */
const INNER_NO_BREAK = /(?<=[!-~\p{L}\p{N}])\u00a0(?=\S)/gu;
/** An empty braille pattern, except within a drawing made of braille patterns. */
const BLANK_BRAILLE = /(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])/g;
/** A variation selector without a visible effect; after a keycap or emoji character it is normal. */
const STRAY_SELECTOR = /(?<=[\s!-~])[\ufe00-\ufe0f](?!\u20e3)|[\u{e0100}-\u{e01ef}]/gu;
/** Characters that look like `/ . : ; ! -`, and letters that look like plain ones. */
const LOOKALIKE_SIGN = /[\u2044\u2215\u29f8\u2024\ua789\u037e\u01c3\u2010\u2011]|[\u{1d400}-\u{1d7ff}]/gu;

/** Words that mix scripts with similar letters: `раypal` with Cyrillic а. */
const WORD = /[\p{L}\p{N}_-]{2,64}/gu;
const LATIN = /\p{Script=Latin}/u;
const IMITATING = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const EACH_IMITATING = new RegExp(IMITATING, "gu");
/** Letters of other scripts that look like Latin ones: a word of only these reads as a different word. */
const TWIN = "асеорхуѕіјһӏԁԛԝүґАВСЕНІЈКМОРЅТХУҮԌԚԜοναικρυχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհյքզ" + "ᎪᏴᏟᎠᎬᎻᏆᎫᏦᏞᎷΝᏢᏒᏚᎢᏙᎳᏃ";
const ALL_TWINS = new RegExp(`^[${TWIN}\\p{N}_-]{2,64}$`, "u");
/** A word with letters specific to such a script: the text really is in that language. */
const OWN_WORD = new RegExp(
  `[[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}]--[${TWIN}]]`,
  "v",
);
/** Next to these characters a word is part of a name: of a host, a file, an account. */
const JOINED = /[A-Za-z0-9./@:_-]/;

function mark(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** Names with a line break could imitate our own lines. */
export function markLineBreaks(text: string): string {
  return text.replace(/\n/g, mark);
}

/** A shell takes a carriage return for a part of the word. */
export function markCarriageReturns(text: string): string {
  return text.replace(/\r/g, mark);
}

/** Line feeds and tabs stay. */
export function makeVisible(text: string): string {
  return markConfusables(
    text
      .replace(LONE_SURROGATE, "\ufffd")
      .replace(/\r\n/g, "\n")
      .replace(BIDI, mark)
      .replace(INVISIBLE, mark)
      .replace(STRAY_JOINER, mark)
      .replace(CONTROL, mark)
      .replace(LINE_SEPARATORS, mark)
      .replace(BLANK, mark)
      .replace(INNER_NO_BREAK, mark)
      .replace(BLANK_BRAILLE, mark)
      .replace(STRAY_SELECTOR, mark)
      .replace(LOOKALIKE_SIGN, mark),
  );
}

function markConfusables(text: string): string {
  if (!IMITATING.test(text)) return text;
  const isItsLanguage = OWN_WORD.test(text);
  return text.replace(WORD, (word, at: number) => {
    const isJoined =
      JOINED.test(text[at - 1] ?? "") ||
      /^[./@:][A-Za-z0-9]/.test(text.slice(at + word.length, at + word.length + 2));
    const isTwin = IMITATING.test(word) && ALL_TWINS.test(word) && (isJoined || !isItsLanguage);
    if (!isTwin && (!LATIN.test(word) || !IMITATING.test(word))) return word;
    // A text may be processed twice, so an existing mark is not repeated.
    return word.replace(EACH_IMITATING, (char, place: number) =>
      text.startsWith(mark(char), at + place + char.length) ? char : char + mark(char),
    );
  });
}
