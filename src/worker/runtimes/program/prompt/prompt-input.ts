import type { CursorLine } from "./cursor-line.js";

/** How far a prompt at the right margin may end before it: zsh leaves one column free. */
const MARGIN_COLUMNS = 3;

export class PromptInput {
  readonly #line: CursorLine;
  readonly #columns: () => number;
  #promptEnd = 0;
  #leavesBefore = 0;

  constructor(line: CursorLine, columns: () => number) {
    this.#line = line;
    this.#columns = columns;
  }

  begin(promptEnd: number): void {
    this.#promptEnd = promptEnd;
    this.#leavesBefore = this.#line.leaves;
    this.#line.stayHere();
  }

  /**
   * A prompt at the right margin does not count, because unwritten columns precede it. False while the cursor is in another row, because
   * the line is hidden.
   */
  get isEmpty(): boolean {
    if (this.#line.isElsewhere) return false;
    const { near, far, farEnd } = this.#line.split(this.#promptEnd);
    if (near.trim() !== "") return false;
    const fromMargin = this.#columns() - farEnd;
    return far.trim() === "" || (fromMargin >= 0 && fromMargin <= MARGIN_COLUMNS);
  }

  /** There may be text that nobody has typed: before the cursor, or in another row, such as a search field. */
  get mayHoldText(): boolean {
    const isBehind = !this.isEmpty && this.#line.isCursorBehind(this.#promptEnd);
    return isBehind || this.#line.leaves > this.#leavesBefore;
  }
}
