/** Passes the tool's output to one reader, and reports when the reader falls behind, so that the tool can be paused. */
import { EventQueue } from "../../observe/event-queue.js";

/**
 * The most output that may wait for a slow terminal, besides what the terminal's own stream holds: one chunk. More would delay
 * every echo, and Ctrl-C.
 */
const WAITING_BYTES_HIGH = 16 * 1024;
const WAITING_BYTES_LOW = 8 * 1024;

/** Takes a chunk. Null: the next one may follow at once; otherwise it follows when the promise resolves. */
export type TakeOutput = (chunk: Uint8Array) => Promise<void> | null;

export class OutputStream {
  readonly #onPressure: (full: boolean) => void;
  /** Chunks behind the one that the reader has not let go yet. */
  readonly #waiting: Uint8Array[] = [];
  /** Length of all that waits, and of the chunk that the reader has. */
  #heldBytes = 0;
  #isFull = false;
  #take: TakeOutput | null = null;
  #isBusy = false;
  #hasEnded = false;
  #onEnded: () => void = () => undefined;
  #onFailed: (error: unknown) => void = () => undefined;

  constructor(onPressure: (full: boolean) => void) {
    this.#onPressure = onPressure;
  }

  /** Without a reader the chunk is dropped, because the screen has it already. */
  push(chunk: Uint8Array): void {
    if (!this.#take || this.#hasEnded) return;
    if (this.#isBusy) {
      this.#waiting.push(chunk);
      this.#hold(chunk.length);
    } else this.#passOn(this.#take, chunk);
  }

  end(): void {
    this.#hasEnded = true;
    if (!this.#isBusy) this.#onEnded();
  }

  /**
   * Passes every chunk from now on to `take`, in order and, unless it is still busy with an earlier one, before `push` returns. One
   * reader. Resolves after the last chunk; rejects with what a promise of `take` rejects with.
   */
  pass(take: TakeOutput): Promise<void> {
    this.#take = take;
    return new Promise((resolve, reject) => {
      this.#onEnded = resolve;
      this.#onFailed = reject;
      if (this.#hasEnded) resolve();
    });
  }

  /** Reads every chunk from now on, in order, until the end, in place of `pass`. */
  read(): AsyncIterable<Uint8Array> {
    const queue = new EventQueue<Uint8Array>();
    let letGo: () => void = () => undefined;
    const passed = this.pass((chunk) => {
      queue.push(chunk);
      return new Promise((resolve) => (letGo = resolve));
    });
    void passed.then(() => queue.end());
    // A reader that asks for a chunk is done with the previous one.
    const next = (): Promise<IteratorResult<Uint8Array, undefined>> => {
      letGo();
      return queue.next();
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  #passOn(take: TakeOutput, chunk: Uint8Array): void {
    const done = take(chunk);
    if (done === null) return;
    this.#isBusy = true;
    this.#hold(chunk.length);
    void done.then(() => this.#onDone(take, chunk.length), this.#onFailed);
  }

  #onDone(take: TakeOutput, bytes: number): void {
    this.#isBusy = false;
    this.#hold(-bytes);
    this.#passWaiting(take);
  }

  #passWaiting(take: TakeOutput): void {
    while (!this.#isBusy) {
      const chunk = this.#waiting.shift();
      if (!chunk) {
        if (this.#hasEnded) this.#onEnded();
        return;
      }
      this.#hold(-chunk.length);
      this.#passOn(take, chunk);
    }
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    const isFull = this.#heldBytes > (this.#isFull ? WAITING_BYTES_LOW : WAITING_BYTES_HIGH);
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onPressure(isFull);
  }
}
