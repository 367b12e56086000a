/** The tool's output on its way to one reader; says when the reader falls behind, so that the tool can be made to wait. */
import { EventQueue } from "../prompts/event-queue.js";

/** Output that may wait for a slow terminal, beside what the terminal's own stream holds: a chunk. More makes every echo late, and Ctrl-C. */
const WAITING_BYTES_HIGH = 16 * 1024;
const WAITING_BYTES_LOW = 8 * 1024;

export class OutputStream {
  readonly #queue = new EventQueue<Uint8Array>();
  readonly #onPressure: (full: boolean) => void;
  #waitingBytes = 0;
  /** Length of the chunk that the reader has. */
  #taken = 0;
  #full = false;
  #read = false;

  constructor(onPressure: (full: boolean) => void) {
    this.#onPressure = onPressure;
  }

  /** Without a reader nothing is kept: the screen has seen it. */
  push(chunk: Uint8Array): void {
    if (!this.#read) return;
    this.#waitingBytes += chunk.length;
    this.#queue.push(chunk);
    if (!this.#full && this.#waitingBytes > WAITING_BYTES_HIGH) this.#tell(true);
  }

  end(): void {
    this.#queue.end();
  }

  /** From now on every chunk, in order, until the end. One reader. */
  read(): AsyncIterable<Uint8Array> {
    this.#read = true;
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#next() }) };
  }

  /** Whoever asks for a chunk is done with the one before. */
  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#waitingBytes -= this.#taken;
    this.#taken = 0;
    if (this.#full && this.#waitingBytes < WAITING_BYTES_LOW) this.#tell(false);
    const next = await this.#queue.next();
    this.#taken = next.value?.length ?? 0;
    return next;
  }

  #tell(full: boolean): void {
    this.#full = full;
    this.#onPressure(full);
  }
}
