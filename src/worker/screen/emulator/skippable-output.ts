/**
 * Finds output that can be left out: what the emulator would make of it is all scrolled out or painted over by what follows, and it
 * switches nothing. Exact by construction (ADR 15); the picture behind a cut is the picture that all of the bytes make.
 */
import { Pen, penSequence, type PenState } from "./pen.js";
import { Tokens, type TokenSink } from "./tokens.js";

export interface OutputCut {
  /** Offset of the first byte that has to be parsed. */
  readonly at: number;
  /** What has to be done in place of what is left out: colours, and modes of which only the last value counts. */
  readonly pen: PenState;
  readonly modes: string;
  /** Line feeds before it. */
  readonly lineFeeds: number;
}

/** They hold for an emulator that has parsed all before `from`, and has no margins and no origin mode there. */
export interface Cuts {
  /** Everything before it scrolls out of the screen and of what is kept above it. */
  readonly scrolled: OutputCut | null;
  /** Every cell is painted anew behind it. Only where no row of the screen is the continuation of the one above. */
  readonly painted: OutputCut | null;
}

/** Cursor shown, update held open: switched with every frame, and nothing but their last value matters. */
const CARRIED_MODES = [25, 2026];
/** Cells, cursor and colours are all that these CSI sequences change. */
const INERT = finals("@ABCDEFGHIJKLMPSTXZ`adefm");
/** A cursor that moves in its row or down: lines that are fed below it scroll as before. */
const FORWARD = finals("CGKXm");
/** More than a backlog ever holds. */
const LINE_ENDS_MAX = 128;
/** Ends what came before it, whatever that was: a sequence cut in two lies before a cut, and its rest is left out. */
const BREAK = "\u001b\\";

export class Traceless implements TokenSink {
  readonly #tokens = new Tokens(this);
  readonly #pen = new Pen();
  readonly #modes = CARRIED_MODES.map(() => "");
  readonly #keptLines: number;
  readonly #grainBytes: number;
  #cols: number;
  #rows: number;
  /** Since here nothing was switched; every row was painted within its bounds. */
  #inertFrom = 0;
  #paintFrom = 0;
  #lineFeeds = 0;
  /** In order, `grainBytes` apart. */
  #lineEnds: OutputCut[] = [];
  /** Where the cursor is: the row (-1: not known), and a column that it has not passed. */
  #y = -1;
  #x = 0;
  /** All cells of the row up to the cursor were painted since the frame began. */
  #wholeRow = false;
  #frame: OutputCut | null = null;
  #frames = 0;
  #rowsPainted = 0;
  #paintedIn: Uint32Array;
  #painted: OutputCut | null = null;
  /** All was erased here, and nothing was drawn since. */
  #erased: OutputCut | null = null;
  /** Nothing is known since the last of what is not told apart: of such bytes in a row only their end counts. */
  #isBlank = false;

  /** `grainBytes`: so much more than needed is left in at worst. */
  constructor(cols: number, rows: number, keptLines: number, grainBytes: number) {
    this.#grainBytes = grainBytes;
    this.#cols = cols;
    this.#rows = rows;
    this.#keptLines = keptLines;
    this.#paintedIn = new Uint32Array(rows);
  }

  get lineFeeds(): number {
    return this.#lineFeeds;
  }

  push(bytes: Uint8Array): void {
    this.#tokens.push(bytes);
  }

  /** Everything pushed until now was parsed, and the screen has another size. */
  resized(cols: number, rows: number, at: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#paintedIn = new Uint32Array(rows);
    this.#frames = 0;
    this.other(at);
  }

  /** The furthest cuts behind `from`, up to where everything was parsed. */
  cuts(from: number): Cuts {
    const scrolledOut = 2 * this.#rows + this.#keptLines + 1;
    const scrolled =
      this.#inertFrom > from
        ? undefined
        : this.#lineEnds.findLast((end) => this.#lineFeeds - end.lineFeeds >= scrolledOut);
    return { scrolled: scrolled ?? null, painted: this.#paintFrom > from ? null : this.#painted };
  }

  text(bytes: number, end: number): void {
    this.#isBlank = false;
    this.#erased = null;
    this.#x += bytes;
    if (this.#y < 0 || this.#x > this.#cols) this.#unpainted(end);
  }

  carriageReturn(): void {
    this.#isBlank = false;
    this.#x = 0;
    this.#wholeRow = true;
  }

  lineFeed(afterReturn: boolean, end: number): void {
    this.#isBlank = false;
    if (afterReturn) this.#endLine(end - 2);
    this.#erased = null;
    this.#lineFeeds += 1;
    this.#wholeRow = this.#x === 0;
    if (this.#y >= 0 && this.#y < this.#rows - 1) this.#y += 1;
    else this.#unpainted(end);
  }

  tab(): void {
    this.#isBlank = false;
    this.#x = this.#cols;
    this.#wholeRow = false;
  }

  csi(final: number, prefix: number, params: Int32Array, count: number, start: number, end: number): void {
    const isInert =
      prefix === 0
        ? INERT[final] === 1 && (final !== 0x6d || this.#pen.take(params, count))
        : prefix === 0x3f && this.#switches(final, params, count);
    // Of colours it may have taken a part.
    if (isInert || final === 0x6d) this.#isBlank = false;
    if (!isInert) this.other(end);
    else if (prefix === 0) this.#draws(final, params, count, start, end);
  }

  other(end: number): void {
    this.#inertFrom = this.#paintFrom = end;
    if (this.#isBlank) return;
    this.#isBlank = true;
    this.#pen.forget();
    this.#modes.fill("");
    this.#notText();
    this.#unpainted(end);
  }

  #switches(final: number, params: Int32Array, count: number): boolean {
    const mode = CARRIED_MODES.indexOf(count === 1 ? (params[0] ?? 0) : 0);
    if (mode < 0 || (final !== 0x68 && final !== 0x6c)) return false;
    this.#modes[mode] = `\u001b[?${params[0]}${String.fromCharCode(final)}`;
    return true;
  }

  #draws(final: number, params: Int32Array, count: number, start: number, end: number): void {
    if (final === 0x6d) return;
    if (FORWARD[final] !== 1) this.#notText();
    const first = params[0] ?? 0;
    if (final === 0x48 || final === 0x66) {
      this.#moveTo(first, count > 1 ? (params[1] ?? 0) : 0, start);
      return;
    }
    this.#erased = null;
    if (final === 0x4b && first !== 1) this.#erasesRow(first);
    else if (final === 0x4a && (first === 0 || first === 2)) this.#erases(first, start);
    else if (final === 0x47) this.#moveIn(first);
    else this.#unpainted(end);
  }

  #moveTo(row: number, column: number, start: number): void {
    this.#y = Math.min(Math.max(row, 1), this.#rows) - 1;
    this.#moveIn(column);
    if (this.#erased) this.#painted = this.#erased;
    else if (this.#y === 0 && this.#x === 0) this.#beginFrame(start);
    this.#erased = null;
  }

  #moveIn(column: number): void {
    this.#x = Math.min(Math.max(column, 1), this.#cols) - 1;
    this.#wholeRow = this.#x === 0;
  }

  #erasesRow(how: number): void {
    if (this.#y >= 0 && (how === 2 || this.#wholeRow)) this.#paints(this.#y);
  }

  #erases(how: number, start: number): void {
    if (how === 2) this.#erased = this.#cutAt(start);
    else this.#erasesRow(0);
    const from = how === 2 ? 0 : this.#y < 0 ? this.#rows : this.#y + 1;
    for (let row = from; row < this.#rows; row++) this.#paints(row);
  }

  #beginFrame(start: number): void {
    this.#frame = this.#cutAt(start);
    this.#frames += 1;
    this.#rowsPainted = 0;
  }

  #paints(row: number): void {
    if (!this.#frame || this.#paintedIn[row] === this.#frames) return;
    this.#paintedIn[row] = this.#frames;
    this.#rowsPainted += 1;
    if (this.#rowsPainted === this.#rows) this.#painted = this.#frame;
  }

  #endLine(at: number): void {
    const last = this.#lineEnds.at(-1);
    if (last && at - last.at < this.#grainBytes) return;
    if (this.#lineEnds.length === LINE_ENDS_MAX) this.#lineEnds.shift();
    this.#lineEnds.push(this.#cutAt(at));
  }

  #cutAt(at: number): OutputCut {
    return { at, pen: this.#pen.state(), modes: this.#carriedModes(), lineFeeds: this.#lineFeeds };
  }

  #carriedModes(): string {
    const [first = "", second = ""] = this.#modes;
    return first === "" ? second : first + second;
  }

  #notText(): void {
    if (this.#lineEnds.length > 0) this.#lineEnds = [];
  }

  #unpainted(end: number): void {
    this.#paintFrom = end;
    this.#y = -1;
    this.#frame = this.#painted = this.#erased = null;
  }
}

/** Parsed in place of all that is left out before `cut`. */
export function carryOf({ pen, modes }: OutputCut): string {
  return BREAK + penSequence(pen) + modes;
}

function finals(letters: string): Uint8Array {
  return Uint8Array.from({ length: 0x80 }, (_, code) =>
    letters.includes(String.fromCharCode(code)) ? 1 : 0,
  );
}
