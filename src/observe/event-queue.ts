/** Values pushed from callbacks, read by one `for await`. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #resolveNext: ((result: IteratorResult<T, undefined>) => void) | null = null;
  #ended = false;

  push(value: T): void {
    if (this.#ended) return;
    if (this.#resolveNext) this.#deliver({ value, done: false });
    else this.#waiting.push(value);
  }

  /** The iteration ends after the pushed values. */
  end(): void {
    this.#ended = true;
    this.#deliver({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.next() };
  }

  /** No generator: it would need several turns for each chunk of output. */
  next(): Promise<IteratorResult<T, undefined>> {
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => (this.#resolveNext = resolve));
  }

  #deliver(result: IteratorResult<T, undefined>): void {
    const hand = this.#resolveNext;
    this.#resolveNext = null;
    hand?.(result);
  }
}
