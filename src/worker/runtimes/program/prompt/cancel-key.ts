/**
 * Ctrl-C or Ctrl-D at the prompt: the program may begin a new line, end, delete a character, or ignore it. Until its reaction is seen, the
 * content of the line is unknown.
 */

/** A program that reads this long after the key, and has printed nothing, has ignored it. */
const READING_MS = 300;
/** The same if it is unknown whether it reads, because the machine may be busy. */
const UNSEEN_MS = 2000;

export class CancelKey {
  #at: number | null = null;
  #dropsLine = false;

  get isOpen(): boolean {
    return this.#at !== null;
  }

  /** `dropsLine`: the key discards the line, unless it is ignored. */
  note(now: number, dropsLine: boolean): void {
    this.#at = now;
    this.#dropsLine = dropsLine;
  }

  /** Whether the program waits for the next key. `outputAt`: the time of its last output. */
  isOver(now: number, outputAt: number, reading: boolean | undefined): boolean {
    if (this.#at === null || reading === false) return false;
    return now - Math.max(this.#at, outputAt) >= (reading ? READING_MS : UNSEEN_MS);
  }

  /** Call when the reaction was seen. Returns when the line was dropped, or null. `isEmpty`: the line is empty now. */
  end(isEmpty: boolean): number | null {
    const at = this.#dropsLine && isEmpty ? this.#at : null;
    this.#at = null;
    return at;
  }
}
