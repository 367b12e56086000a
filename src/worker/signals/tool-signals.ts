/** The facts besides the picture, from wherever they come: what the tool says of itself, and what the kernel says of its tty. */
import type { Clock } from "../../model/clock.js";
import type { Signals } from "../../sdk/view.js";
import { AnswerFilter } from "./answer-filter.js";
import type { StatusReport } from "./program-status.js";
import { ReaderWatch } from "./reader-watch.js";
import { StatusWatch } from "./status-watch.js";
import type { TerminalReaders } from "../process/process-facts.js";
import type { TtySignals } from "../process/tty-facts.js";
import { TtyWatch } from "./tty-watch.js";

export interface ToolSignalsOptions {
  readonly clock: Clock;
  /** The name under which the tool reports its state; null: it does not. */
  readonly programStatus: string | null;
  readonly readTty: () => Promise<TtySignals>;
  /** Who waits for what is typed, now. */
  readonly readers: () => TerminalReaders;
  /** What stands at the bottom, and how far down; null: nobody needs to know whose it is. */
  readonly line: (() => string) | null;
  /** Facts of the tty are only worth a process when a rule could need them and the picture allows it. */
  readonly ttyWanted: () => boolean;
  /** Writes to the tool, at once. */
  readonly write: (bytes: Uint8Array) => void;
}

export class ToolSignals {
  readonly tty: TtyWatch;
  readonly #options: ToolSignalsOptions;
  readonly #authors: ReaderWatch | null;
  readonly #status: StatusWatch | null;
  readonly #filter = new AnswerFilter();
  readonly #listeners: (() => void)[] = [];
  #unblockedAt = -Infinity;

  constructor(options: ToolSignalsOptions) {
    this.#options = options;
    const { clock, programStatus, readTty, readers, ttyWanted } = options;
    const authors = options.line && new ReaderWatch({ clock, line: options.line });
    this.#authors = authors;
    this.tty = new TtyWatch({ clock, read: readTty, readers, authors, wanted: ttyWanted });
    this.tty.onFacts(() => this.#tellNews());
    this.#status =
      programStatus === null
        ? null
        : new StatusWatch({
            app: programStatus,
            answer: (bytes) => this.#answer(bytes),
            onChange: (report) => this.#reported(report),
          });
  }

  /** `listener` is called when the facts have changed, though the picture need not have. */
  onNews(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get now(): Signals {
    const declared = this.#status?.declared;
    return { ...this.tty.facts, ...(declared && { declared }) };
  }

  /** Ids of those who were proved to read when the facts of the tty were read; null where that was not proved. */
  get provenReaders(): readonly string[] | null {
    return this.tty.provenReaders;
  }

  /**
   * Whether somebody waits for what is typed, as the kernel says in this moment, and, where they were `proven` when the question was
   * raised, whether one of them still does. What is not known speaks against nothing.
   */
  isRead(proven: readonly string[] | null): boolean {
    const { blocked, readers } = this.#options.readers();
    const isRead = blocked !== false && (proven === null || readers.some(({ id }) => proven.includes(id)));
    if (!isRead) this.tty.readAgain();
    return isRead;
  }

  /** The tool said since this instant (monotonic ms) that it waits for nobody. */
  movedOnSince(instant: number): boolean {
    return this.#unblockedAt > instant;
  }

  /** Call before the chunk is passed on. */
  onOutput(chunk: Uint8Array): void {
    this.#status?.see(chunk);
    this.tty.disturbed();
  }

  /** Keys go to the tool, of whomever: the kernel may show them. */
  onKeys(): void {
    this.#authors?.onKeys();
  }

  /** Input of the host without the terminal's answer to a question that we have answered. */
  filterInput(chunk: Uint8Array): Uint8Array {
    return this.#filter.pass(chunk, this.#options.clock.monotonic());
  }

  stop(): void {
    this.tty.stop();
  }

  #reported({ state }: StatusReport): void {
    if (state !== "blocked") this.#unblockedAt = this.#options.clock.monotonic();
    this.#tellNews();
  }

  #tellNews(): void {
    for (const listener of this.#listeners) listener();
  }

  #answer(bytes: Uint8Array): void {
    this.#filter.expect(this.#options.clock.monotonic());
    this.#options.write(bytes);
  }
}
