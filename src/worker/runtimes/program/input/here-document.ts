/** Whether text appended to a block of shell commands might become part of its last here-document. */

/** `<<WORD` and `<<-WORD`, with the word quoted or not; `<<<` begins none. */
const BEGIN = /(?<!<)<<(?!<)-?[ \t]{0,8}(?:"([^"\n]+)"|'([^'\n]+)'|\\?([^\s;&|<>()"'\\]+))?/g;

/** True if a here-document is not closed or cannot be parsed. Text that only resembles one counts, too. */
export function mayEndOpen(block: string): boolean {
  const words = [...block.matchAll(BEGIN)].map(([, double, single, bare]) => double ?? single ?? bare);
  if (words.length === 0) return false;
  const lines = new Set(block.split("\n").map((line) => line.replace(/^\t+/, "")));
  return words.some((word) => word === undefined || !lines.has(word));
}
