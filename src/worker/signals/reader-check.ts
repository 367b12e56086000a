/** While a question on a line is raised: checks that whoever asked still reads, for it may stop and draw nothing. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { TtyWatch } from "./tty-watch.js";

/** Such a check starts no process. */
export const READER_CHECK_MS = 1000;
/** A reader that is disturbed for a moment (a signal, a timer) reads on. */
export const READER_RETURNS_MS = 100;

export interface ReaderCheckOptions {
  readonly clock: Clock;
  readonly tty: Pick<TtyWatch, "facts" | "onFacts" | "knowsReaders" | "areReadersUnchanged" | "readAgain">;
  /** A question on a line is raised. */
  readonly isAsked: () => boolean;
}

export class ReaderCheck {
  readonly #options: ReaderCheckOptions;
  #cancel: Cancel = () => undefined;

  constructor(options: ReaderCheckOptions) {
    this.#options = options;
    options.tty.onFacts(() => {
      // Where nobody reads, the tty itself is read again.
      if (options.tty.facts.blockedOnRead !== false) this.start();
    });
  }

  /** Call when a question is raised. */
  start(): void {
    this.#checkAfter(READER_CHECK_MS, false);
  }

  /** Call with every output of the tool: who reads is not known until the facts have been read anew. */
  stop(): void {
    this.#cancel();
  }

  #checkAfter(ms: number, hasChanged: boolean): void {
    const { clock, tty, isAsked } = this.#options;
    this.#cancel();
    if (!tty.knowsReaders || !isAsked()) return;
    this.#cancel = clock.after(ms, () => {
      if (!tty.knowsReaders || !isAsked()) return;
      if (tty.areReadersUnchanged()) this.start();
      else if (hasChanged) tty.readAgain();
      else this.#checkAfter(READER_RETURNS_MS, true);
    });
  }
}
