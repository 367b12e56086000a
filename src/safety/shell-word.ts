const PLAIN = /^[\w@%+=:,./-]+$/;

/** A POSIX shell reads exactly this word back. */
export function quoteShellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
