/** Joins a text with the fixed-width block and picture below it into one string, the form in which a delivery is stored. Pure. */

/** Control characters as separators: sanitized text never contains them. */
const BLOCK = "\f";
const PICTURE = "\v";

export function joinBlock(text: string, block: string, picture: Uint8Array | null = null): string {
  const drawn = picture === null ? "" : `${PICTURE}${Buffer.from(picture).toString("base64")}`;
  return `${text}${BLOCK}${block}${drawn}`;
}

export interface TextAndBlock {
  readonly text: string;
  /** Null if there is none. */
  readonly block: string | null;
  /** The block as a PNG file. */
  readonly picture?: Uint8Array;
}

export function splitBlock(stored: string): TextAndBlock {
  const [text = "", below] = split(stored, BLOCK);
  if (below === undefined) return { text, block: null };
  const [block = "", drawn] = split(below, PICTURE);
  return { text, block, ...(drawn === undefined ? {} : { picture: Buffer.from(drawn, "base64") }) };
}

function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}
