/** Keeps what is known of the tool's tty while its output is quiet, and forgets it as soon as there is output. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { Signals } from "../../sdk/view.js";
import type { TerminalReaders } from "../process/process-facts.js";
import type { TtySignals } from "../process/tty-facts.js";
import type { ReaderWatch } from "./reader-watch.js";

/** A question is followed by silence; a program that computes is rarely this quiet between two lines. */
export const TTY_QUIET_MS = 80;
/** Each reading starts a process: a tool that blinks must not cost one for every blink. */
export const TTY_READ_GAP_MS = 500;
/** A program may ask long before it reads. While it does something else each look is twice as far off as the last, up to this. */
export const TTY_LOOK_AGAIN_MAX_MS = 4000;

const NOT_KNOWN_YET: Pick<Signals, "ttyDue"> = { ttyDue: true };

export interface TtyWatchOptions {
  readonly clock: Clock;
  readonly read: () => Promise<TtySignals>;
  /** Facts are only worth a process when a rule could need them and the picture allows it. */
  readonly wanted: () => boolean;
  /** Who waits for what is typed, now. */
  readonly readers: () => TerminalReaders;
  /** Null: whoever reads is taken for the one that wrote what stands there. */
  readonly authors: ReaderWatch | null;
}

export class TtyWatch {
  readonly #options: TtyWatchOptions;
  #facts: TtySignals & Pick<Signals, "ttyDue"> = {};
  /** Who waited when the facts were read; null while they are not known. */
  #readers: TerminalReaders | null = null;
  #generation = 0;
  #readAt = -Infinity;
  #lookAgainMs = TTY_READ_GAP_MS;
  #due = Infinity;
  /** When the timer fires: at `due`, or before it, as each piece of a flood only moves `due`. */
  #firesAt = Infinity;
  #cancel: Cancel = () => undefined;
  readonly #listeners: (() => void)[] = [];

  constructor(options: TtyWatchOptions) {
    this.#options = options;
  }

  /** `listener` is called whenever the facts have been read. */
  onFacts(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** What is known of the tty since the last output; `ttyDue` until that is known. */
  get facts(): TtySignals & Pick<Signals, "ttyDue"> {
    return this.#facts;
  }

  /** Ids of the processes that are proved to have read when the facts were read; null where that was not proved. */
  get provenReaders(): readonly string[] | null {
    return this.#readers?.blocked === true ? this.#readers.readers.map(({ id }) => id) : null;
  }

  /** Who waits for what is typed is known: the facts have been read since the last output. */
  get knowsReaders(): boolean {
    return this.#readers !== null;
  }

  /** Those who waited when the facts were read do so still; false also while that is not known. */
  areReadersUnchanged(): boolean {
    return this.#readers !== null && isSameReading(this.#readers, this.#options.readers());
  }

  /** What is known may be wrong though there was no output. */
  readAgain(): void {
    this.#lookAt(this.#options.clock.monotonic());
  }

  /** The tool wrote, or was written to: what was known may be over. */
  disturbed(): void {
    this.#generation += 1;
    // What the tool draws changes nothing of what its command waits for in another terminal; a spinner would hide it for ever.
    const { readsInside } = this.#facts;
    this.#facts = { ...NOT_KNOWN_YET, ...(readsInside !== undefined && { readsInside }) };
    this.#readers = null;
    this.#options.authors?.onOutput();
    this.#lookAgainMs = TTY_READ_GAP_MS;
    this.#lookAt(Math.max(this.#options.clock.monotonic() + TTY_QUIET_MS, this.#readAt + TTY_READ_GAP_MS));
  }

  stop(): void {
    this.#generation += 1;
    this.#due = this.#firesAt = Infinity;
    this.#cancel();
  }

  #lookAt(due: number): void {
    this.#due = due;
    if (this.#firesAt <= due) return;
    this.#cancel();
    this.#firesAt = due;
    this.#cancel = this.#options.clock.after(due - this.#options.clock.monotonic(), () => this.#onTimer());
  }

  #onTimer(): void {
    this.#firesAt = Infinity;
    if (this.#options.clock.monotonic() < this.#due) this.#lookAt(this.#due);
    else void this.#read();
  }

  async #read(): Promise<void> {
    const { wanted, clock, read } = this.#options;
    const generation = this.#generation;
    this.#readAt = clock.monotonic();
    // Before the facts: whatever is not here by the time they are known, was written later.
    const readers = this.#options.readers();
    const isWanted = wanted();
    const known = isWanted ? await read() : {};
    if (generation !== this.#generation) return;
    if (!isWanted) this.#options.authors?.forget();
    const facts = this.#isForeign(known, readers) ? { ...known, blockedOnRead: false } : known;
    this.#facts = facts;
    this.#readers = readers;
    if (facts.blockedOnRead === false) this.#lookAgain();
    for (const listener of this.#listeners) listener();
  }

  /** The line at the bottom is not of those who read: it is no proof of a question. */
  #isForeign({ blockedOnRead }: TtySignals, readers: TerminalReaders): boolean {
    const { authors, wanted } = this.#options;
    if (authors === null || !wanted()) return false;
    return readers.blocked === blockedOnRead ? authors.judge(readers) : authors.isForeign;
  }

  #lookAgain(): void {
    this.#lookAt(this.#options.clock.monotonic() + this.#lookAgainMs);
    this.#lookAgainMs = Math.min(this.#lookAgainMs * 2, TTY_LOOK_AGAIN_MAX_MS);
  }
}

/** Of those who may only be waiting for something else, nothing is known that could change. */
function isSameReading(before: TerminalReaders, now: TerminalReaders): boolean {
  if (before.blocked !== now.blocked) return false;
  const ids = new Set(now.readers.map(({ id }) => id));
  return before.blocked !== true || before.readers.some(({ id }) => ids.has(id));
}
