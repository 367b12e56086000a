/**
 * Finds private key blocks. Only words that must be base64 are hidden: other lines in a block could be executed like any other
 * line. Pure.
 */
import { createFound, type FoundSecret } from "./found.js";

const BEGIN = /-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----/g;
/** The largest RSA key with headers. */
const BLOCK_LENGTH_MAX = 16 * 1024;
/** Between blanks, borders or quotes, or the escape that JSON uses for a line break. */
const WORD = /(?<=^|[\s"'│┃|>]|\\[nr])[A-Za-z0-9+/=]{1,4096}(?=$|[\s"'│┃|,;]|\\[nr])/g;

export function findPrivateKeys(text: string): FoundSecret[] {
  return [...text.matchAll(BEGIN)].flatMap((match) => {
    const start = match.index + match[0].length;
    return findBody(text.slice(start, start + BLOCK_LENGTH_MAX), match[1] ?? "").map(({ at, length }) =>
      createFound("private key", match.index, { start: start + at, end: start + at + length }),
    );
  });
}

function findBody(room: string, name: string): { readonly at: number; readonly length: number }[] {
  const next = room.indexOf("-----BEGIN ");
  const block = next < 0 ? room : room.slice(0, next);
  const end = block.indexOf(`-----END ${name}-----`);
  const body: { at: number; length: number }[] = [];
  let isBehindBody = false;
  for (const { 0: word, index } of (end < 0 ? block : block.slice(0, end)).matchAll(WORD)) {
    isBehindBody = isBase64(word) || (isBehindBody && isRemainder(word));
    if (isBehindBody) body.push({ at: index, length: word.length });
    // A block without an end marker ends at its first line that is not base64.
    else if (end < 0) break;
  }
  return body;
}

/** Shorter or more uniform words may be commands. */
const LENGTH_MIN = 16;
/** A path of this length would lack some kind of character. */
const LENGTH_SURE = 40;

function isBase64(word: string): boolean {
  if (word.length < (word.startsWith("/") ? LENGTH_SURE : LENGTH_MIN)) return false;
  const sorts = [/[a-z]/, /[A-Z]/, /\d/].filter((sort) => sort.test(word)).length;
  return sorts >= (word.length < LENGTH_SURE ? 2 : 3);
}

/** The part of a base64 line after a wrap, or its last line. */
function isRemainder(word: string): boolean {
  return /[A-Z0-9+=]/.test(word) && !word.startsWith("/");
}
