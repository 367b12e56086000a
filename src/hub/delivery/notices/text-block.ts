/** Joins a text with the fixed-width block and picture below it into one string, the form in which a delivery is stored. Pure. */

/** Control characters as separators: sanitized text never contains them. */
const BLOCK = "\f";
const OUTPUT = "\x0e";
const PICTURE = "\v";

export function joinBlock(text: string, block: string, picture: Uint8Array | null = null): string {
  const drawn = picture === null ? "" : `${PICTURE}${Buffer.from(picture).toString("base64")}`;
  return `${text}${BLOCK}${block}${drawn}`;
}

/** The block is the output of a command, and no screen. */
export function joinOutput(text: string, output: string): string {
  return `${text}${OUTPUT}${output}`;
}

export interface TextAndBlock {
  readonly text: string;
  readonly block: string | null;
  readonly picture?: Uint8Array;
  readonly blockFile?: string;
}

export function splitBlock(stored: string): TextAndBlock {
  const [head = "", output] = split(stored, OUTPUT);
  if (output !== undefined) return { text: head, block: output, blockFile: "output.txt" };
  const [text = "", below] = split(stored, BLOCK);
  if (below === undefined) return { text, block: null };
  const [block = "", drawn] = split(below, PICTURE);
  return { text, block, ...(drawn === undefined ? {} : { picture: Buffer.from(drawn, "base64") }) };
}

function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}
