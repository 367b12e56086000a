/** Collects the facts besides the picture: what the tool reports about itself, and what the kernel reports about its tty. */
import type { Clock } from "../../model/clock.js";
import type { Signals } from "../../sdk/view.js";
import { AnswerFilter } from "./answer-filter.js";
import type { StatusReport } from "./program-status.js";
import { ReaderWatch } from "./reader-watch.js";
import { StatusWatch } from "./status-watch.js";
import type { TerminalReaders } from "../process/facts/process-facts.js";
import type { TtySignals } from "../process/facts/tty-facts.js";
import { TtyWatch } from "./tty-watch.js";

export interface ToolSignalsOptions {
  readonly clock: Clock;
  readonly programStatus: string | null;
  readonly readTty: () => Promise<TtySignals>;
  readonly readers: () => TerminalReaders;
  /** The text at the bottom, and its position; null: its author need not be known. */
  readonly line: (() => string) | null;
  readonly shouldReadTty: () => boolean;
  readonly write: (bytes: Uint8Array) => void;
}

export class ToolSignals {
  readonly tty: TtyWatch;
  readonly #options: ToolSignalsOptions;
  readonly #readerWatch: ReaderWatch | null;
  readonly #status: StatusWatch | null;
  readonly #filter = new AnswerFilter();
  readonly #listeners: (() => void)[] = [];
  #unblockedAt = -Infinity;

  constructor(options: ToolSignalsOptions) {
    this.#options = options;
    const { clock, programStatus, readTty, readers, shouldReadTty } = options;
    const readerWatch = options.line && new ReaderWatch({ clock, line: options.line });
    this.#readerWatch = readerWatch;
    this.tty = new TtyWatch({ clock, read: readTty, readers, authors: readerWatch, isWanted: shouldReadTty });
    this.tty.onFacts(() => this.#notify());
    this.#status =
      programStatus === null
        ? null
        : new StatusWatch({
            app: programStatus,
            answer: (bytes) => this.#answer(bytes),
            onChange: (report) => this.#onReport(report),
          });
  }

  /** Calls `listener` when the facts have changed, even if the picture has not. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get current(): Signals {
    const declared = this.#status?.declared;
    return { ...this.tty.facts, ...(declared && { declared }) };
  }

  /** Ids of the processes that were proved to read when the facts of the tty were read; null where that was not proved. */
  get provenReaders(): readonly string[] | null {
    return this.tty.provenReaders;
  }

  /**
   * Whether a process waits for input, as the kernel reports now. If `proven` readers are given from when the prompt was raised,
   * one of them must still wait. Unknown facts do not count against it.
   */
  isRead(proven: readonly string[] | null): boolean {
    const { blocked, readers } = this.#options.readers();
    const isRead = blocked !== false && (proven === null || readers.some(({ id }) => proven.includes(id)));
    if (!isRead) this.tty.readAgain();
    return isRead;
  }

  /** Whether the tool has reported since this instant (monotonic ms) that it is not blocked. */
  hasMovedOnSince(instant: number): boolean {
    return this.#unblockedAt > instant;
  }

  /** Call before these bytes are forwarded: a query that we answer must be answered before the user's terminal can. */
  onForward(bytes: Uint8Array): void {
    this.#status?.onOutput(bytes);
  }

  onOutput(): void {
    this.tty.noteActivity();
  }

  /** Call when keys go to the tool, from anybody: the kernel may echo them. */
  onKeys(): void {
    this.#readerWatch?.onKeys();
  }

  /** Returns the host's input without the terminal's answer to a query that we have answered. */
  filterInput(chunk: Uint8Array): Uint8Array {
    return this.#filter.filter(chunk, this.#options.clock.monotonic());
  }

  stop(): void {
    this.tty.stop();
  }

  #onReport({ state }: StatusReport): void {
    if (state !== "blocked") this.#unblockedAt = this.#options.clock.monotonic();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #answer(bytes: Uint8Array): void {
    this.#filter.expect(this.#options.clock.monotonic());
    this.#options.write(bytes);
  }
}
