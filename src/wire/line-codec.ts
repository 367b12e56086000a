/** Bytes ↔ lines: one UTF-8 text a line, whatever the chunks are. */
import { LINE_BYTES_MAX } from "./messages.js";

const LINE_FEED = 0x0a;

export type DecodedLine =
  | { readonly kind: "line"; readonly text: string }
  /** The framing still holds: only this line is lost. */
  | { readonly kind: "not_utf8" }
  /** The peer would make us hold more than the limit: nothing after this is read. */
  | { readonly kind: "too_long" };

/** Cuts a byte stream into lines. A character may be split over chunks; an empty line is skipped. */
export class LineDecoder {
  readonly #limitBytes: () => number;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** Chunks of the unfinished line: joined once, at its end, so that a long line costs linear time. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #broken = false;

  /** The limit is asked for anew with every chunk: it may rise when the other side has said who it is. */
  constructor(limitBytes: () => number = () => LINE_BYTES_MAX) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes of a line that has begun and not ended. */
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

  /** False when the line has outgrown the limit; the decoder is then of no more use. */
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

/** One message as a line. JSON never holds a raw line feed, so the framing cannot be broken from inside. */
export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}
