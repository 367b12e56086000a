/**
 * Finds output that can be skipped: everything that the emulator would draw of it is scrolled out or painted over by later
 * output, and it switches no mode. Exact by construction (ADR 15): the picture after a cut is the picture of all bytes.
 */
import { Pen, encodePen, type PenState } from "./pen.js";
import { Tokenizer, type TokenSink } from "./tokens.js";

export interface OutputCut {
  /** Offset of the first byte that has to be parsed. */
  readonly at: number;
  /** What must be done instead of the skipped output: colours, and modes of which only the last value counts. */
  readonly pen: PenState;
  readonly modes: string;
  readonly lineFeeds: number;
}

/** The cuts are valid for an emulator that has parsed everything before `from`, and has no margins and no origin mode there. */
export interface Cuts {
  /** Everything before this cut scrolls out of the screen and of the scrollback. */
  readonly scrolled: OutputCut | null;
  /** Every cell is painted again after this cut. Only valid if no row of the screen continues the one above. */
  readonly painted: OutputCut | null;
}

/** Modes for the visible cursor and for synchronized updates. They are switched with every frame, and only their last value matters. */
const CARRIED_MODES = [25, 2026];
/** CSI sequences that change only cells, cursor and colours. */
const INERT = createFinalTable("@ABCDEFGHIJKLMPSTXZ`adefm");
/** Sequences that move the cursor within its row only: later line feeds scroll as before. */
const FORWARD = createFinalTable("CGKXm");
/** More line ends than a backlog ever holds. */
const LINE_ENDS_MAX = 128;
/** Ends any sequence before it: a sequence that was split by a cut began in the skipped part, and its rest must not be parsed as text. */
const BREAK = "\u001b\\";

export class SkippableOutput implements TokenSink {
  readonly #tokens = new Tokenizer(this);
  readonly #pen = new Pen();
  readonly #modes = CARRIED_MODES.map(() => "");
  readonly #keptLines: number;
  readonly #grainBytes: number;
  #cols: number;
  #rows: number;
  /** Offsets since which no mode was switched, and since which every row was painted within its bounds. */
  #inertFrom = 0;
  #paintFrom = 0;
  #lineFeeds = 0;
  /** Possible cuts in order, `grainBytes` apart. */
  #lineEnds: OutputCut[] = [];
  /** The cursor's row (-1: unknown), and a column that it has not passed. */
  #y = -1;
  #x = 0;
  /** All cells of the row up to the cursor were painted since the frame began. */
  #isRowPainted = false;
  #frame: OutputCut | null = null;
  #frames = 0;
  #rowsPainted = 0;
  #paintedIn: Uint32Array;
  #painted: OutputCut | null = null;
  /** The whole screen was erased here, and nothing was drawn since. */
  #erased: OutputCut | null = null;
  /** The state was just reset by unrecognized bytes; of several such bytes in a row only the end counts. */
  #isBlank = false;

  /** `grainBytes`: at worst so many bytes more than needed are kept. */
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

  resize(cols: number, rows: number, at: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#paintedIn = new Uint32Array(rows);
    this.#frames = 0;
    this.onOther(at);
  }

  /** Finds the furthest cuts after `from`, the offset up to which everything was parsed. */
  findCuts(from: number): Cuts {
    const scrolledOut = 2 * this.#rows + this.#keptLines + 1;
    const scrolled =
      this.#inertFrom > from
        ? undefined
        : this.#lineEnds.findLast((end) => this.#lineFeeds - end.lineFeeds >= scrolledOut);
    return { scrolled: scrolled ?? null, painted: this.#paintFrom > from ? null : this.#painted };
  }

  onText(bytes: number, end: number): void {
    this.#isBlank = false;
    this.#erased = null;
    this.#x += bytes;
    if (this.#y < 0 || this.#x > this.#cols) this.#forgetPainting(end);
  }

  onCarriageReturn(): void {
    this.#isBlank = false;
    this.#x = 0;
    this.#isRowPainted = true;
  }

  onLineFeed(afterReturn: boolean, end: number): void {
    this.#isBlank = false;
    if (afterReturn) this.#endLine(end - 2);
    this.#erased = null;
    this.#lineFeeds += 1;
    this.#isRowPainted = this.#x === 0;
    if (this.#y >= 0 && this.#y < this.#rows - 1) this.#y += 1;
    else this.#forgetPainting(end);
  }

  onTab(): void {
    this.#isBlank = false;
    this.#x = this.#cols;
    this.#isRowPainted = false;
  }

  onCsi(final: number, prefix: number, params: Int32Array, count: number, start: number, end: number): void {
    const isInert =
      prefix === 0
        ? INERT[final] === 1 && (final !== 0x6d || this.#pen.take(params, count))
        : prefix === 0x3f && this.#takeModeSwitch(final, params, count);
    // It may have taken a part of the colours.
    if (isInert || final === 0x6d) this.#isBlank = false;
    if (!isInert) this.onOther(end);
    else if (prefix === 0) this.#takeDrawing(final, params, count, start, end);
  }

  onOther(end: number): void {
    this.#inertFrom = this.#paintFrom = end;
    if (this.#isBlank) return;
    this.#isBlank = true;
    this.#pen.forget();
    this.#modes.fill("");
    this.#forgetLineEnds();
    this.#forgetPainting(end);
  }

  #takeModeSwitch(final: number, params: Int32Array, count: number): boolean {
    const mode = CARRIED_MODES.indexOf(count === 1 ? (params[0] ?? 0) : 0);
    if (mode < 0 || (final !== 0x68 && final !== 0x6c)) return false;
    this.#modes[mode] = `\u001b[?${params[0]}${String.fromCharCode(final)}`;
    return true;
  }

  #takeDrawing(final: number, params: Int32Array, count: number, start: number, end: number): void {
    if (final === 0x6d) return;
    if (FORWARD[final] !== 1) this.#forgetLineEnds();
    const first = params[0] ?? 0;
    if (final === 0x48 || final === 0x66) {
      this.#moveTo(first, count > 1 ? (params[1] ?? 0) : 0, start);
      return;
    }
    this.#erased = null;
    if (final === 0x4b && first !== 1) this.#eraseRow(first);
    else if (final === 0x4a && (first === 0 || first === 2)) this.#eraseDisplay(first, start);
    else if (final === 0x47) this.#moveInRow(first);
    else this.#forgetPainting(end);
  }

  #moveTo(row: number, column: number, start: number): void {
    this.#y = Math.min(Math.max(row, 1), this.#rows) - 1;
    this.#moveInRow(column);
    if (this.#erased) this.#painted = this.#erased;
    else if (this.#y === 0 && this.#x === 0) this.#beginFrame(start);
    this.#erased = null;
  }

  #moveInRow(column: number): void {
    this.#x = Math.min(Math.max(column, 1), this.#cols) - 1;
    this.#isRowPainted = this.#x === 0;
  }

  #eraseRow(how: number): void {
    if (this.#y >= 0 && (how === 2 || this.#isRowPainted)) this.#markPainted(this.#y);
  }

  #eraseDisplay(how: number, start: number): void {
    if (how === 2) this.#erased = this.#createCut(start);
    else this.#eraseRow(0);
    // An erased screen counts like a line feed (`Feed`).
    if (how === 2) this.#lineFeeds += 1;
    const from = how === 2 ? 0 : this.#y < 0 ? this.#rows : this.#y + 1;
    for (let row = from; row < this.#rows; row++) this.#markPainted(row);
  }

  #beginFrame(start: number): void {
    this.#frame = this.#createCut(start);
    this.#frames += 1;
    this.#rowsPainted = 0;
  }

  #markPainted(row: number): void {
    if (!this.#frame || this.#paintedIn[row] === this.#frames) return;
    this.#paintedIn[row] = this.#frames;
    this.#rowsPainted += 1;
    if (this.#rowsPainted === this.#rows) this.#painted = this.#frame;
  }

  #endLine(at: number): void {
    const last = this.#lineEnds.at(-1);
    if (last && at - last.at < this.#grainBytes) return;
    if (this.#lineEnds.length === LINE_ENDS_MAX) this.#lineEnds.shift();
    this.#lineEnds.push(this.#createCut(at));
  }

  #createCut(at: number): OutputCut {
    return { at, pen: this.#pen.getState(), modes: this.#joinModes(), lineFeeds: this.#lineFeeds };
  }

  #joinModes(): string {
    const [first = "", second = ""] = this.#modes;
    return first === "" ? second : first + second;
  }

  #forgetLineEnds(): void {
    if (this.#lineEnds.length > 0) this.#lineEnds = [];
  }

  #forgetPainting(end: number): void {
    this.#paintFrom = end;
    this.#y = -1;
    this.#frame = this.#painted = this.#erased = null;
  }
}

/** Encodes the bytes to parse in place of everything that `cut` skips. */
export function encodeCarry({ pen, modes }: OutputCut): string {
  return BREAK + encodePen(pen) + modes;
}

function createFinalTable(letters: string): Uint8Array {
  return Uint8Array.from({ length: 0x80 }, (_, code) =>
    letters.includes(String.fromCharCode(code)) ? 1 : 0,
  );
}
