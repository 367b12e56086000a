/** Converts between bytes and lines: one UTF-8 text per line, however the bytes are chunked. */
import { LINE_BYTES_MAX } from "./messages.js";

const LINE_FEED = 0x0a;

export type DecodedLine =
  | { readonly kind: "line"; readonly text: string }
  /** Only this line is lost; the framing still works. */
  | { readonly kind: "not_utf8" }
  /** The peer sent more than the limit: nothing after this is read. */
  | { readonly kind: "too_long" };

/** Splits a byte stream into lines. A character may be split across chunks; empty lines are skipped. */
export class LineDecoder {
  readonly #limitBytes: () => number;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** Chunks of the unfinished line, joined once at its end, so that a long line costs linear time. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #broken = false;

  /** The limit is read for every chunk, because it may rise when the other side has identified itself. */
  constructor(limitBytes: () => number = () => LINE_BYTES_MAX) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes of the unfinished line. */
  get unfinishedBytes(): number {
    return this.#partBytes;
  }

  push(chunk: Uint8Array): DecodedLine[] {
    const lines: DecodedLine[] = [];
    for (let start = 0; start < chunk.length && !this.#broken;) {
      const lineFeed = chunk.indexOf(LINE_FEED, start);
      const end = lineFeed === -1 ? chunk.length : lineFeed;
      if (!this.#keep(chunk.subarray(start, end))) lines.push({ kind: "too_long" });
      else if (lineFeed !== -1) this.#finish(lines);
      start = end + 1;
    }
    return lines;
  }

  /** False if the line exceeds the limit; the decoder is then unusable. */
  #keep(part: Uint8Array): boolean {
    this.#partBytes += part.length;
    this.#broken = this.#partBytes > this.#limitBytes();
    if (this.#broken) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
    return !this.#broken;
  }

  #finish(lines: DecodedLine[]): void {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partBytes = 0;
    if (!bytes || bytes.length === 0) return;
    try {
      lines.push({ kind: "line", text: this.#utf8.decode(bytes) });
    } catch {
      lines.push({ kind: "not_utf8" });
    }
  }
}

/** Encodes a message as one line. JSON contains no raw line feed, so no message can break the framing. */
export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}
