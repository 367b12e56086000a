/** Keeps what is known of the tool's tty while its output is quiet, and forgets it as soon as there is output. */
import type { Cancel, Clock } from "../../../model/clock.js";
import type { TtySignals } from "../../transport/tty-facts.js";

/** A question is followed by silence; a program that computes is rarely this quiet between two lines. */
export const TTY_QUIET_MS = 80;
/** Each reading starts a process: a tool that blinks must not cost one for every blink. */
export const TTY_READ_GAP_MS = 500;

export interface TtyWatchOptions {
  readonly clock: Clock;
  readonly read: () => Promise<TtySignals>;
  /** Facts are only worth a process when a rule could need them and the picture allows it. */
  readonly wanted: () => boolean;
  readonly onFacts: () => void;
}

export class TtyWatch {
  readonly #options: TtyWatchOptions;
  #facts: TtySignals = {};
  #generation = 0;
  #readAt = -Infinity;
  #cancel: Cancel = () => undefined;

  constructor(options: TtyWatchOptions) {
    this.#options = options;
  }

  /** What is known of the tty since the last output. */
  get facts(): TtySignals {
    return this.#facts;
  }

  /** The tool wrote, or was written to: what was known may be over. */
  disturbed(): void {
    this.#generation += 1;
    this.#facts = {};
    this.#cancel();
    const { clock } = this.#options;
    const wait = Math.max(TTY_QUIET_MS, this.#readAt + TTY_READ_GAP_MS - clock.monotonic());
    this.#cancel = clock.after(wait, () => void this.#read());
  }

  stop(): void {
    this.#generation += 1;
    this.#cancel();
  }

  async #read(): Promise<void> {
    if (!this.#options.wanted()) return;
    const generation = this.#generation;
    this.#readAt = this.#options.clock.monotonic();
    const facts = await this.#options.read();
    if (generation !== this.#generation) return;
    this.#facts = facts;
    this.#options.onFacts();
  }
}
