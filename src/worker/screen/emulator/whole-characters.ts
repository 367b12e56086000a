/**
 * Keeps characters whole across reads. The emulator has a decoder for that, but it loses a character whose second byte is 0x80
 * (`—` among them) when a read ends right behind that byte.
 */

const NOTHING = new Uint8Array();
/** A character takes at most four bytes, so at most three can be missing their end. */
const BYTES_BACK_MAX = 3;

export class WholeCharacters {
  #rest: Uint8Array = NOTHING;

  /** Returns `bytes` preceded by what the last call kept back, and without a character that is not complete yet. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.length - countUnfinishedBytes(all);
    this.#rest = end === all.length ? NOTHING : Uint8Array.from(all.subarray(end));
    return end === all.length ? all : all.subarray(0, end);
  }

  /** Drops the bytes that were kept back, because their rest will not come. */
  forget(): void {
    this.#rest = NOTHING;
  }
}

function countUnfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(BYTES_BACK_MAX, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return computeLength(byte) > back ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function computeLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}
