/**
 * Follows a line prompt while somebody at the terminal types behind it. Until the line is ended it stays the same, unanswered prompt
 * (ADR 3).
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals, View } from "../../../sdk/view.js";
import { hasCommittingKey, splitKeys } from "../keys.js";
import { findLastDrawn, toPage, type Page } from "../layout/layout.js";
import type { Pending } from "./tracker-state.js";

/** Keys that end a line for the kernel: Enter, ^J, and ^D, which submits the line so far. */
export const LINE_ENDS: readonly string[] = ["\r", "\n", "\u0004"];

/** ^U and ^C drop the line that was begun. */
const LINE_OVER: readonly string[] = [...LINE_ENDS, "\u0015", "\u0003"];

/** A line prompt before anything is typed behind it. */
interface EmptyLine {
  readonly epoch: number;
  /** Its lines as drawn, wrapped rows joined; the last one holds the cursor. */
  readonly lines: readonly string[];
  /** The cursor's column in that line. Typed blanks move the cursor but are trimmed from the text. */
  readonly column: number;
  readonly lineFeeds: number;
}

export class DraftWatch {
  #bare: EmptyLine | null = null;
  #isTyped = false;
  /** The last known mode; it is unknown for a moment after each output. */
  #canonical: boolean | undefined;
  /** Characters of a line that was begun and not ended: the terminal gives them to the next program that reads a line. */
  #begun = 0;

  /** Must be called with every view in which a line prompt is raised. */
  update({ epoch, candidate }: Pending, view: View, { canonical }: Signals, lineFeeds: number): void {
    if (this.#bare?.epoch !== epoch) {
      const page = toPage(view);
      const lines = readLinesFrom(page, candidate.region.top);
      this.#bare = { epoch, lines, column: page.cursor.column, lineFeeds };
      this.#isTyped = false;
    }
    this.#canonical = canonical ?? this.#canonical;
  }

  /** Call with all that is typed at the terminal, and its mode then if that can be read, whether or not anything is asked. */
  noteKeys(input: Uint8Array, canonical = this.#canonical): void {
    for (const key of splitKeys(Buffer.from(input).toString("utf8"))) {
      if (LINE_OVER.includes(key)) this.#begun = 0;
      else if (key === "\u007f" || key === "\b") this.#begun = Math.max(0, this.#begun - 1);
      else if (canonical === true) this.#begun += 1;
    }
  }

  /** Whether the next answer would be joined with what somebody has typed before anything was asked. Call at each detection. */
  hasBegun({ canonical }: Signals): boolean {
    this.#canonical = canonical ?? this.#canonical;
    // A program that reads single keys has received the line so far.
    if (canonical === false) this.#begun = 0;
    return this.#begun > 0;
  }

  /**
   * Call when somebody typed at a line prompt. True where the input may be an answer: it ends the line, or the tool takes single keys.
   * While the mode is unknown, a single key counts as a draft.
   */
  onTyped(input: Uint8Array): boolean {
    this.#isTyped = this.#canonical !== false;
    return !this.#isTyped || hasCommittingKey(input, LINE_ENDS);
  }

  findDraft(
    { epoch, candidate }: Pending,
    view: View,
    { blockedOnRead }: Signals,
    lineFeeds: number,
  ): Candidate | null {
    const bare = this.#bare;
    // The program no longer reads, or line feeds have ended the line.
    if (!this.#isTyped || bare?.epoch !== epoch || bare.lineFeeds !== lineFeeds || blockedOnRead === false)
      return null;
    const page = toPage(view);
    const { row, column } = page.cursor;
    const isBehind = column > bare.column && findLastDrawn(page) <= row;
    const isDraft = isBehind && isSameStart(bare.lines, readLinesFrom(page, 0));
    return isDraft ? { ...candidate, hasDraft: true } : null;
  }
}

/** Whether the line still begins as it did, below the same rows; the topmost may have scrolled away. */
function isSameStart(bare: readonly string[], now: readonly string[]): boolean {
  const [prompt, line] = [bare.at(-1), now.at(-1)];
  if (prompt === undefined || line === undefined || !line.startsWith(prompt)) return false;
  const [before, above] = [bare.slice(0, -1), now.slice(0, -1)];
  const count = Math.min(before.length, above.length);
  return before.slice(before.length - count).every((text, at) => text === above[above.length - count + at]);
}

function readLinesFrom({ rows, cursor }: Page, top: number): readonly string[] {
  return rows.slice(0, cursor.row + 1).flatMap(({ text, last }) => (last >= top ? [text] : []));
}
