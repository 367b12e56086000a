/**
 * Finds out which process wrote the line at the bottom. A process that waits for input must have written its prompt. What another
 * process wrote there while all readers slept is not their prompt, and an answer would reach whichever process reads.
 */
import type { Clock } from "../../model/clock.js";
import type { TerminalReader, TerminalReaders } from "../process/facts/process-facts.js";

/** The kernel echoes typed input at once; on a loaded machine it takes a moment until we read the echo. */
export const ECHO_WITHIN_MS = 300;

/** No terminal was seen with more writers; beyond this, everything is learned again. */
const WRITERS_MAX = 256;

export interface ReaderWatchOptions {
  readonly clock: Clock;
  /** The text at the bottom, and its position: equal unless a drawing elsewhere changes one of them. */
  readonly line: () => string;
}

type OutputKind = "nothing" | "echo" | "output";

/** A frame is the screen at one moment. */
export class ReaderWatch {
  readonly #options: ReaderWatchOptions;
  /** Readers at the previous frame, in their state of that time; null: unknown. */
  #before: ReadonlyMap<string, TerminalReader> | null = null;
  /** Processes that were seen to have written when output came. */
  readonly #writers = new Set<string>();
  /** The processes that were first proved to read at this frame: the line at the bottom is their prompt. */
  #promptingReaders: ReadonlySet<string> | null = null;
  /** The last line that counted as the readers' own. */
  #line: string | null = null;
  #isForeign = false;
  #outputKind: OutputKind = "nothing";
  #keysAt = -Infinity;
  /** Whether somebody typed since `#before`: input that a reader takes then may be the answer to its prompt. */
  #typedSinceLastFrame = false;

  constructor(options: ReaderWatchOptions) {
    this.#options = options;
  }

  onOutput(): void {
    if (this.#outputKind === "output") return;
    const sinceKeysMs = this.#options.clock.monotonic() - this.#keysAt;
    this.#outputKind = sinceKeysMs <= ECHO_WITHIN_MS ? "echo" : "output";
  }

  /** Call when somebody typed at the terminal, or we did. */
  onKeys(): void {
    this.#keysAt = this.#options.clock.monotonic();
    this.#typedSinceLastFrame = true;
  }

  /** Call when the readers at this frame are unknown. */
  forget(): void {
    this.#before = this.#promptingReaders = this.#line = null;
    this.#isForeign = this.#typedSinceLastFrame = false;
    this.#outputKind = "nothing";
  }

  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** Returns true where it is proved that the processes that read now have not written the line at the bottom. */
  judge(now: TerminalReaders): boolean {
    const outputKind = this.#outputKind;
    const line = this.#options.line();
    if (outputKind !== "nothing") this.#noteWriters(now);
    if (outputKind === "nothing") this.#isForeign ||= this.#readersHaveGone(now);
    else if (!this.#areSilent(now)) this.#isForeign = false;
    // If output was drawn elsewhere on the screen, the readers' own line is unchanged.
    else if (outputKind === "output") this.#isForeign ||= line !== this.#line;
    if (!this.#isForeign) this.#line = line;
    this.#remember(now, outputKind);
    return this.#isForeign;
  }

  /**
   * Whether all of them existed before, and have since neither written nor read input. A process that waits for several things
   * may never write: a client that gave its terminal to a server (`ssh` with a shared connection).
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
    return !this.#typedSinceLastFrame || taken === before.taken;
  }

  /** Whether the processes that read at this frame no longer do, though nothing was drawn: a later reader does not read for this line. */
  #readersHaveGone({ blocked, readers }: TerminalReaders): boolean {
    const prompting = this.#promptingReaders;
    return prompting !== null && blocked !== undefined && !readers.some(({ id }) => prompting.has(id));
  }

  #remember({ blocked, readers }: TerminalReaders, outputKind: OutputKind): void {
    const proven = blocked === true && !this.#isForeign ? new Set(readers.map(({ id }) => id)) : null;
    const before = this.#before;
    if (outputKind === "nothing") {
      this.#promptingReaders ??= proven;
      // Their latest output may not have arrived here yet.
      this.#before = new Map(readers.map((reader) => [reader.id, before?.get(reader.id) ?? reader]));
      return;
    }
    this.#promptingReaders = proven;
    this.#before = new Map(readers.map((reader) => [reader.id, reader]));
    this.#typedSinceLastFrame = false;
    this.#outputKind = "nothing";
  }
}
