/** Quotes a word of a command line that people paste into their shell. */

/** Has no special meaning in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quoted so that a POSIX shell reads back exactly this word. Pure. */
export function quoteShellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
