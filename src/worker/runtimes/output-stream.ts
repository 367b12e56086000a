/** Passes the tool's output to one reader, and reports when the reader falls behind, so that the tool can be paused. */
import { EventQueue } from "../prompts/event-queue.js";

/**
 * The most output that may wait for a slow terminal, besides what the terminal's own stream holds: one chunk. More would delay
 * every echo, and Ctrl-C.
 */
const WAITING_BYTES_HIGH = 16 * 1024;
const WAITING_BYTES_LOW = 8 * 1024;

export class OutputStream {
  readonly #queue = new EventQueue<Uint8Array>();
  readonly #onPressure: (full: boolean) => void;
  #waitingBytes = 0;
  /** Length of the chunk that the reader has taken. */
  #takenBytes = 0;
  #isFull = false;
  #hasReader = false;

  constructor(onPressure: (full: boolean) => void) {
    this.#onPressure = onPressure;
  }

  /** Without a reader nothing is kept: the screen has already got the output. */
  push(chunk: Uint8Array): void {
    if (!this.#hasReader) return;
    this.#waitingBytes += chunk.length;
    this.#queue.push(chunk);
    if (!this.#isFull && this.#waitingBytes > WAITING_BYTES_HIGH) this.#reportPressure(true);
  }

  end(): void {
    this.#queue.end();
  }

  /** Reads every chunk from now on, in order, until the end. One reader. */
  read(): AsyncIterable<Uint8Array> {
    this.#hasReader = true;
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#next() }) };
  }

  /** A reader that asks for a chunk is done with the previous one. */
  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#waitingBytes -= this.#takenBytes;
    this.#takenBytes = 0;
    if (this.#isFull && this.#waitingBytes < WAITING_BYTES_LOW) this.#reportPressure(false);
    const next = await this.#queue.next();
    this.#takenBytes = next.value?.length ?? 0;
    return next;
  }

  #reportPressure(full: boolean): void {
    this.#isFull = full;
    this.#onPressure(full);
  }
}
