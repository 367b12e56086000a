/** Text of a file for an agent: strict about what is text, and cut by lines. Pure. */

/** The text, with its byte order mark if it has one (who writes it back must not lose it); null for what is no UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** `limit` lines from the 1-based `line` on, each with its end; behind the last line there is nothing. */
export function selectLines(text: string, line: number, limit: number): string {
  let from = 0;
  for (let skipped = 1; skipped < line && from < text.length; skipped += 1) from = findLineEnd(text, from);
  let to = from;
  for (let taken = 0; taken < limit && to < text.length; taken += 1) to = findLineEnd(text, to);
  return text.slice(from, to);
}

/** Where the next line begins. */
function findLineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at + 1;
}
