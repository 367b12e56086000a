/** What stands behind the prompt on the terminal, and may be a line that a person has begun. */
import type { CursorLine } from "./cursor-line.js";

/** A prompt at the right margin ends so many columns before it, or fewer: zsh keeps one free. */
const MARGIN_COLUMNS = 3;

export class StandingLine {
  readonly #line: CursorLine;
  readonly #columns: () => number;
  /** Where in the cursor's line the prompt ends. */
  #promptEnd = 0;
  /** The row changes of the cursor until the prompt. */
  #leavesBefore = 0;

  /** `columns`: the width of the terminal. */
  constructor(line: CursorLine, columns: () => number) {
    this.#line = line;
    this.#columns = columns;
  }

  /** Call at a prompt: the cursor stands behind its first `promptEnd` characters. */
  begin(promptEnd: number): void {
    this.#promptEnd = promptEnd;
    this.#leavesBefore = this.#line.leaves;
    this.#line.stayHere();
  }

  /**
   * Nothing stands there. A prompt at the right margin is no line: the cursor went there over columns that nobody has written. Where the
   * cursor is in another row, that of the prompt is hidden.
   */
  get isEmpty(): boolean {
    if (this.#line.isElsewhere) return false;
    const { near, far, farEnd } = this.#line.split(this.#promptEnd);
    if (near.trim() !== "") return false;
    const fromMargin = this.#columns() - farEnd;
    return far.trim() === "" || (fromMargin >= 0 && fromMargin <= MARGIN_COLUMNS);
  }

  /** Something may stand there that nobody has typed: text with the cursor behind it, or what was drawn in another row, as the field of a search. */
  get mayHoldText(): boolean {
    const isBehind = !this.isEmpty && this.#line.isCursorBehind(this.#promptEnd);
    return isBehind || this.#line.leaves > this.#leavesBefore;
  }
}
