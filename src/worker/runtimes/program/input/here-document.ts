/** Whether what is written behind a block of shell commands might become text of its last here-document. */

/** `<<WORD` and `<<-WORD`, with the word quoted or not; `<<<` begins none. */
const BEGIN = /(?<!<)<<(?!<)-?[ \t]{0,8}(?:"([^"\n]+)"|'([^'\n]+)'|\\?([^\s;&|<>()"'\\]+))?/g;

/** A here-document has no line that ends it, or one that is not understood. What only looks like one counts, too. */
export function mayEndOpen(block: string): boolean {
  const words = [...block.matchAll(BEGIN)].map(([, double, single, bare]) => double ?? single ?? bare);
  if (words.length === 0) return false;
  const lines = new Set(block.split("\n").map((line) => line.replace(/^\t+/, "")));
  return words.some((word) => word === undefined || !lines.has(word));
}
