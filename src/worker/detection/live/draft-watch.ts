/**
 * A question on a line behind which somebody at the terminal types. Until the line is ended nothing is answered: with its beginning
 * behind it, it is the same question (ADR 3).
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals, View } from "../../../sdk/view.js";
import { commits } from "../keys.js";
import type { Pending } from "./tracker-state.js";

/** What ends a line for the kernel: Enter, ^J, and ^D, which hands over what was typed until then. */
export const LINE_ENDS: readonly string[] = ["\r", "\n", "\u0004"];

/** A question without anything behind it. */
interface Bare {
  readonly epoch: number;
  /** Its lines as drawn, the last one with the cursor, whatever rows they took. */
  readonly lines: readonly string[];
  /** Where on its line the cursor stood: blanks that somebody types are no text. */
  readonly column: number;
  readonly lineFeeds: number;
}

export class DraftWatch {
  #bare: Bare | null = null;
  #isTyped = false;
  /** As it was known last: each output makes it unknown for a moment. */
  #canonical: boolean | undefined;

  /** Must see every picture in which a question on a line stands raised. */
  see({ epoch, candidate }: Pending, view: View, { canonical }: Signals, lineFeeds: number): void {
    if (this.#bare?.epoch !== epoch) {
      const lines = linesFrom(view, candidate.region.top);
      this.#bare = { epoch, lines, column: columnOf(view), lineFeeds };
      this.#isTyped = false;
      this.#canonical = canonical;
    }
    this.#canonical = canonical ?? this.#canonical;
  }

  /**
   * Somebody typed at such a question. True where that may be its answer: the line was ended, or the tool takes single keys. Where it is
   * not known what the tool takes, a key is no proof of an answer.
   */
  typed(input: Uint8Array): boolean {
    this.#isTyped = this.#canonical !== false;
    return !this.#isTyped || commits(input, LINE_ENDS);
  }

  /** The raised question with what was typed behind it; null where the picture shows anything else. */
  find(
    { epoch, candidate }: Pending,
    view: View,
    { blockedOnRead }: Signals,
    lineFeeds: number,
  ): Candidate | null {
    const bare = this.#bare;
    // A program that computes has gone on; line feeds end the line, or are output.
    if (!this.#isTyped || bare?.epoch !== epoch || bare.lineFeeds !== lineFeeds || blockedOnRead === false)
      return null;
    const isBehind = columnOf(view) > bare.column && isLast(view);
    return isBehind && isBegun(bare.lines, linesFrom(view, 0)) ? { ...candidate, hasDraft: true } : null;
  }
}

/** Other rows may have scrolled away above it. */
function isBegun(bare: readonly string[], now: readonly string[]): boolean {
  const [asked, line] = [bare.at(-1), now.at(-1)];
  if (asked === undefined || line === undefined || !line.startsWith(asked)) return false;
  const [before, above] = [bare.slice(0, -1), now.slice(0, -1)];
  const count = Math.min(before.length, above.length);
  return before.slice(before.length - count).every((text, at) => text === above[above.length - count + at]);
}

/** Of the cursor on its line, over all rows that the terminal wrapped. */
function columnOf({ lines, cursor, cols }: View): number {
  const top = lines.findLastIndex(({ wrapped }, at) => at <= cursor.y && !wrapped);
  return (cursor.y - Math.max(0, top)) * cols + cursor.x;
}

function isLast({ lines, cursor }: View): boolean {
  return lines.slice(cursor.y + 1).every(({ text, wrapped }) => wrapped || text === "");
}

/** The lines from this row to the cursor's, rows that the terminal wrapped joined. */
function linesFrom({ lines, cursor }: View, row: number): readonly string[] {
  const joined: string[] = [];
  const top = lines.findLastIndex(({ wrapped }, at) => at <= row && !wrapped);
  for (const { text, wrapped } of lines.slice(Math.max(0, top), cursor.y + 1))
    if (wrapped && joined.length > 0) joined.push((joined.pop() ?? "") + text);
    else joined.push(text);
  return joined;
}
