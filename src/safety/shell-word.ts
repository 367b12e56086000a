/** A word of a command line that people are to paste into their shell. */

/** Means nothing to any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** As a POSIX shell reads it back, whatever is in it. Pure. */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
