/**
 * Whose the line is that stands at the bottom. Whoever waits for what is typed must have written it: what another process wrote there
 * while all readers slept is no question of theirs, and its answer would reach whoever reads.
 */
import type { Clock } from "../../model/clock.js";
import type { TerminalReader, TerminalReaders } from "../process/process-facts.js";

/** The kernel shows at once what is typed; on a loaded machine it takes a moment until we read that. */
export const ECHO_WITHIN_MS = 300;

/** More have not written at one terminal; beyond it all is learned anew. */
const WRITERS_MAX = 256;

export interface ReaderWatchOptions {
  readonly clock: Clock;
  /** What stands at the bottom, and how far down: equal as long as what is drawn elsewhere changes neither. */
  readonly line: () => string;
}

type Heard = "nothing" | "echo" | "output";

export class ReaderWatch {
  readonly #options: ReaderWatchOptions;
  /** Readers at the picture before, each as it was then; null: nothing is known of that. */
  #before: ReadonlyMap<string, TerminalReader> | null = null;
  /** Who was seen to have written by the time that something came. */
  readonly #writers = new Set<string>();
  /** Who was first proved to read at this picture. */
  #asking: ReadonlySet<string> | null = null;
  /** The line that counted as the readers' own last. */
  #line: string | null = null;
  #isForeign = false;
  #heard: Heard = "nothing";
  #keysAt = -Infinity;
  /** Since `#before`: what a reader takes then may be the answer to what stood there. */
  #isTyped = false;

  constructor(options: ReaderWatchOptions) {
    this.#options = options;
  }

  onOutput(): void {
    if (this.#heard === "output") return;
    const sinceKeysMs = this.#options.clock.monotonic() - this.#keysAt;
    this.#heard = sinceKeysMs <= ECHO_WITHIN_MS ? "echo" : "output";
  }

  /** Somebody typed at the terminal, or we did. */
  onKeys(): void {
    this.#keysAt = this.#options.clock.monotonic();
    this.#isTyped = true;
  }

  /** Nothing is known of who reads at this picture. */
  forget(): void {
    this.#before = this.#asking = this.#line = null;
    this.#isForeign = this.#isTyped = false;
    this.#heard = "nothing";
  }

  /** As it was judged last. */
  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** True where what stands at the bottom is proved not to be asked by those who read now. */
  judge(now: TerminalReaders): boolean {
    const heard = this.#heard;
    const line = this.#options.line();
    if (heard !== "nothing") this.#noteWriters(now);
    if (heard === "nothing") this.#isForeign ||= this.#hasLeft(now);
    else if (!this.#areSilent(now)) this.#isForeign = false;
    // Drawn elsewhere on the screen: the readers' own line stands as it did.
    else if (heard === "output") this.#isForeign ||= line !== this.#line;
    if (!this.#isForeign) this.#line = line;
    this.#keep(now, heard);
    return this.#isForeign;
  }

  /**
   * All of them were there before, and have written nothing since, nor taken what was typed. One that is only waiting for several
   * things may never write: a client that has lent its terminal to a server (`ssh` with a shared connection).
   */
  #areSilent({ blocked, readers }: TerminalReaders): boolean {
    const isWriter = ({ id }: TerminalReader): boolean => blocked === true || this.#writers.has(id);
    return readers.length > 0 && readers.every((reader) => isWriter(reader) && this.#isSilent(reader));
  }

  #noteWriters({ readers }: TerminalReaders): void {
    if (this.#writers.size > WRITERS_MAX) this.#writers.clear();
    for (const { id, written } of readers) {
      const before = this.#before?.get(id)?.written;
      if (before !== undefined && written !== undefined && written !== before) this.#writers.add(id);
    }
  }

  #isSilent({ id, written, taken }: TerminalReader): boolean {
    const before = this.#before?.get(id);
    if (before === undefined || written === undefined || written !== before.written) return false;
    return !this.#isTyped || taken === before.taken;
  }

  /** Those who read at this picture do so no more, though nobody drew anything: whoever reads later does not read for it. */
  #hasLeft({ blocked, readers }: TerminalReaders): boolean {
    const asking = this.#asking;
    return asking !== null && blocked !== undefined && !readers.some(({ id }) => asking.has(id));
  }

  #keep({ blocked, readers }: TerminalReaders, heard: Heard): void {
    const proven = blocked === true && !this.#isForeign ? new Set(readers.map(({ id }) => id)) : null;
    const before = this.#before;
    if (heard === "nothing") {
      this.#asking ??= proven;
      // What they have written by now may not be here yet.
      this.#before = new Map(readers.map((reader) => [reader.id, before?.get(reader.id) ?? reader]));
      return;
    }
    this.#asking = proven;
    this.#before = new Map(readers.map((reader) => [reader.id, reader]));
    this.#isTyped = false;
    this.#heard = "nothing";
  }
}
