/**
 * Ctrl-C or Ctrl-D at the prompt: a shell begins a new line by it, ends, deletes one character, or does nothing at all. Until it shows
 * which of them it did, nobody knows what stands in the line.
 */

/** A program that reads again so long after the key, and has printed nothing, is still where it was. */
const READING_MS = 300;
/** The same where it is not seen whether it reads: a busy machine must not pass for a program that does nothing. */
const UNSEEN_MS = 2000;

export class LineBreak {
  #at: number | null = null;
  #dropsLine = false;

  /** The key was pressed, and it has not shown yet what the program makes of it. */
  get isOpen(): boolean {
    return this.#at !== null;
  }

  /** `dropsLine`: what stood in the line is gone, if the program does anything. `now`: on the monotonic clock. */
  note(now: number, dropsLine: boolean): void {
    this.#at = now;
    this.#dropsLine = dropsLine;
  }

  /** Whether the program waits for the next key. `reading`: see `PromptWatchOptions`. `outputAt`: of its last output. */
  isOver(now: number, outputAt: number, reading: boolean | undefined): boolean {
    if (this.#at === null || reading === false) return false;
    return now - Math.max(this.#at, outputAt) >= (reading ? READING_MS : UNSEEN_MS);
  }

  /** Call when that has shown. Returns when the line was dropped, or null. `isEmpty`: nothing stands in the line now. */
  end(isEmpty: boolean): number | null {
    const at = this.#dropsLine && isEmpty ? this.#at : null;
    this.#at = null;
    return at;
  }
}
