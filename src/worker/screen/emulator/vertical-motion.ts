/**
 * Whether output that moves the cursor up and down gives the same text on an emulator that began with it, in an empty window, as at a
 * terminal whose window held other lines above. The rows are the same once the output has cleared the window or scrolled it through.
 */
import type { IBuffer, Terminal } from "@xterm/headless";

type Parameters = readonly (number | readonly number[])[];

const WHOLE_WINDOW = 2;

export class VerticalMotion {
  readonly #terminal: Terminal;
  /** Rows of the window are those of the terminal. */
  #isAnchored = false;
  /** The cursor was sent to a row of the terminal that is not known here. */
  #isAddressed = false;
  #isCleared = false;
  #isLost = false;
  #wasResized = false;
  /** The last row of the window that the output has reached. */
  #lowest = 0;
  #savedRow: number | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    const { parser } = terminal;
    const onCsi = (final: string, look: (count: number) => void): void => {
      parser.registerCsiHandler({ final }, (parameters: Parameters) => {
        if (!this.#isElsewhere) this.#note(() => look(Number(parameters[0] ?? 0)));
        return false;
      });
    };
    const onEscape = (final: string, look: () => void): void => {
      parser.registerEscHandler({ final }, () => {
        if (!this.#isElsewhere) this.#note(look);
        return false;
      });
    };
    for (const final of ["A", "F"]) onCsi(final, (count) => this.#goUp(Math.max(1, count)));
    for (const final of ["B", "E", "e"]) onCsi(final, (count) => this.#goDown(Math.max(1, count)));
    for (const final of ["H", "f", "d", "r"]) onCsi(final, () => this.#address());
    for (const final of ["L", "M", "S", "T"]) onCsi(final, () => this.#shift());
    onCsi("J", (kind) => this.#erase(kind));
    onCsi("s", () => (this.#savedRow = this.#row));
    onCsi("u", () => this.#restore());
    onEscape("7", () => (this.#savedRow = this.#row));
    onEscape("8", () => this.#restore());
    onEscape("M", () => this.#goUp(1));
  }

  /** The text is what a person has seen. */
  get isKnown(): boolean {
    return !this.#isLost && !this.#isAddressed;
  }

  /** Call when lines have scrolled out of the window. */
  onScrolled(): void {
    if (!this.#wasResized) this.#isAnchored = true;
  }

  /** Call before the terminal gets another size. `splitsLine`: the line of the cursor takes more rows than one. */
  onResize(splitsLine: boolean): void {
    // Terminals differ in which rows they fill again.
    this.#wasResized = true;
    this.#isAnchored = false;
    this.#isLost ||= splitsLine;
  }

  get #buffer(): IBuffer {
    return this.#terminal.buffer.active;
  }

  get #row(): number {
    return this.#buffer.cursorY;
  }

  /** Drawings on the other screen disappear with it. */
  get #isElsewhere(): boolean {
    return this.#buffer.type === "alternate";
  }

  #note(look: () => void): void {
    if (this.#buffer.baseY > 0) this.onScrolled();
    this.#lowest = Math.max(this.#lowest, this.#row);
    look();
  }

  #goUp(count: number): void {
    if (this.#wasResized || (!this.#isAnchored && count > this.#row)) this.#isLost = true;
  }

  #goDown(count: number): void {
    if (!this.#isAnchored && this.#row + count > this.#lowest) this.#isLost = true;
  }

  #shift(): void {
    if (!this.#isAnchored) this.#isLost = true;
  }

  #address(): void {
    if (this.#isAnchored) return;
    if (this.#isCleared && this.#isBlank) this.#anchor();
    else this.#isAddressed = true;
  }

  #erase(kind: number): void {
    const isWhole = kind === WHOLE_WINDOW || (kind === 0 && this.#row === 0 && this.#buffer.cursorX === 0);
    if (!isWhole || this.#isAnchored) return;
    if (this.#isAddressed) this.#anchor();
    else this.#isCleared = kind === WHOLE_WINDOW;
  }

  #restore(): void {
    if (this.#isAnchored) return;
    if (this.#savedRow === null) this.#isAddressed = true;
    else if (this.#wasResized || this.#savedRow !== this.#row) this.#isLost = true;
  }

  /** No drawing into unknown rows is left. */
  #anchor(): void {
    this.#isAnchored = true;
    this.#isAddressed = this.#isCleared = this.#wasResized = false;
  }

  get #isBlank(): boolean {
    const { baseY } = this.#buffer;
    for (let y = 0; y < this.#terminal.rows; y++)
      if ((this.#buffer.getLine(baseY + y)?.translateToString(true) ?? "") !== "") return false;
    return true;
  }
}
