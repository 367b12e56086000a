/**
 * The line in which a program's output ends, as a person sees it, without text that was drawn over. Prompts are searched in it. Invisible
 * control characters are kept, because they may mark a prompt.
 */
import { measureWidth } from "../../../screen/widths.js";

const LINE_CHARACTERS_MAX = 4096;
const ESC = "\x1b";
const SEQUENCE_CHARACTERS_MAX = 256;
const COMBINED_CHARACTERS_MAX = 16;
/** The first combining accent. Characters below it have one column. */
const FIRST_WIDE = 0x300;
/** The text in a column; undefined if the cursor only passed over it. */
type CellText = string | undefined;

export class CursorLine {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #cells: CellText[] = [];
  column = 0;
  #start = 0;
  #carry = "";
  /** How often the cursor has moved to another row. */
  leaves = 0;
  /** The number of rows from the line down to the cursor; NaN if unknown. */
  #row = 0;
  /** The line, while the cursor is in another row. */
  #left: { readonly cells: CellText[]; readonly start: number } = { cells: [], start: 0 };

  constructor(encoding = "utf-8") {
    this.#decoder = new TextDecoder(encoding);
  }

  push(bytes: Uint8Array): void {
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

  cut(): void {
    this.#cells = [];
    this.column = this.#start = this.#row = 0;
  }

  /** Begins the line in the middle of a row: the columns keep their numbers. */
  startHere(): void {
    this.#start = this.column;
    this.stayHere();
  }

  /** Declares the cursor's row to be that of the line. */
  stayHere(): void {
    this.#row = 0;
  }

  get isElsewhere(): boolean {
    return this.#row !== 0;
  }

  isCursorBehind(length: number): boolean {
    return this.column > this.#start + length;
  }

  get text(): string {
    return join(this.#cells.slice(this.#start));
  }

  /**
   * Splits the text behind the first `length` characters: `near` ends at the cursor or where the written text ends, `far` is the rest, and
   * `farEnd` is its last column.
   */
  split(length: number): { readonly near: string; readonly far: string; readonly farEnd: number } {
    const cells = Array.from(this.#cells);
    const written = cells.findIndex((cell, at) => at >= this.column && cell === undefined);
    const end = written < 0 ? cells.length : Math.max(written, this.#start);
    const near = join(cells.slice(this.#start, end)).slice(length);
    const last = cells.findLastIndex((cell) => cell !== undefined && cell !== " ");
    return { near, far: join(cells.slice(end)), farEnd: last + 1 };
  }

  #put(character: string): void {
    if (character === "\n") {
      this.cut();
      this.leaves += 1;
    } else if (character === "\r") this.column = 0;
    else if (character === "\b") this.column = Math.max(0, this.column - 1);
    else if (character === "\t") this.#moveByTab();
    else if (character !== "\x07" && character !== "\0") this.#write(character);
  }

  #write(character: string): void {
    if (this.column >= LINE_CHARACTERS_MAX) return;
    const width = measureCell(character);
    if (width === 0) {
      const at = Math.max(0, this.column - 1);
      const drawn = (this.#cells[at] ?? "") + character;
      if (drawn.length <= COMBINED_CHARACTERS_MAX) this.#cells[at] = drawn;
      return;
    }
    this.#fill(this.column);
    this.#cells[this.column] = character;
    if (width === 2) this.#cells[this.column + 1] = "";
    this.column += width;
  }

  /** A line editor may draw a tab of the line with it. */
  #moveByTab(): void {
    const from = this.column;
    this.#move(8 - (from % 8));
    for (let at = from; at < this.column; at++) this.#cells[at] ??= " ";
  }

  #move(by: number): void {
    this.column = Math.min(LINE_CHARACTERS_MAX, Math.max(0, this.column + by));
    this.#fill(this.column);
  }

  #fill(to: number): void {
    while (this.#cells.length < to) this.#cells.push(undefined);
  }

  #apply(sequence: string): void {
    const [, digits = "", final = ""] = /^\x1b\[([\d;]*)([@-~])$/u.exec(sequence) ?? [];
    const count = Number(digits.split(";")[0]) || 0;
    const isLine = final === "G" || final === "`";
    if (isLine) this.#move(Math.max(1, count) - 1 - this.column);
    else if (final === "C") this.#move(Math.max(1, count));
    else if (final === "D") this.#move(-Math.max(1, count));
    else if (final === "K" || final === "J") this.#erase(final === "J" && count > 0 ? 2 : count);
    else if (final === "P") this.#cells.splice(this.column, Math.max(1, count));
    else if (final === "H" || final === "f" || final === "A" || final === "B")
      this.#leave(final, Math.max(1, count));
  }

  #erase(kind: number): void {
    if (kind === 0) this.#cells.length = Math.min(this.#cells.length, this.column);
    else if (kind === 2) this.#cells = Array.from({ length: this.column }, () => undefined);
    else for (let at = 0; at <= this.column && at < this.#cells.length; at++) this.#cells[at] = undefined;
  }

  /** Moves the cursor to another row, whose content is unknown, or back. */
  #leave(final: string, by: number): void {
    if (this.#row === 0) this.#left = { cells: this.#cells, start: this.#start };
    this.#row = final === "A" ? this.#row - by : final === "B" ? this.#row + by : NaN;
    this.#cells = this.#row === 0 ? this.#left.cells : [];
    this.#start = this.#row === 0 ? this.#left.start : 0;
    this.leaves += 1;
    if (final === "H" || final === "f") this.column = 0;
  }
}

function join(cells: readonly CellText[]): string {
  return cells.map((cell) => cell ?? " ").join("");
}

/** Gives control characters a column, because prompts may be marked with them. */
function measureCell(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < FIRST_WIDE || /\p{Cc}/u.test(character) ? 1 : measureWidth(character);
}

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
