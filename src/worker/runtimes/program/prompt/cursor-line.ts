/**
 * The line at which a program's output ends, as a person sees it: what was drawn over is gone. Prompts are looked for in it. Control
 * characters that a terminal does not show stay, because prompts may be marked with them.
 */
import { measureWidth } from "../../../screen/widths.js";

/** A prompt is shorter; what is longer is only output. */
const LINE_CHARACTERS_MAX = 4096;
const ESC = "\x1b";
/** A sequence is shorter than this, or it is none. */
const SEQUENCE_CHARACTERS_MAX = 256;
/** So much is drawn into one column, of signs that combine. */
const COMBINED_CHARACTERS_MAX = 16;
/** The first character that is drawn into the column before: a combining accent. What is before it has one column. */
const FIRST_WIDE = 0x300;
/** What stands in a column; undefined: the cursor only went over it. */
type CellText = string | undefined;

export class CursorLine {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #cells: CellText[] = [];
  #column = 0;
  /** Where the line begins; what stands before it is the prompt. */
  #start = 0;
  #carry = "";
  #leaves = 0;
  /** How many rows the cursor stands below the line; NaN: not known. */
  #row = 0;
  /** The line, while the cursor is in another row. */
  #left: { readonly cells: CellText[]; readonly start: number } = { cells: [], start: 0 };

  constructor(encoding = "utf-8") {
    this.#decoder = new TextDecoder(encoding);
  }

  /** Takes output without marks. */
  push(bytes: Uint8Array): void {
    // Of a flood only the end can be in the last line.
    const tail =
      bytes.length > 4 * LINE_CHARACTERS_MAX ? bytes.subarray(bytes.length - 4 * LINE_CHARACTERS_MAX) : bytes;
    const text = this.#carry + this.#decoder.decode(tail, { stream: true });
    this.#carry = "";
    for (let at = 0; at < text.length;) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (character !== ESC) {
        this.#put(character);
        at += character.length;
        continue;
      }
      const length = sequenceLength(text, at);
      if (length === null) {
        this.#carry = text.slice(at);
        return;
      }
      this.#apply(text.slice(at, at + length));
      at += length;
    }
  }

  /** The line begins here: what stands before is no part of it. */
  cut(): void {
    this.#cells = [];
    this.#column = this.#start = this.#row = 0;
  }

  /** As `cut`, in the middle of a row: the cursor goes to the same columns as before. */
  startHere(): void {
    this.#start = this.#column;
    this.stayHere();
  }

  /** The cursor's row is the line's. */
  stayHere(): void {
    this.#row = 0;
  }

  /** The cursor is in another row than the line's. */
  get isElsewhere(): boolean {
    return this.#row !== 0;
  }

  /** Where the cursor stands in its row, from 0. */
  get column(): number {
    return this.#column;
  }

  /** How often the cursor has gone to another row. */
  get leaves(): number {
    return this.#leaves;
  }

  /** The cursor stands behind the first `length` characters of the line. */
  isCursorBehind(length: number): boolean {
    return this.#column > this.#start + length;
  }

  get text(): string {
    return join(this.#cells.slice(this.#start));
  }

  /**
   * What stands behind the first `length` characters: `near`, up to the cursor and as far as it was written from there on, and `far` behind
   * that. `farEnd`: the number of columns up to its end.
   */
  split(length: number): { readonly near: string; readonly far: string; readonly farEnd: number } {
    const cells = Array.from(this.#cells);
    const written = cells.findIndex((cell, at) => at >= this.#column && cell === undefined);
    const end = written < 0 ? cells.length : Math.max(written, this.#start);
    const near = join(cells.slice(this.#start, end)).slice(length);
    const last = cells.findLastIndex((cell) => cell !== undefined && cell !== " ");
    return { near, far: join(cells.slice(end)), farEnd: last + 1 };
  }

  #put(character: string): void {
    if (character === "\n") {
      this.cut();
      this.#leaves += 1;
    } else if (character === "\r") this.#column = 0;
    else if (character === "\b") this.#column = Math.max(0, this.#column - 1);
    else if (character === "\t") this.#moveByTab();
    else if (character !== "\x07" && character !== "\0") this.#write(character);
  }

  #write(character: string): void {
    if (this.#column >= LINE_CHARACTERS_MAX) return;
    const width = measureCell(character);
    if (width === 0) {
      // It is drawn into the column before.
      const at = Math.max(0, this.#column - 1);
      const drawn = (this.#cells[at] ?? "") + character;
      if (drawn.length <= COMBINED_CHARACTERS_MAX) this.#cells[at] = drawn;
      return;
    }
    this.#fill(this.#column);
    this.#cells[this.#column] = character;
    if (width === 2) this.#cells[this.#column + 1] = "";
    this.#column += width;
  }

  /** A line editor may draw the tab in a line with it. */
  #moveByTab(): void {
    const from = this.#column;
    this.#move(8 - (from % 8));
    for (let at = from; at < this.#column; at++) this.#cells[at] ??= " ";
  }

  #move(by: number): void {
    this.#column = Math.min(LINE_CHARACTERS_MAX, Math.max(0, this.#column + by));
    this.#fill(this.#column);
  }

  #fill(to: number): void {
    while (this.#cells.length < to) this.#cells.push(undefined);
  }

  #apply(sequence: string): void {
    const [, digits = "", final = ""] = /^\x1b\[([\d;]*)([@-~])$/u.exec(sequence) ?? [];
    const count = Number(digits.split(";")[0]) || 0;
    const isLine = final === "G" || final === "`";
    if (isLine) this.#move(Math.max(1, count) - 1 - this.#column);
    else if (final === "C") this.#move(Math.max(1, count));
    else if (final === "D") this.#move(-Math.max(1, count));
    else if (final === "K" || final === "J") this.#erase(final === "J" && count > 0 ? 2 : count);
    else if (final === "P") this.#cells.splice(this.#column, Math.max(1, count));
    else if (final === "H" || final === "f" || final === "A" || final === "B")
      this.#leave(final, Math.max(1, count));
  }

  #erase(kind: number): void {
    if (kind === 0) this.#cells.length = Math.min(this.#cells.length, this.#column);
    else if (kind === 2) this.#cells = Array.from({ length: this.#column }, () => undefined);
    else for (let at = 0; at <= this.#column && at < this.#cells.length; at++) this.#cells[at] = undefined;
  }

  /** The cursor goes to another row, of which nothing is known, or comes back. */
  #leave(final: string, by: number): void {
    if (this.#row === 0) this.#left = { cells: this.#cells, start: this.#start };
    this.#row = final === "A" ? this.#row - by : final === "B" ? this.#row + by : NaN;
    this.#cells = this.#row === 0 ? this.#left.cells : [];
    this.#start = this.#row === 0 ? this.#left.start : 0;
    this.#leaves += 1;
    if (final === "H" || final === "f") this.#column = 0;
  }
}

function join(cells: readonly CellText[]): string {
  return cells.map((cell) => cell ?? " ").join("");
}

/** Of characters that no terminal shows, each has a column here, as what is looked for may be among them. */
function measureCell(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < FIRST_WIDE || /\p{Cc}/u.test(character) ? 1 : measureWidth(character);
}

/** The length of the sequence at `at`; null while it is not whole. */
function sequenceLength(text: string, at: number): number | null {
  const rest = text.slice(at, at + SEQUENCE_CHARACTERS_MAX);
  const isWhole = rest.length === SEQUENCE_CHARACTERS_MAX;
  if (rest.length < 2) return null;
  if (rest[1] === "[") {
    const found = /^\x1b\[[0-?]*[ -/]*[@-~]/u.exec(rest);
    return found ? found[0].length : isWhole || /^\x1b\[[0-?]*[ -/]*[^ -~]/u.test(rest) ? 1 : null;
  }
  if (rest[1] === "]") {
    const found = /^\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/u.exec(rest);
    return found ? found[0].length : isWhole ? 1 : null;
  }
  return /[()*+#%]/.test(rest[1] ?? "") ? (rest.length < 3 ? null : 3) : 2;
}
