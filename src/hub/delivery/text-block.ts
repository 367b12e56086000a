/** A text and, below it, what is set in a fixed font, as one string: the form in which a delivery keeps it. Pure. */

/** A control character, which text that was made safe never holds. */
const MARK = "\f";

export function withBlock(text: string, block: string): string {
  return `${text}${MARK}${block}`;
}

/** `block` is null where there is none. */
export function textAndBlock(stored: string): { readonly text: string; readonly block: string | null } {
  const at = stored.indexOf(MARK);
  return at < 0
    ? { text: stored, block: null }
    : { text: stored.slice(0, at), block: stored.slice(at + MARK.length) };
}
