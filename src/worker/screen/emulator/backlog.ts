/** Output that is not in the picture yet, with what leaves no trace in it taken out (ADR 15). */
import { carryOf, Traceless, type OutputCut, type Cuts } from "./skippable-output.js";

interface Piece {
  readonly bytes: Uint8Array;
  /** Offset behind it in the output. */
  readonly end: number;
  /** Line feeds up to its end. */
  readonly lineFeeds: number;
  /** It stands in for what was cut out before its end. */
  readonly isCarry: boolean;
}

/** Cuts are looked for so far apart; what is shorter is parsed sooner than it is cut out. */
export const CUT_GRAIN_BYTES = 4096;

export class Backlog {
  readonly #traceless: Traceless;
  readonly #grainBytes: number;
  #pieces: Piece[] = [];
  /** Offset behind what was parsed, and line feeds up to there. */
  #parsed = 0;
  #lineFeeds = 0;
  /** Offset behind what was parsed or is cut out. */
  #from = 0;
  #written = 0;
  #bytes = 0;
  #cutLineFeeds = 0;

  constructor(cols: number, rows: number, keptLines: number, grainBytes = CUT_GRAIN_BYTES) {
    this.#grainBytes = grainBytes;
    this.#traceless = new Traceless(cols, rows, keptLines, grainBytes);
  }

  /** Bytes that are to be parsed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes up to what was parsed last, with those that were cut out before it. */
  get parsedBytes(): number {
    return this.#parsed;
  }

  get writtenBytes(): number {
    return this.#written;
  }

  /** Line feeds among `parsedBytes` that were cut out. */
  get cutLineFeeds(): number {
    return this.#cutLineFeeds;
  }

  push(bytes: Uint8Array): void {
    this.#traceless.push(bytes);
    this.#written += bytes.length;
    this.#bytes += bytes.length;
    this.#pieces.push({ bytes, end: this.#written, lineFeeds: this.#traceless.lineFeeds, isCarry: false });
  }

  /** The next bytes to parse; undefined when there are none. They count as parsed once `next` is called. */
  get first(): Uint8Array | undefined {
    return this.#pieces[0]?.bytes;
  }

  next(): void {
    const piece = this.#pieces.shift();
    if (!piece) return;
    if (piece.isCarry) this.#cutLineFeeds += piece.lineFeeds - this.#lineFeeds;
    this.#bytes -= piece.bytes.length;
    this.#parsed = piece.end;
    this.#from = Math.max(this.#from, piece.end);
    this.#lineFeeds = piece.lineFeeds;
  }

  /** What can be cut out where the emulator is now. */
  cuts(): Cuts {
    return this.#traceless.cuts(this.#from);
  }

  /** True when `cut` was worth it: what the emulator holds of a character belongs to what is gone. */
  cut(cut: OutputCut): boolean {
    const { at, lineFeeds } = cut;
    if (at - this.#from < this.#grainBytes) return false;
    const from = this.#pieces.findIndex(({ end }) => end > at);
    const piece = this.#pieces[from];
    if (!piece) return false;
    const kept = { ...piece, bytes: piece.bytes.subarray(piece.bytes.length - (piece.end - at)) };
    const instead = { bytes: Buffer.from(carryOf(cut)), end: at, lineFeeds, isCarry: true };
    this.#pieces = [instead, kept, ...this.#pieces.slice(from + 1)];
    this.#bytes = this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#from = at;
    return true;
  }

  /** Everything was parsed, and the screen has another size. */
  resized(cols: number, rows: number): void {
    this.#traceless.resized(cols, rows, this.#written);
  }
}
