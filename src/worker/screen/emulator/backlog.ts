/** Output that is not in the picture yet, without the parts that would leave no trace in it (ADR 15). */
import { encodeCarry, SkippableOutput, type OutputCut, type Cuts } from "./skippable-output.js";

interface BacklogPiece {
  readonly bytes: Uint8Array;
  /** Offset in the output after this piece. */
  readonly end: number;
  readonly lineFeeds: number;
  /** It replaces the end of the part that was cut out. */
  readonly isCarry: boolean;
}

/** Distance between the places where a cut is looked for. Parsing less than this is faster than cutting it out. */
const CUT_GRAIN_BYTES = 4096;

export class Backlog {
  readonly #skippable: SkippableOutput;
  readonly #grainBytes: number;
  #pieces: BacklogPiece[] = [];
  /** Offset after the parsed output, and the number of line feeds up to there. */
  #parsed = 0;
  #lineFeeds = 0;
  /** Offset after the output that was parsed or cut out. */
  #from = 0;
  #written = 0;
  #bytes = 0;
  #cutLineFeeds = 0;

  constructor(cols: number, rows: number, keptLines: number, grainBytes = CUT_GRAIN_BYTES) {
    this.#grainBytes = grainBytes;
    this.#skippable = new SkippableOutput(cols, rows, keptLines, grainBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of bytes up to the end of the parsed output, including those that were cut out before it. */
  get parsedBytes(): number {
    return this.#parsed;
  }

  get writtenBytes(): number {
    return this.#written;
  }

  /** Number of line feeds among `parsedBytes` that were cut out. */
  get cutLineFeeds(): number {
    return this.#cutLineFeeds;
  }

  push(bytes: Uint8Array): void {
    this.#skippable.push(bytes);
    this.#written += bytes.length;
    this.#bytes += bytes.length;
    this.#pieces.push({ bytes, end: this.#written, lineFeeds: this.#skippable.lineFeeds, isCarry: false });
  }

  /** The next bytes to parse; undefined when there are none. They count as parsed once `removeFirst` is called. */
  get first(): Uint8Array | undefined {
    return this.#pieces[0]?.bytes;
  }

  removeFirst(): void {
    const piece = this.#pieces.shift();
    if (!piece) return;
    if (piece.isCarry) this.#cutLineFeeds += piece.lineFeeds - this.#lineFeeds;
    this.#bytes -= piece.bytes.length;
    this.#parsed = piece.end;
    this.#from = Math.max(this.#from, piece.end);
    this.#lineFeeds = piece.lineFeeds;
  }

  findCuts(): Cuts {
    return this.#skippable.findCuts(this.#from);
  }

  /** Returns true if `cut` was worth it. Then an unfinished character in the emulator belongs to the part that was cut out. */
  cut(cut: OutputCut): boolean {
    const { at, lineFeeds } = cut;
    if (at - this.#from < this.#grainBytes) return false;
    const from = this.#pieces.findIndex(({ end }) => end > at);
    const piece = this.#pieces[from];
    if (!piece) return false;
    const kept = { ...piece, bytes: piece.bytes.subarray(piece.bytes.length - (piece.end - at)) };
    const instead = { bytes: Buffer.from(encodeCarry(cut)), end: at, lineFeeds, isCarry: true };
    this.#pieces = [instead, kept, ...this.#pieces.slice(from + 1)];
    this.#bytes = this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#from = at;
    return true;
  }

  resize(cols: number, rows: number): void {
    this.#skippable.resize(cols, rows, this.#written);
  }
}
