/** Values pushed from callbacks, read by one `for await`. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  /** The reader waits for what comes next. */
  #hand: ((result: IteratorResult<T, undefined>) => void) | null = null;
  #ended = false;

  push(value: T): void {
    if (this.#ended) return;
    if (this.#hand) this.#give({ value, done: false });
    else this.#waiting.push(value);
  }

  /** What was pushed is still read; then the iteration ends. */
  end(): void {
    this.#ended = true;
    this.#give({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.next() };
  }

  /** By hand, not by a generator: a flood is read through here, and a generator takes several turns for every chunk. */
  next(): Promise<IteratorResult<T, undefined>> {
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => (this.#hand = resolve));
  }

  #give(result: IteratorResult<T, undefined>): void {
    const hand = this.#hand;
    this.#hand = null;
    hand?.(result);
  }
}
