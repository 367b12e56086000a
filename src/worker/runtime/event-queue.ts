/** Values pushed from callbacks, read by one `for await`. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | null = null;
  #ended = false;

  push(value: T): void {
    if (this.#ended) return;
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** What was pushed is still read; then the iteration ends. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const value = this.#waiting.shift();
      if (value !== undefined) yield value;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
