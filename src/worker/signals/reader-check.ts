/** While a prompt on a line is open, checks that the process that asked still reads, because it may stop and draw nothing. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { TtyWatch } from "./tty-watch.js";

/** A check starts no process. */
export const READER_CHECK_MS = 1000;
/** A reader that is interrupted for a moment (by a signal or a timer) continues reading. */
export const READER_RETURNS_MS = 100;

export interface ReaderCheckOptions {
  readonly clock: Clock;
  readonly tty: Pick<TtyWatch, "facts" | "onFacts" | "knowsReaders" | "areReadersUnchanged" | "readAgain">;
  readonly hasPrompt: () => boolean;
}

export class ReaderCheck {
  readonly #options: ReaderCheckOptions;
  #cancel: Cancel = () => undefined;

  constructor(options: ReaderCheckOptions) {
    this.#options = options;
    options.tty.onFacts(() => {
      // Where no process reads, the tty itself is read again.
      if (options.tty.facts.blockedOnRead !== false) this.start();
    });
  }

  /** Call when a prompt is raised. */
  start(): void {
    this.#checkAfter(READER_CHECK_MS, false);
  }

  /** Call with every output of the tool: which process reads is unknown until the facts have been read again. */
  stop(): void {
    this.#cancel();
  }

  #checkAfter(ms: number, hasChanged: boolean): void {
    const { clock, tty, hasPrompt } = this.#options;
    this.#cancel();
    if (!tty.knowsReaders || !hasPrompt()) return;
    this.#cancel = clock.after(ms, () => {
      if (!tty.knowsReaders || !hasPrompt()) return;
      if (tty.areReadersUnchanged()) this.start();
      else if (hasChanged) tty.readAgain();
      else this.#checkAfter(READER_RETURNS_MS, true);
    });
  }
}
