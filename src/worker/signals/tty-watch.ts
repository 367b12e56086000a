/** Keeps the facts about the tool's tty while its output is quiet, and discards them as soon as there is output. */
import type { Cancel, Clock } from "../../model/clock.js";
import type { Signals } from "../../sdk/view.js";
import type { TerminalReaders } from "../process/facts/process-facts.js";
import type { TtySignals } from "../process/facts/tty-facts.js";
import type { ReaderWatch } from "./reader-watch.js";

/** A prompt is followed by silence; a program that computes is rarely this quiet between two lines. */
export const TTY_QUIET_MS = 80;
/** Each reading starts a process: a blinking tool must not cause one for every blink. */
export const TTY_READ_GAP_MS = 500;
/** A program may prompt long before it reads. While it does something else, each look comes after twice the previous delay, up to this. */
export const TTY_LOOK_AGAIN_MAX_MS = 4000;

const NOT_KNOWN_YET: Pick<Signals, "ttyDue"> = { ttyDue: true };

export interface TtyWatchOptions {
  readonly clock: Clock;
  readonly read: () => Promise<TtySignals>;
  /** Reading starts a process. That is only worth it when a rule could need the facts and the picture allows it. */
  readonly isWanted: () => boolean;
  /** Finds the processes that wait for input now. */
  readonly readers: () => TerminalReaders;
  /** Null: the process that reads is assumed to have written the line at the bottom. */
  readonly authors: ReaderWatch | null;
}

export class TtyWatch {
  readonly #options: TtyWatchOptions;
  #facts: TtySignals & Pick<Signals, "ttyDue"> = {};
  /** The processes that waited when the facts were read; null while unknown. */
  #readers: TerminalReaders | null = null;
  #generation = 0;
  #readAt = -Infinity;
  #lookAgainMs = TTY_READ_GAP_MS;
  #due = Infinity;
  /** When the timer fires: at `due`, or before it, because each piece of a flood only moves `due`. */
  #firesAt = Infinity;
  #cancel: Cancel = () => undefined;
  readonly #listeners: (() => void)[] = [];

  constructor(options: TtyWatchOptions) {
    this.#options = options;
  }

  onFacts(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The facts about the tty since the last output; `ttyDue` until they are known. */
  get facts(): TtySignals & Pick<Signals, "ttyDue"> {
    return this.#facts;
  }

  /** Ids of the processes that were proved to read when the facts were read; null where that was not proved. */
  get provenReaders(): readonly string[] | null {
    return this.#readers?.blocked === true ? this.#readers.readers.map(({ id }) => id) : null;
  }

  /** Whether it is known which processes wait for input: the facts have been read since the last output. */
  get knowsReaders(): boolean {
    return this.#readers !== null;
  }

  /** Whether the processes that waited when the facts were read still do; false also while that is unknown. */
  areReadersUnchanged(): boolean {
    return this.#readers !== null && isSameReading(this.#readers, this.#options.readers());
  }

  /** Call when the facts may be wrong though there was no output. */
  readAgain(): void {
    this.#scheduleRead(this.#options.clock.monotonic());
  }

  /** Call when the tool wrote, or was written to: the facts may be outdated. */
  noteActivity(): void {
    this.#generation += 1;
    // The tool's own drawing does not change what its command waits for in another terminal; a spinner would hide it forever.
    const { readsInside } = this.#facts;
    this.#facts = { ...NOT_KNOWN_YET, ...(readsInside !== undefined && { readsInside }) };
    this.#readers = null;
    this.#options.authors?.onOutput();
    this.#lookAgainMs = TTY_READ_GAP_MS;
    this.#scheduleRead(
      Math.max(this.#options.clock.monotonic() + TTY_QUIET_MS, this.#readAt + TTY_READ_GAP_MS),
    );
  }

  stop(): void {
    this.#generation += 1;
    this.#due = this.#firesAt = Infinity;
    this.#cancel();
  }

  #scheduleRead(due: number): void {
    this.#due = due;
    if (this.#firesAt <= due) return;
    this.#cancel();
    this.#firesAt = due;
    this.#cancel = this.#options.clock.after(due - this.#options.clock.monotonic(), () => this.#onTimer());
  }

  #onTimer(): void {
    this.#firesAt = Infinity;
    if (this.#options.clock.monotonic() < this.#due) this.#scheduleRead(this.#due);
    else void this.#read();
  }

  async #read(): Promise<void> {
    const { isWanted, clock, read } = this.#options;
    const generation = this.#generation;
    this.#readAt = clock.monotonic();
    // Read before the facts: output that is not here by the time they are known was written later.
    const readers = this.#options.readers();
    const mustRead = isWanted();
    const known = mustRead ? await read() : {};
    if (generation !== this.#generation) return;
    if (!mustRead) this.#options.authors?.forget();
    const facts = this.#isForeign(known, readers) ? { ...known, blockedOnRead: false } : known;
    this.#facts = facts;
    this.#readers = readers;
    if (facts.blockedOnRead === false) this.#scheduleRetry();
    for (const listener of this.#listeners) listener();
  }

  /** Whether the readers have not written the line at the bottom: then it proves no prompt. */
  #isForeign({ blockedOnRead }: TtySignals, readers: TerminalReaders): boolean {
    const { authors, isWanted } = this.#options;
    if (authors === null || !isWanted()) return false;
    return readers.blocked === blockedOnRead ? authors.judge(readers) : authors.isForeign;
  }

  #scheduleRetry(): void {
    this.#scheduleRead(this.#options.clock.monotonic() + this.#lookAgainMs);
    this.#lookAgainMs = Math.min(this.#lookAgainMs * 2, TTY_LOOK_AGAIN_MAX_MS);
  }
}

/** For processes that may be waiting for another event, no change can be detected. */
function isSameReading(before: TerminalReaders, now: TerminalReaders): boolean {
  if (before.blocked !== now.blocked) return false;
  const ids = new Set(now.readers.map(({ id }) => id));
  return before.blocked !== true || before.readers.some(({ id }) => ids.has(id));
}
