const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Removes the carriage returns that a terminal adds before line feeds. If one line feed has none, the program had turned this off for a
 * part of its output, and the bytes are returned unchanged.
 */
export function removeAddedReturns(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === LINE_FEED) {
      if (at === 0 || bytes[at - 1] !== RETURN) return bytes;
      length -= 1;
    }
    kept[length] = byte;
    length += 1;
  }
  return kept.subarray(0, length);
}
