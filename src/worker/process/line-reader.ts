/** Lines of text out of chunks of bytes, each bounded: what another program can make us hold has an end. */

/** A whole file before and after may stand in one line; this bounds what a tool can make us hold. */
export const LINE_BYTES_MAX = 32 * 1024 * 1024;

const NEWLINE = 10;

export interface LineReaderOptions {
  /** A line without its end. */
  readonly onLine: (line: string) => void;
  /** A line longer than LINE_BYTES_MAX; what follows it is read. */
  readonly onTooLong: () => void;
}

export class LineReader {
  readonly #options: LineReaderOptions;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  take(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.end();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** No more comes: what is there is the last line. */
  end(): void {
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) this.#options.onTooLong();
    else this.#options.onLine(text);
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > LINE_BYTES_MAX) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }
}
