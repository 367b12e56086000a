/** Splits chunks of bytes into lines of text. Their length is limited, so that another program cannot make us store any amount. */

/** One line may hold a whole file before and after a change. This limits what a tool can make us store. */
export const LINE_BYTES_MAX = 32 * 1024 * 1024;

const NEWLINE = 10;

export interface LineReaderOptions {
  readonly onLine: (line: string) => void;
  /** Called for a line longer than LINE_BYTES_MAX; the lines after it are read. */
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

  /** Call at the end of the input: the rest is the last line. */
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
